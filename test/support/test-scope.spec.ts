/** Tests how the value of FAULTS selects the scope of a test run. */
import { formOf } from './test-scope.js';

test('the short form is the default', () => expect(formOf(undefined)).toBe('short'));

test.each(['short', 'full'])('FAULTS=%s', (form) => expect(formOf(form)).toBe(form));

test.each(['long', ''])('FAULTS=%j is an error that names what it may be', (text) =>
  expect(() => formOf(text)).toThrow(`FAULTS is "${text}": it must be short or full.`),
);
