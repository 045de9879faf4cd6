/**
 * Hostile traffic for a port: known attacks on HTTP and SMTP, written by hand, and an unlimited number of seeded
 * variations.
 */
import fc from 'fast-check';

/** One conversation: the bytes to write, and whether the connection is then half-closed or reset. */
export interface Conversation {
  readonly chunks: readonly Buffer[];
  readonly end: 'half-close' | 'cut';
}

const CRLF = '\r\n';
const head = (line: string, ...headers: string[]): string =>
  [line, 'Host: localhost', ...headers, '', ''].join(CRLF);

const TARGETS = [
  '//',
  '///',
  '//x',
  '/\\',
  '\\\\x\\y',
  '/.',
  '/..//..',
  '/%',
  '/%0',
  '/%zz',
  '/%00',
  '/%ff%fe',
  '/%E0%A4%A',
  '/v1/flows/%',
  '/v1/flows/%C0%80',
  '/v1//flows',
  '/api/messages/%',
  '/api/messages//',
  '/api/messages/../html',
  '/api/messages?limit=%',
  '/?',
  '/?%',
  '/??&&==',
  '/#',
  '?',
  '*',
  'http:',
  'http://',
  'http:///',
  'http://[',
  'http://[::1',
  'http://a:b@c:99999/x',
  'http://localhost//',
  'https://localhost:1/v1/events',
  'javascript:alert(1)',
  'x://y',
  `/${'a'.repeat(9_000)}`,
  `/${'/'.repeat(5_000)}`,
  `/v1/flows/${'a'.repeat(2_000)}`,
  `/?${'a&'.repeat(5_000)}`,
  '/docs//',
  '/graphql//',
  '/.well-known//jwks.json',
];
const METHODS = ['GET', 'POST', 'HEAD', 'OPTIONS', 'DELETE', 'PUT', 'PATCH', 'CONNECT', 'TRACE', 'PURGE'];

