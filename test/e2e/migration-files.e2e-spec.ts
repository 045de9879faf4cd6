/**
 * Files of contacts over HTTP, section 4.9: what is detected in them, what is refused, and that an incomplete upload
 * leaves nothing behind.
 */
import { connect } from 'node:net';
import pg from 'pg';
import { MAX_UPLOAD_BYTES } from '../../src/modules/imports/domain/files/import-file.js';
import { sharedApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';

const PATH = '/v1/migrations/files';
const MEGABYTE = 1_048_576;
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);

let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await sharedApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
  workspace = await app.workspace({ plan: 'starter' });
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

const asOwner = ({ id, ownerToken }: TestWorkspace): Record<string, string> => ({
  authorization: `Bearer ${ownerToken}`,
  'x-workspace-id': id,
});

interface Answer {
  readonly status: number;
  readonly body: any;
}

async function send(
  body: FormData | ReadableStream | string,
  headers: Record<string, string> = {},
  of = workspace,
): Promise<Answer> {
  const response = await fetch(`${app.url}${PATH}`, {
    method: 'POST',
    headers: { ...asOwner(of), ...headers },
    body,
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  });
  return { status: response.status, body: await response.json() };
}

function formOf(bytes: string | Buffer, name = 'people.csv', field = 'file'): FormData {
  const form = new FormData();
  form.append(field, new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), name);
  return form;
}

/** A form with a file that is generated while it is sent. */
function streamed(
  chunk: Buffer,
  times: number,
): { readonly body: ReadableStream; readonly headers: Record<string, string> } {
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="big.csv"\r\n\r\nemail,note\r\n';
  let sent = -1;
  const body = new ReadableStream({
    pull(controller) {
      if (sent < 0) controller.enqueue(Buffer.from(head));
      else if (sent < times) controller.enqueue(chunk);
      else {
        controller.enqueue(Buffer.from('\r\n--b--\r\n'));
        controller.close();
      }
      sent++;
    },
  });
  return { body, headers: { 'content-type': 'multipart/form-data; boundary=b' } };
}

const FORM = 'multipart/form-data; boundary=b';

/** The beginning of a part of a form. */
function part(header = '', name = 'file'): string {
  return `--b\r\nContent-Disposition: form-data; name="${name}"${name === 'file' ? '; filename="a.csv"' : ''}\r\n${header}\r\n`;
}

async function filesOf({ id }: TestWorkspace): Promise<any[]> {
  const { rows } = await admin.query(
    `SELECT name, is_ready, size::int, pieces, (SELECT count(*)::int FROM import_file_pieces p WHERE p.file_id = f.id) AS kept,
       (SELECT coalesce(sum(octet_length(bytes)), 0)::int FROM import_file_pieces p WHERE p.file_id = f.id) AS bytes
     FROM import_files f WHERE workspace_id = $1 ORDER BY created_at, id`,
    [id],
  );
  return rows;
}

test('what is in a file is found out, and told with a mapping that is likely', async () => {
  const text =
    '\ufeffE-mail;First Name;Surname;Mobile;plan;plan\r\nana@x.es;Ana;García;+34600;pro;a;\r\n\r\n"b@x.es";;;;;\r\n';
  const answer = await send(formOf(text, 'Kontakte – März.csv'));
  expect(answer).toEqual({
    status: 201,
    body: {
      file_id: UUID,
      name: 'Kontakte – März.csv',
      format: 'csv',
      encoding: 'utf-8',
      size: Buffer.byteLength(text),
      columns: ['E-mail', 'First Name', 'Surname', 'Mobile', 'plan', 'plan_2'],
      sample: [
        {
          'E-mail': 'ana@x.es',
          'First Name': 'Ana',
          Surname: 'García',
          Mobile: '+34600',
          plan: 'pro',
          plan_2: 'a',
        },
        { 'E-mail': 'b@x.es' },
      ],
      suggested_mapping: {
        'E-mail': 'email',
        'First Name': 'first_name',
        Surname: 'last_name',
        Mobile: 'phone',
      },
      suggested_types: { plan: 'text', plan_2: 'text' },
    },
  });
});

