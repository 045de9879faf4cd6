/** Logs are structured, carry the request id, and hold no key, token, secret or body of an email, at any level. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { DEMO_OWNER } from '../../src/processes/demo.js';
import { createTestDatabase } from '../support/database.js';
import { MailSink } from '../support/mail-sink.js';
import { openWorkspace, type OpenWorkspace } from '../support/open-workspace.js';
import { freePort, ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

/** Answers of an SMTP server and a database, and the addresses they were about. */
const CANARIES = ['GRAPHQL_CANARY', 'SMTP-CANARY', 'smtp-canary@', 'DATABASE-CANARY', 'ada@example.com'];

/** Makes the database refuse templates with an error that quotes the input. */
async function breakTemplates(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'no % here', NEW.name USING DETAIL = NEW.name, HINT = NEW.slug; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON templates FOR EACH ROW EXECUTE FUNCTION refuse()`);
  await client.end();
}

/** Provokes the database error through GraphQL. */
async function failByGraphql(
  url: string,
  dataDir: string,
  workspaceId: string,
  operation: string,
): Promise<void> {
  const { token } = (await ServiceProcess.cli({ DATA_DIR: dataDir }, ['token', '--email', DEMO_OWNER])) as {
    token: string;
  };
  const query = `mutation ${operation} { saved: createTemplate(input: { name: "DATABASE-CANARY", slug: "canary",
    subject: "x", bodyHtml: "<p>x</p>" }) { id } }`;
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'x-workspace-id': workspaceId,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query }),
  });
  const body = (await answer.json()) as { errors: { extensions: { code: string } }[] };
  expect(body.errors.map(({ extensions }) => extensions.code)).toEqual(['internal_error']);
}

/** Text from callers, in every place of a request that may contain some. */
const SAID = [
  ...[
    'API-KEY',
    'BASIC',
    'COOKIE',
    'REFERER',
    'FORWARDED',
    'LINK',
    'TRACKED',
    'PIXEL',
    'QUERY',
    'SIGNATURE',
    'WORD',
  ],
  ...[
    'PROPERTY',
    'FIRST-NAME',
    'PHONE',
    'TAG',
    'ATTRIBUTE',
    'WRONG',
    'BROKEN',
    'VARIABLE',
    'LITERAL',
    'RECIPIENT',
  ],
].map((name) => `${name}-CANARY`);

async function sayCanaries(url: string, workspace: OpenWorkspace): Promise<void> {
  const { id, key } = workspace;
  const ask = async (path: string, headers: Record<string, string> = {}, body?: string): Promise<number> => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const method = body === undefined ? 'GET' : 'POST';
    return (await fetch(url + path, { method, headers: { ...type, ...headers }, ...(body ? { body } : {}) }))
      .status;
  };
  const own = { 'x-workspace-id': id, 'x-api-key': key };
  const basic = `Basic ${Buffer.from('BASIC-CANARY:x').toString('base64')} BASIC-CANARY`;
  const asides = {
    cookie: 'a=COOKIE-CANARY',
    referer: 'http://x/REFERER-CANARY',
    'x-forwarded-for': 'FORWARDED-CANARY',
  };
  expect(await ask('/v1/flows', { 'x-workspace-id': id, 'x-api-key': 'psk_live_API-KEY-CANARY' })).toBe(401);
  expect(await ask('/v1/flows', { authorization: basic })).toBe(401);
  expect(await ask('/v1/flows', { ...own, ...asides })).toBe(200);
  expect(await ask('/v1/public/unsubscribe?token=LINK-CANARY')).toBe(401);
  expect(await ask('/v1/public/unsubscribe?token=LINK-CANARY', {}, '{}')).toBe(401);
  expect(await ask('/t/c?t=TRACKED-CANARY')).toBe(404);
  expect(await ask('/t/o?t=PIXEL-CANARY')).toBe(404);
  expect(await ask('/nowhere?token=QUERY-CANARY')).toBe(404);
  const signed = { 'svix-id': 'x', 'svix-timestamp': '1', 'svix-signature': 'v1,SIGNATURE-CANARY' };
  expect(await ask('/v1/webhooks/email', signed, '{"type":"WORD-CANARY"}')).toBe(401);
  expect(await ask('/v1/contacts', own, '{"external_id": "BROKEN-CANARY"')).toBe(400);
  const personalFields = { first_name: 'FIRST-NAME-CANARY', phone: 'PHONE-CANARY', tags: ['TAG-CANARY'] };
  const contact = {
    external_id: 'bob',
    email: 'bob@example.com',
    properties: { p: 'PROPERTY-CANARY' },
    ...personalFields,
  };
  expect((await workspace.call('POST', '/v1/contacts', contact)).status).toBeLessThan(300);
  expect((await workspace.call('POST', '/v1/contacts', { ...contact, email: 'WRONG-CANARY' })).status).toBe(
    400,
  );
  const event = { external_id: 'bob', event_name: 'came', attributes: { a: 'ATTRIBUTE-CANARY' } };
  expect((await workspace.call('POST', '/v1/events', event)).status).toBe(202);
  const question = {
    query: 'query ($id: ID!) { a: contact(id: $id) { id } b: contact(id: "LITERAL-CANARY") { id } }',
  };
  await ask('/graphql', own, JSON.stringify({ ...question, variables: { id: 'VARIABLE-CANARY' } }));
  await workspace.call('POST', '/v1/templates/test-send', {
    to_emails: ['RECIPIENT-CANARY@x.test'],
    body_html: '<p>x</p>',
  });
}

test('canaries of every kind go through the service and stay out of its logs', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'waypost-logs-'));
  const database = await createTestDatabase();
  const sink = await MailSink.start();
  const url = `http://127.0.0.1:${await freePort()}`;
  const webhookSecret = Buffer.from('a webhook secret of the test, 32').toString('base64');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const dkimKey = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
  const service = ServiceProcess.start('up', {
    PORT: new URL(url).port,
    DATA_DIR: dataDir,
    DATABASE_URL: database.adminUrl,
    SMTP_URL: sink.url,
    LOG_LEVEL: 'trace',
    EMAIL_WEBHOOK_SECRET: `whsec_${webhookSecret}`,
    SHARED_DKIM_SELECTOR: 'w1',
    SHARED_DKIM_KEY: dkimKey,
  });
  try {
    await service.ready(url);
    const workspace = await openWorkspace(url, dataDir);
    await workspace.template('hello', '<p>BODY-CANARY for {the user\'s First Name, or "you"}</p>');
    await workspace.flow('transactional', 'signed_up', [{ type: 'send_email', template_slug: 'hello' }]);
    expect(await workspace.signUp('ada')).toBe(true);
    await until('the mail is there', () => sink.mails.length === 1);
    await sayCanaries(url, workspace);
    const head = sink.mails[0]?.raw ?? '';
    const tokens = [/^X-Waypost-Feedback: (\S+)/m, /^ b=(\S{60})/m].map(
      (field) => field.exec(head)?.[1] ?? 'NONE',
    );
    expect(tokens).not.toContain('NONE');
    const refused = await fetch(`${url}/v1/flows`, {
      headers: {
        authorization: 'Bearer eyJhbGciOiJFUzI1NiJ9.TOKEN-CANARY.x',
        'x-request-id': 'request-canary-1',
      },
    });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('x-request-id')).toBe('request-canary-1');
    sink.verdict = (mail) =>
      mail.to.includes('smtp-canary@example.com')
        ? { code: 550, text: '5.1.1 <smtp-canary@example.com> is SMTP-CANARY' }
        : undefined;
    expect(await workspace.signUp('smtp-canary')).toBe(true);
    await until('the refusal is logged', () => service.output.includes('A message was not accepted'));
    expect(service.output).toContain('"code":"550 5.1.1"');
    await breakTemplates(database.adminUrl);
    const broken = await workspace.call('POST', '/v1/templates', {
      name: 'DATABASE-CANARY',
      slug: 'canary',
      subject: 'x',
      body_html: '<p>x</p>',
    });
    expect(broken.status).toBe(500);
    await until('the fault is logged', () => service.output.includes('"code":"P0001"'));
    await failByGraphql(url, dataDir, workspace.id, 'SaveTemplate');
    await failByGraphql(url, dataDir, workspace.id, `GRAPHQL_CANARY${'_'.repeat(60)}`);
    const resolver = (): object[] =>
      service.output
        .split('\n')
        .flatMap((line) => (line.includes('A resolver failed') ? [JSON.parse(line)] : []));
    await until('both are logged', () => resolver().length === 2);
    // Each log line has the code of the database's error.
    expect(resolver()[0]).toMatchObject({ operation: 'SaveTemplate', path: 'saved', err: { code: 'P0001' } });
    expect(resolver()[1]).not.toHaveProperty('operation');
    await until('the request is logged', () => service.output.includes('request-canary-1'));
    await service.stop();

    const secrets = Object.values(
      JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>,
    );
    const welcome = service.output.indexOf('Waypost is ready');
    const lines = service.output.split('\n').filter((line) => line.startsWith('{'));
    expect(welcome).toBeGreaterThan(0);
    expect(lines.length).toBeGreaterThan(20);
    const ours = [workspace.key, webhookSecret, dkimKey, dkimKey.slice(100, 160), ...tokens, ...secrets];
    for (const canary of ['BODY-CANARY', 'TOKEN-CANARY', ...CANARIES, ...SAID, ...ours])
      expect(lines.filter((line) => line.includes(canary))).toEqual([]);
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number), name: 'up' });
  } finally {
    await service.stop();
    await sink.stop();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
