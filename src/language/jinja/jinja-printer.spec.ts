/** Parsing a printed Jinja2 tree returns the same tree. */
import fc from 'fast-check';
import { JinjaCursor } from './jinja-cursor.js';
import { parseExpressions } from './jinja-expression-parser.js';
import { printJinja, printJinjaExpression } from './jinja-printer.js';
import { JinjaTokenizer } from './jinja-tokenizer.js';
import type { JinjaExpression } from './jinja-tree.js';
import { runs } from '../../../test/support/test-scope.js';

const names = fc.constantFrom('contact', 'event', 'x', 'line_item', 'Größe');
const keys = fc.constantFrom(
  'first_name',
  'items',
  'keys',
  '__class__',
  'fav-colour',
  '2nd',
  'größe',
  'if',
  '',
  '"',
);
const texts = fc.constantFrom(
  '',
  'a',
  '"',
  "'",
  '"\'',
  '\\',
  '\\n',
  'a\nb\r',
  '{{',
  '}}',
  '%}',
  'ü😀',
  '\\"',
);

const anyExpression = fc.letrec<{ any: JinjaExpression; argument: { name: null; value: JinjaExpression } }>(
  (tie) => ({
    argument: fc.record({ name: fc.constant(null), value: tie('any') }),
    any: fc.oneof(
      { maxDepth: 4 },
      names.map((name): JinjaExpression => ({ kind: 'name', name })),
      texts.map((text): JinjaExpression => ({ kind: 'text', text })),
      fc.constantFrom('0', '12.5', '-7').map((digits): JinjaExpression => ({ kind: 'number', digits })),
      fc.boolean().map((value): JinjaExpression => ({ kind: 'boolean', value })),
      fc.constant<JinjaExpression>({ kind: 'none' }),
      fc.record({ kind: fc.constant('list' as const), items: fc.array(tie('any'), { maxLength: 2 }) }),
      fc.record({
        kind: fc.constant('item' as const),
        target: tie('any'),
        key: fc.oneof(
          keys.map((text): JinjaExpression => ({ kind: 'text', text })),
          tie('any'),
        ),
      }),
      fc.record({
        kind: fc.constant('call' as const),
        target: tie('any'),
        args: fc.array(tie('argument'), { maxLength: 2 }),
      }),
      fc.record({
        kind: fc.constant('filter' as const),
        target: tie('any'),
        name: fc.constantFrom('upper', 'default'),
        args: fc.array(tie('argument'), { maxLength: 2 }),
      }),
      fc.record({
        kind: fc.constant('test' as const),
        target: tie('any'),
        name: fc.constantFrom('defined', 'none', 'divisibleby'),
        args: fc.array(tie('argument'), { maxLength: 1 }),
        negated: fc.boolean(),
      }),
      fc.record({
        kind: fc.constant('sum' as const),
        first: tie('any'),
        rest: fc.array(
          fc.record({ operator: fc.constantFrom('+' as const, '-' as const), value: tie('any') }),
          {
            minLength: 1,
            maxLength: 2,
          },
        ),
      }),
      fc.record({
        kind: fc.constant('product' as const),
        first: tie('any'),
        rest: fc.array(
          fc.record({
            operator: fc.constantFrom('*' as const, '/' as const, '//' as const, '%' as const),
            value: tie('any'),
          }),
          { minLength: 1, maxLength: 2 },
        ),
      }),
      fc.record({
        kind: fc.constant('comparison' as const),
        first: tie('any'),
        rest: fc.array(
          fc.record({
            operator: fc.constantFrom('==' as const, '<' as const, 'in' as const, 'not in' as const),
            value: tie('any'),
          }),
          { minLength: 1, maxLength: 2 },
        ),
      }),
      fc.record({
        kind: fc.constant('concatenation' as const),
        parts: fc.array(tie('any'), { minLength: 2, maxLength: 3 }),
      }),
      fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        operands: fc.array(tie('any'), { minLength: 2, maxLength: 3 }),
      }),
      tie('any').map((operand): JinjaExpression => ({ kind: 'not', operand })),
      tie('any')
        .filter(({ kind }) => kind !== 'number')
        .map((operand): JinjaExpression => ({ kind: 'negative', operand })),
      fc.record({
        kind: fc.constant('choice' as const),
        condition: tie('any'),
        chosen: tie('any'),
        otherwise: fc.option(tie('any')),
      }),
    ),
  }),
).any;

function parsed(source: string): JinjaExpression {
  const { tokens, message } = new JinjaTokenizer(`{{ ${source} }}`).readBlock(0);
  expect(message).toBeNull();
  const cursor = new JinjaCursor(tokens);
  const expression = parseExpressions(cursor);
  cursor.expectEnd();
  return expression;
}

test('any expression comes back from its print', () => {
  fc.assert(
    fc.property(anyExpression, (expression) => {
      expect(parsed(printJinjaExpression(expression))).toEqual(expression);
    }),
    { numRuns: runs(1_000) },
  );
});

test('nodes', () => {
  const x: JinjaExpression = { kind: 'name', name: 'x' };
  const choice: JinjaExpression = { kind: 'choice', condition: x, chosen: x, otherwise: null };
  const text = (written: string) => ({ kind: 'text' as const, text: written });
  expect(
    printJinja([
      text('a'),
      { kind: 'output', value: choice },
      { kind: 'comment', text: ' note ' },
      { kind: 'raw', text: '{{ x }}' },
      { kind: 'for', variable: 'y', list: choice, body: [text('b')] },
      { kind: 'if', branches: [{ condition: choice, body: [] }], otherwise: [text('c')] },
      { kind: 'if', branches: [1, 2].map(() => ({ condition: x, body: [] })), otherwise: null },
    ]),
  ).toBe(
    'a{{ x if x }}{# note #}{% raw %}{{ x }}{% endraw %}{% for y in (x if x) %}b{% endfor %}' +
      '{% if (x if x) %}{% else %}c{% endif %}{% if x %}{% elif x %}{% endif %}',
  );
});
