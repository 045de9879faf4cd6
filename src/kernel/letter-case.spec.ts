import fc from 'fast-check';
import { camelCase, camelKeys, snakeCase, snakeKeys } from './letter-case.js';

test.each([
  ['id', 'id'],
  ['firstName', 'first_name'],
  ['reentryCooldownDays', 'reentry_cooldown_days'],
  ['addressLine1', 'address_line1'],
])('%s inside is %s outside, and the way back', (inside, outside) => {
  expect(snakeCase(inside)).toBe(outside);
  expect(camelCase(outside)).toBe(inside);
});

test('every name inside comes back as it was', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
  const name = fc
    .array(word, { minLength: 1, maxLength: 5 })
    .map((words) => words.map((one, at) => (at ? one.charAt(0).toUpperCase() + one.slice(1) : one)).join(''));
  fc.assert(fc.property(name, (inside) => expect(camelCase(snakeCase(inside))).toBe(inside)));
});

test('only the names of a record change, not what it holds', () => {
  const held = { someKey: 1, other_key: 2 };
  expect(snakeKeys({ firstName: held, tags: [held] })).toEqual({ first_name: held, tags: [held] });
  expect(camelKeys({ first_name: held, tags: [held] })).toEqual({ firstName: held, tags: [held] });
});