const HTTP_BY_HAND: readonly string[] = [
  ...TARGETS.map((target) => head(`GET ${target} HTTP/1.1`)),
  ...METHODS.map((method) => head(`${method} // HTTP/1.1`)),
  ...METHODS.map((method) => head(`${method} example.com:443 HTTP/1.1`)),
  head('GET / HTTP/1.1', `X-Huge: ${'a'.repeat(100_000)}`),
  head('GET / HTTP/1.1', ...Array.from({ length: 3_000 }, (_, i) => `X-${i}: ${i}`)),
  head('GET / HTTP/1.1', 'Host: twice'),
  head('GET / HTTP/1.1', 'X-Bad\0: a', 'X: \0'),
  head('GET / HTTP/1.1', ' folded: a'),
  head('GET / HTTP/1.1', 'Cookie: \x80\xff'),
  `GET / HTTP/1.1${CRLF}Host: ${CRLF}${CRLF}`,
  `GET / HTTP/1.1${CRLF}Host: [::${CRLF}${CRLF}`,
  `GET / HTTP/1.1${CRLF}${CRLF}`,
  `GET / HTTP/1.0${CRLF}${CRLF}`,
  `GET /${CRLF}`,
  `GET / HTTP/9.9${CRLF}${CRLF}`,
  `GET / HTTP/1.1\nHost: localhost\n\n`,
  '\0\0\0\0',
  CRLF.repeat(1_000),
  head('POST /v1/events HTTP/1.1', 'Content-Length: 10') + 'short',
  head('POST /v1/events HTTP/1.1', 'Content-Length: -1') + 'x',
  head('POST /v1/events HTTP/1.1', 'Content-Length: 99999999999999999999') + 'x',
  head('POST /v1/events HTTP/1.1', 'Content-Length: 1', 'Content-Length: 2') + 'xx',
  head('POST /v1/events HTTP/1.1', 'Content-Length: 5', 'Transfer-Encoding: chunked') + '0\r\n\r\n',
  head('POST /v1/events HTTP/1.1', 'Transfer-Encoding: chunked') + 'zz\r\nxx',
  head('POST /v1/events HTTP/1.1', 'Transfer-Encoding: chunked') + 'fffffffffffffffff\r\nx',
  head('POST /v1/events HTTP/1.1', 'Transfer-Encoding: chunked') +
    `1;${'a'.repeat(20_000)}\r\nx\r\n0\r\n\r\n`,
  head('POST /v1/events HTTP/1.1', 'Transfer-Encoding: chunked') +
    `1\r\nx\r\n0\r\nTrailer: ${'a'.repeat(20_000)}\r\n\r\n`,
  head('POST /v1/events HTTP/1.1', 'Transfer-Encoding: gzip, chunked') + '0\r\n\r\n',
  head('POST /v1/events HTTP/1.1', 'Content-Encoding: br', 'Content-Length: 1') + 'x',
  head('POST /v1/events HTTP/1.1', 'Expect: 100-continue', 'Content-Length: 5'),
  head('POST /v1/events HTTP/1.1', 'Expect: miracles', 'Content-Length: 5') + 'xxxxx',
  head('POST /v1/events HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 3') + '\xff\xfe\x00',
  head('POST /v1/events HTTP/1.1', 'Content-Type: ;;;=', 'Content-Length: 2') + '{}',
  head('POST /v1/public/unsubscribe HTTP/1.1', 'Content-Type: multipart/form-data', 'Content-Length: 2') +
    '--',
  head('GET / HTTP/1.1', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: x'),
  head('GET /api/changes HTTP/1.1', 'Connection: Upgrade', 'Upgrade: h2c', 'HTTP2-Settings: x'),
  head('GET /api/changes HTTP/1.1'),
  head('GET /health/live HTTP/1.1').repeat(50) + head('GET // HTTP/1.1').repeat(50),
  head('GET / HTTP/1.1') + 'trailing garbage\0',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03' + 'r'.repeat(512),
  'PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n' + head('GET / HTTP/1.1'),
];

const SMTP_BY_HAND: readonly string[] = [
  'HELO\r\nMAIL\r\nRCPT\r\nDATA\r\n',
  'EHLO \0\r\nMAIL FROM:<>\r\nRCPT TO:<>\r\nDATA\r\n.\r\n',
  'EHLO x\r\nMAIL FROM:<a@b.c> SIZE=99999999999999999999\r\n',
  'EHLO x\r\nMAIL FROM:<a@b.c>\r\nRCPT TO:<d@e.f>\r\nDATA\r\n\r\n.\r\nDATA\r\n',
  'EHLO x\r\nMAIL FROM:<a@b.c>\r\nRCPT TO:<d@e.f>\r\nDATA\r\nhalf a message',
  'EHLO x\r\nMAIL FROM:<a@b.c>\r\nRCPT TO:<d@e.f>\r\nDATA\r\nContent-Type: \0;\xff=\r\n\r\n\0\r\n.\r\n',
  'EHLO x\r\nMAIL FROM:<a@b.c>\r\nRCPT TO:<d@e.f>\r\nBDAT 99999999999 LAST\r\nx',
  `EHLO ${'x'.repeat(40_000)}\r\n`,
  'x'.repeat(40_000),
  'NOOP\r\n'.repeat(5_000),
  'EHLO x\r\nMAIL FROM:<a@b.c>\r\n' + 'RCPT TO:<d@e.f>\r\n'.repeat(2_000) + 'QUIT\r\n',
  'EHLO x\r\nAUTH PLAIN\r\n\0\r\n*\r\nSTARTTLS\r\n\x16\x03\x01',
  'EHLO x\r\nXCLIENT ADDR=[\r\nXFORWARD NAME=+\r\nVRFY %n\r\nEXPN\r\nTURN\r\nHELP\r\n',
];

/** The handwritten attacks, each once. */
export const BY_HAND: readonly Conversation[] = [...HTTP_BY_HAND, ...SMTP_BY_HAND].map((text) => ({
  chunks: [Buffer.from(text, 'latin1')],
  end: 'half-close',
}));

const noise = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1'));
const token = fc.oneof(fc.constantFrom(...METHODS), noise);
const target = fc.oneof(
  fc.constantFrom(...TARGETS),
  noise,
  fc.webUrl(),
  fc.string({
    unit: fc.constantFrom('/', '%', '.', ':', '@', '[', ']', '?', '#', '\\', '\0', 'a', '2f', '00'),
  }),
);
const header = fc.oneof(
  noise,
  fc
    .tuple(
      fc.constantFrom(
        'Host',
        'Content-Length',
        'Transfer-Encoding',
        'Connection',
        'Upgrade',
        'X-Forwarded-For',
      ),
      fc.oneof(noise, fc.constantFrom('chunked', 'close', 'upgrade', 'h2c', '0', '5', ',,,', '::1', '')),
    )
    .map(([name, value]) => `${name}: ${value}`),
);
const httpText = fc
  .tuple(token, target, fc.constantFrom('HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', ''), fc.array(header), noise)
  .map(([method, path, version, headers, body]) =>
    [`${method} ${path} ${version}`, 'Host: localhost', ...headers, '', body].join(CRLF),
  );
const smtpText = fc
  .array(
    fc
      .tuple(
        fc.constantFrom('EHLO', 'MAIL FROM:', 'RCPT TO:', 'DATA', '.', 'RSET', 'BDAT', 'AUTH', ''),
        noise,
      )
      .map(([verb, rest]) => `${verb}${rest}${CRLF}`),
    { maxLength: 20 },
  )
  .map((lines) => lines.join(''));

const conversation: fc.Arbitrary<Conversation> = fc
  .tuple(
    fc.oneof(httpText, httpText, smtpText, noise),
    fc.array(fc.nat(400), { maxLength: 3 }),
    fc.constantFrom('half-close' as const, 'cut' as const),
  )
  .map(([text, cuts, end]) => ({ chunks: cutAt(Buffer.from(text, 'latin1'), cuts), end }));

/** Variations of the attacks; the same seed gives the same ones. */
export function variations(seed: number, count: number): Conversation[] {
  return fc.sample(conversation, { seed, numRuns: count });
}

function cutAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length].map((at) =>
    Math.min(at, bytes.length),
  );
  return places.slice(1).map((end, i) => bytes.subarray(places[i], end));
}
