/**
 * An NLT template that is converted to Jinja2 and back renders the same, with any data (section 4.3: convert). Two
 * inputs are not generated, since names and values have one spelling in Jinja2: data with several keys that fold to one
 * name, and `is one of` with a single named value, which Jinja2 treats as a list.
 */
import fc from 'fast-check';
import { compileTemplate } from '../nlt/compiler.js';
import { printNodes } from '../nlt/formatter.js';
import { parseTemplate } from '../nlt/parser.js';
import type { RenderContext } from '../nlt/render-context.js';
import type {
  AllOf,
  Comparison,
  Condition,
  Modifier,
  Operand,
  PipedValue,
  Product,
  Reference,
  Template,
  TemplateNode,
  Value,
} from '../nlt/tree.js';
import { parseSource } from '../reading/source-parser.js';
import { jinja2ToNlt } from './jinja-to-nlt.js';
import { nltToJinja2 } from './nlt-to-jinja.js';
import { runs } from '../../../test/support/test-scope.js';

const position = { offset: 0, line: 1, column: 1 };
const block = { position, end: 0 };

/** Names as authors write them, and the data keys that they match. */
const NAMES: Readonly<Record<string, string>> = {
  Plan: 'plan',
  Points: 'points',
  signupSource: 'signupSource',
  'Order ID': 'order_id',
  'Terms and Conditions': 'terms_and_conditions',
  items: 'items',
  Größe: 'größe',
  'utm.source': 'utm.source',
  '2nd Address': '2nd_address',
  in: 'in',
  __proto__x: '__proto__x',
  '0': '0',
};
const STANDARD: Readonly<Record<string, string>> = {
  'First Name': 'first_name',
  email: 'email',
  Tags: 'tags',
};
const LOOP_VARIABLES = [
  'Item',
  'Order Line',
  'contact',
  'in',
  'items',
  'Größe',
  'The One',
  'x-y',
  'Item_2',
  'event',
];

const anyName = fc.constantFrom(...Object.keys(NAMES));
const anyPath = fc.array(anyName, { minLength: 1, maxLength: 2 });
const reference: fc.Arbitrary<Reference> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(...Object.keys(STANDARD), ...Object.keys(NAMES)),
      fc.array(anyName, { maxLength: 1 }),
    )
    .map(([first, rest]): Reference => ({
      kind: 'reference',
      source: 'contact',
      event: null,
      path: [first, ...rest],
    })),
  anyPath.map((path): Reference => ({ kind: 'reference', source: 'trigger', event: null, path })),
  fc
    .tuple(fc.constantFrom('Signed Up', 'order_placed', 'trigger'), anyPath)
    .map(([event, path]): Reference => ({ kind: 'reference', source: 'event', event, path })),
  fc
    .tuple(
      fc.oneof(anyName, fc.constantFrom(...LOOP_VARIABLES, 'First Name')),
      fc.array(anyName, { maxLength: 1 }),
    )
    .map(([first, rest]): Reference => ({
      kind: 'reference',
      source: 'short',
      event: null,
      path: [first, ...rest],
    })),
);

const quotedText = fc.constantFrom(
  '',
  'a',
  'Premium',
  ' b ',
  '"',
  "'",
  '\\',
  '\n',
  '<b>',
  '&amp;',
  '{{',
  '%}',
  'ü',
  '5',
  ',',
);
const text = quotedText.map((written): Operand => ({ kind: 'text', text: written }));
const number = fc
  .constantFrom('0', '1', '-7', '12.50', '007', '9007199254740993')
  .map((digits): Operand => ({ kind: 'number', digits }));
const boolean = fc.boolean().map((value): Operand => ({ kind: 'boolean', value }));
const moment = fc
  .constantFrom('today' as const, 'now' as const)
  .map((name): Operand => ({ kind: 'moment', name }));

