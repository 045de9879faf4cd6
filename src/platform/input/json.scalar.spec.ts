import { parseValue } from 'graphql';
import { ExactNumber } from '../../kernel/exact-number.js';
import { JsonScalar } from './json.scalar.js';

const read = (literal: string, variables: Record<string, unknown> = {}): unknown =>
  JsonScalar.parseLiteral(parseValue(literal), variables);

test('a literal is the value that it writes, with its numbers exact', () =>
  expect(read('{a: [1, 1.5, "x", true, null, $v], b: 12345678901234567890}', { v: { c: 1 } })).toEqual({
    a: [1, 1.5, 'x', true, null, { c: 1 }],
    b: ExactNumber.from('12345678901234567890'),
  }));

test.each([
  ['{__proto__: {polluted: true}}', 'key that is not allowed'],
  ['{a: [{__proto__: null}]}', 'key that is not allowed'],
  ['{constructor: {prototype: {polluted: true}}}', 'key that is not allowed'],
  [`${'['.repeat(65)}${']'.repeat(65)}`, 'nested deeper'],
  ['{a: 1e400}', 'out of range'],
])('%s is refused as in the body of a request', (literal, reason) =>
  expect(() => read(literal)).toThrow(reason),
);