test.each([
  ['JSON', '[{"email":"a@x.es","tags":["a"]}]', { format: 'json', columns: ['email', 'tags'] }],
  [
    'NDJSON',
    '{"email":"a@x.es"}\n{"email":"b@x.es","age":7}\n',
    { format: 'ndjson', columns: ['email', 'age'] },
  ],
  [
    'UTF-16',
    Buffer.from('\ufeffemail\tname\na@x.es\tJosé\n', 'utf16le'),
    { format: 'csv', encoding: 'utf-16le' },
  ],
  ['Latin-1', Buffer.from('email,name\na@x.es,José\n', 'latin1'), { format: 'csv', encoding: 'latin1' }],
])('%s is known by what it holds', async (_, bytes, expected) => {
  expect(await send(formOf(bytes, 'data'))).toMatchObject({ status: 201, body: expected });
});

test.each([
  ['an empty file', () => formOf('\n \n'), 422, 'invalid_field'],
  ['a workbook of Excel', () => formOf(Buffer.from([0x50, 0x4b, 3, 4, 0, 0])), 422, 'invalid_field'],
  ['bytes that are nothing', () => formOf(Buffer.from([1, 2, 3, 0, 255, 10, 0, 7])), 422, 'invalid_field'],
  ['JSON without a record', () => formOf('[]'), 422, 'invalid_field'],
  ['a header alone', () => formOf('email,name\n'), 422, 'invalid_field'],
  ['a page of the web in one line', () => formOf('<html><body>Sorry</body></html>'), 422, 'invalid_field'],
  ['a form without a file', () => formOf('email\na@x.es\n', 'a.csv', 'other'), 400, 'validation_error'],
])('%s is refused and leaves nothing', async (_, form, status, code) => {
  const own = await app.workspace({ plan: 'starter' });
  expect(await send(form(), {}, own)).toMatchObject({ status, body: { code } });
  expect(await filesOf(own)).toEqual([]);
});

test.each([
  ['JSON', 'application/json', '{}', 400, 'validation_error'],
  ['text', 'text/plain', 'email\na@x.es\n', 400, 'validation_error'],
  ['a form without parts', 'application/x-www-form-urlencoded', 'file=email', 400, 'validation_error'],
  ['two files', FORM, `${part()}email\na@x.es\n\r\n${part()}email\n\r\n--b--\r\n`, 400, 'validation_error'],
  [
    'a file in base64',
    FORM,
    `${part('Content-Transfer-Encoding: base64\r\n')}ZW1haWwKYUB4LmVzCg==\r\n--b--\r\n`,
    ...([400, 'validation_error'] as const),
  ],
  ['no boundary', 'multipart/form-data', 'x', 400, 'validation_error'],
  ['another boundary', 'multipart/form-data; boundary=c', '--b\r\n\r\n--b--', 400, 'validation_error'],
  [
    'an end that is missing',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nemail\n',
    400,
    'validation_error',
  ],
])('a body of %s is refused and leaves nothing', async (_, type, body, status, code) => {
  const own = await app.workspace({ plan: 'starter' });
  expect(await send(body, { 'content-type': type }, own)).toMatchObject({ status, body: { code } });
  expect(await filesOf(own)).toEqual([]);
});

test('a mapping that is sent with the file is refused, and not left out in silence', async () => {
  const owner = await app.workspace({ plan: 'starter' });
  for (const names of [['field_mapping'], ['config', 'tags']]) {
    const form = formOf('Mail\na@x.es\n');
    for (const name of names) form.append(name, '{"Mail":"email"}');
    expect(await send(form, {}, owner)).toMatchObject({
      status: 422,
      body: { code: 'invalid_field', errors: names.map((field) => ({ field })) },
    });
  }
  expect(await filesOf(owner)).toEqual([]);
});

test('a line of commas is a header of too many columns, and as a row costs itself alone', async () => {
  const commas = ','.repeat(1_048_000);
  expect(await send(formOf(`${commas}\na@x.es\n`))).toMatchObject({
    status: 422,
    body: { code: 'invalid_field', detail: expect.stringContaining('more than 1000 columns') },
  });
  expect(await send(formOf(`email\na@x.es\n${commas}\n`))).toMatchObject({
    status: 201,
    body: { columns: ['email'], sample: [{ email: 'a@x.es' }] },
  });
});

