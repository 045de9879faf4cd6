import { randomBytes } from 'node:crypto';
import { uuidv7 } from '../../../kernel/uuid.js';
import { readFeedbackToken, returnPathOf, signFeedbackToken, tokenOfReturnPath } from './feedback-token.js';

const [KEY, OTHER] = [randomBytes(32), randomBytes(32)];
const ID = uuidv7(Date.parse('2026-03-02T09:00:00.000Z'));
const token = signFeedbackToken(ID, KEY);

test('a token leads to its message, in any letter case, by any of the keys', () => {
  for (const text of [token, token.toUpperCase(), ` ${token}\r\n`])
    expect(readFeedbackToken(text, [OTHER, KEY])).toBe(ID);
  expect(readFeedbackToken(token, [OTHER])).toBeUndefined();
  expect(readFeedbackToken(token, [])).toBeUndefined();
});

test('no other text does: each character changed to each other one, cut, longer, strange', () => {
  for (let at = 0; at < token.length; at++)
    for (const digit of 'abcdefghijklmnopqrstuvwxyz234567')
      if (digit !== token[at])
        expect(readFeedbackToken(token.slice(0, at) + digit + token.slice(at + 1), [KEY])).toBeUndefined();
  for (const text of ['', token.slice(1), `${token}a`, 'a'.repeat(42), '\0'.repeat(42), 'ſ'.repeat(42)])
    expect(readFeedbackToken(text, [KEY])).toBeUndefined();
});

test('it fits into the local part of an address, and is found there', () => {
  const path = returnPathOf(token, 'bounces.example.com');
  expect(path.indexOf('@')).toBeLessThanOrEqual(64);
  for (const address of [path, `<${path}>`, path.toUpperCase()])
    expect(readFeedbackToken(tokenOfReturnPath(address) ?? '', [KEY])).toBe(ID);
  for (const address of ['', '<>', 'b-', 'hello@example.com', '@b-'])
    expect(readFeedbackToken(tokenOfReturnPath(address) ?? '', [KEY])).toBeUndefined();
});
