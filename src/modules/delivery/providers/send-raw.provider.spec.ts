import { sendRaw } from './send-raw.provider.js';

const TO = 'ada@example.com';
const kindOf = (status: number, body = '', retryAfter?: string) =>
  sendRaw.failureOf({ status, body, retryAfter }, TO);

test.each([200, 201, 202, 204])('%i took the message', (status) => {
  expect(kindOf(status)).toBeUndefined();
  expect(
    kindOf(status, '{"success":true,"result":{"permanent_bounces":["eve@example.com"]}}'),
  ).toBeUndefined();
});

test.each([
  [400, 'permanent'],
  [413, 'permanent'],
  [422, 'permanent'],
  [401, 'unreachable'],
  [404, 'unreachable'],
  [302, 'unreachable'],
  [429, 'unreachable'],
  [408, 'unknown_fate'],
  [409, 'unknown_fate'],
  [500, 'unknown_fate'],
  [502, 'unknown_fate'],
  [503, 'unknown_fate'],
  [504, 'unknown_fate'],
  [102, 'unknown_fate'],
])('%i makes it %s', (status, kind) => expect(kindOf(status)).toEqual({ kind, detail: String(status) }));

test('503 that says for how long was not taken; what a gateway says in its place may have been', () => {
  expect(kindOf(503, '', '30')).toEqual({ kind: 'unreachable', detail: '503', pause: 30_000 });
  expect(kindOf(503, '', 'soon')).toEqual({ kind: 'unknown_fate', detail: '503' });
});

test('403 may be of this sender alone', () =>
  expect(kindOf(403)).toEqual({ kind: 'unreachable', detail: '403', isOfSender: true }));

test.each([
  ['30', 30_000],
  ['0', 0],
  ['999999', 3_600_000],
  ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
  ['-1', undefined],
  [undefined, undefined],
])('Retry-After %s is a pause of %s', (header, pause) =>
  expect(kindOf(429, '', header)).toEqual({
    kind: 'unreachable',
    detail: '429',
    ...(pause === undefined ? {} : { pause }),
  }),
);

test.each([
  ['{"success":false,"errors":[{"code":1,"message":"no such sender"}]}', '200 no such sender'],
  [`{"result":{"permanent_bounces":["${TO}"]}}`, '200'],
  [`{"result":{"permanent_bounces":["${TO.toUpperCase()}"]}}`, '200'],
])('%s is a refusal though its status is 200', (body, detail) =>
  expect(kindOf(200, body)).toEqual({ kind: 'permanent', detail }),
);

test.each([
  ['{"message":"too large"}', '400 too large'],
  ['{"error":"bad"}', '400 bad'],
  ['{"error":{"message":"bad"}}', '400 bad'],
  ['{"errors":"none"}', '400'],
  ['[]', '400'],
  ['null', '400'],
  ['<html>', '400'],
])('%s says %s', (body, detail) => expect(kindOf(400, body)).toEqual({ kind: 'permanent', detail }));