const factor = fc.oneof(reference, number);
const product: fc.Arbitrary<Product> = fc.record({
  kind: fc.constant('product'),
  first: reference,
  rest: fc.array(fc.record({ operator: fc.constantFrom('times', 'divided by', 'modulo'), value: factor }), {
    minLength: 1,
    maxLength: 3,
  }),
});
const value: fc.Arbitrary<Value> = fc.oneof(
  { weight: 5, arbitrary: reference },
  { weight: 1, arbitrary: moment },
  { weight: 1, arbitrary: product },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('sum' as const),
      first: fc.oneof(reference, product),
      rest: fc.array(
        fc.record({
          operator: fc.constantFrom('plus' as const, 'minus' as const),
          value: fc.oneof(factor, product),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  },
);

const FORMATS = [
  'currency',
  'currency EUR',
  'number',
  'percent',
  'date',
  'short date',
  'time',
  'html',
  "d 'of' MMM",
];
const modifier: fc.Arbitrary<Modifier> = fc.oneof(
  fc.constantFrom<Modifier[]>(
    { kind: 'trimmed' },
    { kind: 'count' },
    { kind: 'first' },
    { kind: 'last' },
    { kind: 'case', letterCase: 'uppercase' },
    { kind: 'case', letterCase: 'lowercase' },
    { kind: 'case', letterCase: 'titlecase' },
    { kind: 'case', letterCase: 'capitalized' },
  ),
  fc.constantFrom(...FORMATS).map((format): Modifier => ({ kind: 'as', format })),
  fc.oneof(text, number, boolean, moment, reference).map((fallback): Modifier => ({ kind: 'or', fallback })),
  fc.record({
    kind: fc.constant('replacing' as const),
    search: quotedText.filter((search) => search !== ''),
    replacement: quotedText,
  }),
  fc.record({
    kind: fc.constant('rounded' as const),
    mode: fc.constantFrom('nearest' as const, 'down' as const, 'up' as const),
    digits: fc.nat(20),
  }),
  quotedText.map((separator): Modifier => ({ kind: 'joined', separator })),
);
const piped: fc.Arbitrary<PipedValue> = fc.record({ value, modifiers: fc.array(modifier, { maxLength: 3 }) });
const plain = (written: Value): PipedValue => ({ value: written, modifiers: [] });

const BINARY = [
  'is',
  'is not',
  'is greater than',
  'is less than',
  'is at least',
  'is at most',
  'contains',
  'does not contain',
  'starts with',
  'ends with',
] as const;
const UNARY = ['exists', 'does not exist', 'is empty', 'is not empty', 'holds'] as const;
const literal = fc.oneof(text, number, boolean);
const comparison: fc.Arbitrary<Comparison> = fc.oneof(
  fc.record({
    kind: fc.constant('binary' as const),
    negated: fc.boolean(),
    left: piped,
    operator: fc.constantFrom(...BINARY),
    right: fc.oneof(
      fc.oneof(literal, moment).map(plain),
      piped.filter(({ value: { kind } }) => kind !== 'moment'),
    ),
  }),
  fc.record({
    kind: fc.constant('unary' as const),
    negated: fc.boolean(),
    left: piped,
    operator: fc.constantFrom(...UNARY),
  }),
  fc.record({
    kind: fc.constant('one of' as const),
    negated: fc.boolean(),
    left: piped,
    items: fc.oneof<fc.Arbitrary<Value[]>[]>(
      fc.array(literal, { minLength: 1, maxLength: 3 }),
      fc.array(reference, { minLength: 2, maxLength: 3 }),
    ),
  }),
);
const allOf: fc.Arbitrary<AllOf> = fc.record({
  kind: fc.constant('all'),
  conditions: fc.array(comparison, { minLength: 2, maxLength: 3 }),
});
const condition: fc.Arbitrary<Condition> = fc.oneof(
  comparison,
  allOf,
  fc.record({
    kind: fc.constant('any' as const),
    conditions: fc.array(fc.oneof(comparison, allOf), { minLength: 2, maxLength: 3 }),
  }),
);

const staticText = fc
  .constantFrom(
    'Hi ',
    '<p>',
    ' { css } ',
    '{{ jinja }}',
    '{% x %}',
    '{#',
    '}',
    '\n',
    '<a href="?q=',
    '">',
    '{%endraw%} ',
  )
  .map((written): TemplateNode => ({ kind: 'text', text: written, position }));

const anyTemplate: fc.Arbitrary<string> = fc
  .letrec<{ nodes: readonly TemplateNode[]; node: TemplateNode }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'block' },
      staticText,
      piped.map((written): TemplateNode => ({ kind: 'output', value: written, ...block })),
      fc
        .record({
          branches: fc.array(fc.record({ condition, body: tie('nodes') }), { minLength: 1, maxLength: 3 }),
          otherwise: fc.option(tie('nodes')),
        })
        .map(({ branches, otherwise }): TemplateNode => {
          return {
            kind: 'if',
            branches: branches.map((branch) => ({ ...branch, ...block })),
            otherwise,
            position,
          };
        }),
      fc
        .record({
          variable: fc.constantFrom(...LOOP_VARIABLES),
          list: piped.filter(({ value: { kind } }) => kind === 'reference'),
          body: tie('nodes'),
        })
        .map(({ variable, list, body }): TemplateNode => ({ kind: 'for', variable, list, body, ...block })),
    ),
    nodes: fc.array(tie('node'), { maxLength: 4, depthIdentifier: 'block' }),
  }))
  .nodes.map(printNodes)
  .filter((source) => parseTemplate(source).errors.length === 0);

const anyValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom<unknown[]>(
      'premium',
      'a,b',
      '',
      ' ',
      '5',
      '2026-05-01',
      '<i>',
      null,
      0,
      5,
      2.5,
      -1e21,
      true,
      false,
    ),
    fc.constantFrom<unknown[]>('PREMIUM ', 'x', 3, [], {}),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('group'),
  ),
  group: fc.dictionary(fc.constantFrom(...Object.values(NAMES)), tie('value'), { maxKeys: 4 }),
})).value;
const group = fc.dictionary(fc.constantFrom(...Object.values(NAMES)), anyValue);

const anyContext: fc.Arbitrary<RenderContext> = fc.record({
  contact: fc
    .tuple(fc.dictionary(fc.constantFrom(...Object.values(STANDARD)), anyValue), group)
    .map(([fields, properties]) => ({ ...fields, properties })),
  triggerEvent: fc.record({ eventName: fc.constantFrom('order_placed', 'trigger'), attributes: group }),
  events: fc.dictionary(fc.constantFrom('signed_up', 'trigger'), fc.record({ attributes: group })),
  now: fc.constant(new Date('2026-05-01T10:00:00Z')),
});

const rendered = (tree: Template, context: RenderContext): unknown =>
  compileTemplate(tree, 'html').render(context);

/** Text that would be an expression without its marks keeps them; these tests ignore it. */
const isOfRaw = (warning: string): boolean => /^“\{(?:% raw %\}|\{ ")/.test(warning);

test('NLT, converted to Jinja2 and back, renders the same', () => {
  fc.assert(
    fc.property(anyTemplate, anyContext, (source, context) => {
      const jinja2 = nltToJinja2(source);
      fc.pre(jinja2.warnings.length === 0);
      const nlt = jinja2ToNlt(jinja2.content);
      const warnings = [...jinja2.warnings, ...nlt.warnings.filter((warning) => !isOfRaw(warning))];
      const result = rendered(parseSource(nlt.content, null).tree, context);
      expect({ source, jinja2, nlt, warnings, result }).toEqual({
        source,
        jinja2,
        nlt,
        warnings: [],
        result: rendered(parseTemplate(source), context),
      });
    }),
    { numRuns: runs(1_000) },
  );
});