test('a file behind many other parts is refused with a word of them', async () => {
  const parts = Array.from({ length: 25 }, () => part('', 'other'));
  const body = `${parts.map((one) => `${one}x\r\n`).join('')}${part()}email\na@x.es\n\r\n--b--\r\n`;
  expect(await send(body, { 'content-type': FORM })).toMatchObject({
    ...{
      status: 400,
      body: { code: 'validation_error', detail: expect.stringContaining('more than 20 parts') },
    },
  });
});

test('the plan is asked before anything is read', async () => {
  const free = await app.workspace({ plan: 'free' });
  expect(await send(formOf('email\na@x.es\n'), {}, free)).toMatchObject({
    status: 403,
    body: { code: 'plan_limit_reached', limit_type: 'migrations' },
  });
});

test('200 MB are kept in pieces with memory for a few, and a bad byte at their end makes them Latin-1', async () => {
  const own = await app.workspace({ plan: 'starter' });
  const line = Buffer.from(`ana@x.es,${'é'.repeat(60)}\r\n`);
  const chunk = Buffer.concat(Array<Buffer>(Math.floor(MEGABYTE / line.length)).fill(line));
  const times = Math.floor((MAX_UPLOAD_BYTES - 100) / chunk.length);
  const whole = streamed(chunk, times);
  const bad = whole.body.pipeThrough(
    new TransformStream<Buffer, Buffer>({
      transform(bytes, controller) {
        controller.enqueue(
          bytes.toString().startsWith('\r\n--b--') ? Buffer.concat([Buffer.from([0xe9]), bytes]) : bytes,
        );
      },
    }),
  );
  const before = process.memoryUsage().rss;
  const answer = await send(bad, whole.headers, own);
  const size = 'email,note\r\n'.length + times * chunk.length + 1;
  expect(answer).toMatchObject({ status: 201, body: { encoding: 'latin1', size } });
  expect(answer.body.sample[0].note).toContain('Ã©');
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * MEGABYTE);
  const pieces = Math.ceil(size / MEGABYTE);
  expect(await filesOf(own)).toEqual([
    { name: 'big.csv', is_ready: true, size, pieces, kept: pieces, bytes: size },
  ]);
}, 120_000);

test('what is larger is refused as soon as it is known, said or not, and leaves nothing', async () => {
  const own = await app.workspace({ plan: 'starter' });
  const chunk = Buffer.alloc(4 * MEGABYTE, 'a');
  const { body, headers } = streamed(chunk, MAX_UPLOAD_BYTES / chunk.length);
  expect(await send(body, headers, own)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
  expect(await filesOf(own)).toEqual([]);
  const said = await raw(own, 'x', MAX_UPLOAD_BYTES + MEGABYTE);
  expect(said).toMatch(/^HTTP\/1\.1 413 /);
}, 120_000);

/** Sends the beginning of a body and waits for the answer. */
async function raw(of: TestWorkspace, body: string, length: number): Promise<string> {
  const { port, hostname } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  const head = Object.entries({
    host: hostname,
    ...asOwner(of),
    'content-type': 'multipart/form-data; boundary=b',
    'content-length': String(length),
  });
  socket.write(
    `POST ${PATH} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString()));
  await until('an answer came', () => answer.includes('\r\n\r\n'));
  socket.destroy();
  return answer;
}

test('an upload that is cut off leaves nothing; one more than three at once is refused', async () => {
  const own = await app.workspace({ plan: 'starter' });
  const { port, hostname } = new URL(app.url);
  const head = `POST ${PATH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${own.ownerToken}\r\nx-workspace-id: ${own.id}\r\n`;
  const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nemail\r\n';
  const sockets = [1, 2, 3].map(() => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(
      `${head}content-type: multipart/form-data; boundary=b\r\ncontent-length: 9000000\r\n\r\n${part}`,
    );
    socket.write('a'.repeat(3 * MEGABYTE));
    return socket;
  });
  await until(
    'three uploads are coming in',
    async () => (await filesOf(own)).filter(({ kept }) => kept >= 2).length === 3,
  );
  expect(await send(formOf('email\na@x.es\n'), {}, own)).toMatchObject({
    status: 429,
    body: { code: 'rate_limit_exceeded' },
  });
  for (const socket of sockets) socket.destroy();
  await until('nothing is left of them', async () => (await filesOf(own)).length === 0);
  expect(await send(formOf('email\na@x.es\n'), {}, own)).toMatchObject({ status: 201 });
});
