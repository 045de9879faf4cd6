/**
 * Numbers that a double cannot represent: they are shown digit for digit in every context, arithmetic on them is exact
 * or rejected, and comparisons are exact at any length. No operation fails because of one.
 */
import fc from 'fast-check';
import { compareNumbers, ExactNumber } from '../../kernel/exact-number.js';
import { nltToJinja2 } from '../jinja/nlt-to-jinja.js';
import { jinja2ToNlt } from '../jinja/jinja-to-nlt.js';
import { parseSource } from '../reading/source-parser.js';
import { compileTemplate, type RenderTarget } from './compiler.js';
import { runs } from '../../../test/support/test-scope.js';

function shown(source: string, data: Record<string, unknown>, target: RenderTarget = 'html'): string {
  const { tree } = parseSource(source, null);
  expect(tree.errors).toEqual([]);
  const context = { contact: data, triggerEvent: { eventName: 'e', attributes: data }, now: new Date(0) };
  const result = compileTemplate(tree, target).render(context);
  return result.kind === 'rendered' ? result.text : JSON.stringify(result);
}

/** Digits without redundant zeros, at most `most` before the point and after it. */
const digitsOf = (most: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom('', '-'),
      fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: most, size: 'max' }),
      fc.oneof(
        fc.constant(''),
        fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: most, size: 'max' }),
      ),
    )
    .map(([sign, whole, fraction]) => {
      const end = fraction.replace(/0+$/, '');
      const digits = `${whole.replace(/^0+(?=\d)/, '')}${end === '' ? '' : `.${end}`}`;
      return digits === '0' ? digits : sign + digits;
    });
const anyDigits = fc.oneof(digitsOf(25), digitsOf(70), digitsOf(240));

const PLACES: readonly (readonly [source: string, target: RenderTarget])[] = [
  ["{the user's n}", 'html'],
  ['{the n}', 'text'],
  ['{the n from the trigger event}', 'subject'],
  ['{{ contact.n }}', 'html'],
  ['{{ event.n }}', 'text'],
  ['{{ n }}', 'subject'],
  ["{the user's nope, or the n}", 'html'],
  ['{the n, required}', 'html'],
  ['{the list, first}', 'html'],
  ['{the list, joined with ", "}', 'html'],
  ['{for each L in the list}{the L}{end for}', 'text'],
  ["{the user's group's n}", 'html'],
];

test('a number is shown digit for digit, in every part of a message', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PLACES), anyDigits, ([source, target], digits) => {
      const n = ExactNumber.from(digits);
      expect(shown(source, { n, list: [n], group: { n } }, target)).toBe(digits);
    }),
    { numRuns: runs(500) },
  );
});

test('a number of the template is shown digit for digit, in NLT, in Jinja2 and behind conversions', () => {
  fc.assert(
    fc.property(anyDigits, (digits) => {
      const source = `{the nope, or ${digits}}`;
      const there = nltToJinja2(source);
      expect([there.warnings, shown(source, {}), shown(there.content, {})]).toEqual([[], digits, digits]);
      expect(shown(jinja2ToNlt(there.content).content, {})).toBe(digits);
    }),
  );
});

test('whole numbers are reckoned with exactly up to 60 digits, and not at all beyond', () => {
  const whole = fc.bigInt({ min: -(10n ** 65n), max: 10n ** 65n });
  fc.assert(
    fc.property(whole, whole, (a, b) => {
      const data = { a: ExactNumber.from(String(a)), b: ExactNumber.from(String(b)) };
      const fits = [a, b, a + b].every((value) => String(value).replace('-', '').length <= 60);
      const sum = shown('{the a plus the b}', data);
      if (fits) expect(sum).toBe(String(a + b));
      else if ([a, b].some((value) => String(value).replace(/-|0+$/g, '').length > 60)) expect(sum).toBe('');
    }),
  );
});

