import type { RuntimeConfig } from '../../../platform/config/config.js';
import { FeedbackTokens } from './feedback-tokens.js';

const ID = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea';
const tokens = (returnPathDomain?: string, ...secrets: string[]): FeedbackTokens =>
  new FeedbackTokens({
    tokenSecrets: [...secrets, 'a'.repeat(32)],
    returnPathDomain,
  } as unknown as RuntimeConfig);

test.each([
  [undefined, 'a@own.test', 'a@bounces.own.test', 'a@bounces.own.test'],
  ['r.test', 'a@mail.test', 'a@mail.test', 'b-T@r.test'],
  ['r.test', 'a@own.test', 'a@mail.test', 'b-T@r.test'],
  ['r.test', 'a@own.test', 'a@bounces.own.test', 'b-T@bounces.own.test'],
])('with RETURN_PATH_DOMAIN %p, from %s by %s: %s', (domain, from, returnPath, expected) => {
  expect(tokens(domain).returnPathOf('T', { from, returnPath })).toBe(expected);
});

test('a token of an earlier secret is still one of ours', () => {
  const old = tokens().of(ID);
  expect(tokens(undefined, 'b'.repeat(32)).read(old)).toBe(ID);
  expect(tokens(undefined, 'b'.repeat(32)).of(ID)).not.toBe(old);
});
