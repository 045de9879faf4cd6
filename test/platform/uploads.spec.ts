/** Multipart forms without a content length: the parts around the file are limited, like the file itself. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { startHttpApp, type TestHttpApp } from './http-app/http-app.js';
import { MOST_OF_SAMPLE } from './http-app/sample-upload.controller.js';

let http: TestHttpApp;

beforeAll(async () => {
  http = await startHttpApp();
});
afterAll(async () => {
  await http.close();
});

const CHUNK = Buffer.alloc(65_536, 'x');
const HEAD =
  'POST /v1/uploads HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n' +
  'Content-Type: multipart/form-data; boundary=b\r\n\r\n';
const part = (name: string, more = ''): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
const FILE = `${part('file', '; filename="a.csv"')}abc\r\n`;

/** Sends a form chunk by chunk until the server answers. */
async function answerTo(before: string, bytes: number, behind: string): Promise<string> {
  const socket = connect(http.port, '127.0.0.1');
  socket.on('error', () => undefined);
  let text = '';
  socket.on('data', (data: Buffer) => (text += data.toString()));
  const closed = once(socket, 'close');
  const send = async (data: Buffer | string): Promise<void> => {
    if (text !== '' || data.length === 0) return;
    const framed = Buffer.concat([
      Buffer.from(`${data.length.toString(16)}\r\n`),
      Buffer.from(data),
      Buffer.from('\r\n'),
    ]);
    if (!socket.write(framed)) await Promise.race([once(socket, 'drain'), closed]);
    await new Promise(setImmediate);
  };
  socket.write(HEAD);
  await send(before);
  for (let sent = 0; sent < bytes; sent += CHUNK.length) await send(CHUNK);
  await send(behind);
  socket.write('0\r\n\r\n');
  await closed;
  return text;
}

const PLACES: [string, string, string][] = [
  ['before the first part', '', `\r\n${FILE}--b--\r\n`],
  ['in a field', part('note'), `\r\n${FILE}--b--\r\n`],
  ['in another file', part('other', '; filename="b.csv"'), `\r\n${FILE}--b--\r\n`],
  ['behind the last part', `${FILE}--b--\r\n`, ''],
];

test.each(PLACES)('what goes on for ever %s is refused', async (_, before, behind) => {
  expect(await answerTo(before, 20 * MOST_OF_SAMPLE, behind)).toMatch(
    /^HTTP\/1\.1 413 [^]*payload_too_large/,
  );
});

test.each(PLACES.filter(([place]) => place !== 'in a field'))(
  'a little %s is passed over',
  async (_, before, behind) => {
    expect(await answerTo(before, 1, behind)).toMatch(/^HTTP\/1\.1 201 [^]*"size":3/);
  },
);

test('a field beside the file is refused', async () => {
  expect(await answerTo(part('note'), 1, `\r\n${FILE}--b--\r\n`)).toMatch(
    /^HTTP\/1\.1 422 [^]*invalid_field[^]*note/,
  );
});