const ORDERS: readonly (readonly [operator: string, sign: string, accepts: (order: number) => boolean])[] = [
  ['is', '==', (order) => order === 0],
  ['is not', '!=', (order) => order !== 0],
  ['is greater than', '>', (order) => order > 0],
  ['is less than', '<', (order) => order < 0],
  ['is at least', '>=', (order) => order >= 0],
  ['is at most', '<=', (order) => order <= 0],
];

test('numbers are compared exactly: of data, of texts and of the template', () => {
  const near = anyDigits.chain((digits) => {
    const last = digits.slice(0, -1) + ((Number(digits.at(-1)) % 9) + 1);
    return fc.tuple(fc.constant(digits), fc.oneof(fc.constant(digits), fc.constant(last), anyDigits));
  });
  fc.assert(
    fc.property(fc.constantFrom(...ORDERS), near, ([operator, sign, accepts], [left, right]) => {
      const [a, b] = [ExactNumber.from(left), ExactNumber.from(right)];
      const expected = String(accepts(compareNumbers(a, b)));
      const asked = (condition: string, data: Record<string, unknown>): string =>
        shown(`{if ${condition}}true{else}false{end if}`, data);
      expect([
        asked(`the a ${operator} the b`, { a, b }),
        asked(`the a ${operator} ${right}`, { a }),
        asked(`the a ${operator} the b`, { a, b: ` ${right} ` }),
        asked(`the a ${operator} the b`, { a: left, b }),
        shown(`{% if event.a ${sign} ${right} %}true{% else %}false{% endif %}`, { a }),
      ]).toEqual([expected, expected, expected, expected, expected]);
    }),
    { numRuns: runs(500) },
  );
});

const LONG = '9'.repeat(70);

test.each([
  [', rounded', `${LONG}.5`, `1${'0'.repeat(70)}`],
  [', rounded down', `${LONG}.5`, LONG],
  [', rounded to 1', `-${LONG}.25`, `-${LONG}.3`],
  [', as "number"', '12345678901234567890.5', '12,345,678,901,234,567,890.5'],
  [', as "currency EUR"', '12345678901234567890.55', '€12,345,678,901,234,567,890.55'],
  [', as "percent"', '12345678901234567890.5', '1,234,567,890,123,456,789,050%'],
  [', as "date"', '1777777777.1234567890123', 'May 3, 2026'],
  [', count', LONG, '70'],
  [', uppercase', LONG, LONG],
  [', replacing "99" with "8"', LONG, '8'.repeat(35)],
  [' plus 1', LONG, ''],
  [' times 2', '12345678901234567890', '24691357802469135780'],
  [' divided by 10', '12345678901234567890.5', '1234567890123456789.1'],
  [' modulo 10', '12345678901234567891', '1'],
])('{the n%s} of %s is %s', (rest, digits, expected) => {
  expect(shown(`{the n${rest}}`, { n: ExactNumber.from(digits) })).toBe(expected);
});

test('no operation fails over a number', () => {
  const operation = fc.constantFrom(
    ...['plus', 'minus', 'times', 'divided by', 'modulo'].flatMap((one) => [`${one} the b`, `${one} 3`]),
    ', rounded',
    ', rounded to 3',
    ', rounded up',
    ', uppercase',
    ', count',
    ', first',
    ', joined with "-"',
    ', trimmed',
    ', replacing "1" with "2"',
    ...['number', 'percent', 'currency', 'date', 'time', 'yyyy-MM-dd', 'html'].map((one) => `, as "${one}"`),
  );
  const value = anyDigits.chain((digits) => fc.constantFrom<unknown>(ExactNumber.from(digits), digits));
  fc.assert(
    fc.property(operation, value, value, (rest, a, b) => {
      const condition = ORDERS.map(([operator]) => `{if the a ${operator} the b}1{end if}`).join('');
      const text = shown(
        `{the a ${rest}}|${condition}{if the a contains the b}1{end if}{if the a is one of the b, 5}1{end if}{if the a}1{end if}`,
        { a, b },
      );
      expect(text).not.toMatch(/failed|NaN|Infinity|object/);
    }),
    { numRuns: runs(500) },
  );
});
