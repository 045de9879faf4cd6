/**
 * Properties that hold for every template and all data: printing and parsing agree, rendering never throws, and braces
 * that are not expressions stay unchanged. safety.spec.ts tests that data stays data. The random trees, sources and
 * data come first.
 */
import fc from 'fast-check';
import { compileTemplate, type RenderTarget } from './compiler.js';
import { printNodes, printTemplate } from './formatter.js';
import { parseTemplate } from './parser.js';
import type { RenderContext } from './render-context.js';
import { eventKeysOf } from './template-walk.js';
import type {
  AllOf,
  Comparison,
  Condition,
  Modifier,
  Operand,
  PipedValue,
  Position,
  Product,
  Reference,
  TemplateNode,
  Value,
} from './tree.js';
import { validateTemplate } from './validator.js';
import { runs } from '../../../test/support/test-scope.js';

const position: Position = { offset: 0, line: 1, column: 1 };
const block = { position, end: 0 };

const quotedText = fc
  .oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom('', 'a "b"', '<b>', '&amp;', '{x}', '}', "it's", 'é…', '&nbsp;', 'a\nb'),
  )
  .map((text) => text.replaceAll('\u00a0', ' '));
const visibleText = quotedText.filter((text) => text.trim() !== '');

/** Names of fields: plain ones, ones full of keywords, ones that need quotes. */
const fieldNames = fc.oneof(
  fc.constantFrom(
    'First Name',
    'plan',
    'items',
    'Is Premium',
    'Terms and Conditions',
    'utm.source',
    'user',
    'the',
    'event',
  ),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'in',
    'or',
    'times',
    'from the',
    'x plus 1',
    'trigger',
    'a-b_c',
    '2nd',
    '5',
    '-',
    "isn't",
    'doesn’t',
    'equals',
    'So Equals',
    'the plan',
    'Days from trigger event',
    'order.shipped',
    "James's",
    'Ann´s',
    'Größe',
  ),
  visibleText,
);

const reference: fc.Arbitrary<Reference> = fc
  .record({
    source: fc.constantFrom<Reference['source']>('contact', 'trigger', 'event', 'short'),
    event: fieldNames,
    path: fc.array(fieldNames, { minLength: 1, maxLength: 3 }),
  })
  .map(({ source, event, path }) => ({
    kind: 'reference',
    source,
    event: source === 'event' ? event : null,
    path,
  }));

const digits = fc.constantFrom('0', '1', '-7', '12.50', '100', '0.1', '9007199254740993');
const number: fc.Arbitrary<Operand> = digits.map((written) => ({ kind: 'number', digits: written }));
const boolean: fc.Arbitrary<Operand> = fc.boolean().map((value) => ({ kind: 'boolean', value }));
const text: fc.Arbitrary<Operand> = quotedText.map((written) => ({ kind: 'text', text: written }));
const moment: fc.Arbitrary<Operand> = fc
  .constantFrom('today', 'now')
  .map((name) => ({ kind: 'moment', name }));

const factor = fc.oneof(reference, number);
/** Every expression starts with a name, since a number cannot start one. */
const product: fc.Arbitrary<Product> = fc.record({
  kind: fc.constant('product'),
  first: reference,
  rest: fc.array(fc.record({ operator: fc.constantFrom('times', 'divided by', 'modulo'), value: factor }), {
    minLength: 1,
    maxLength: 3,
  }),
});
const value: fc.Arbitrary<Value> = fc.oneof(
  { weight: 4, arbitrary: reference },
  moment,
  product,
  fc.record({
    kind: fc.constant('sum'),
    first: fc.oneof(reference, product),
    rest: fc.array(
      fc.record({ operator: fc.constantFrom('plus', 'minus'), value: fc.oneof(factor, product) }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
);

const simpleModifiers: Modifier[] = [
  { kind: 'required' },
  { kind: 'trimmed' },
  { kind: 'count' },
  { kind: 'first' },
  { kind: 'last' },
  { kind: 'case', letterCase: 'uppercase' },
  { kind: 'case', letterCase: 'lowercase' },
  { kind: 'case', letterCase: 'titlecase' },
  { kind: 'case', letterCase: 'capitalized' },
];
const formats = [
  'currency',
  'currency EUR',
  'number',
  'percent',
  'date',
  'short date',
  'time',
  'html',
  "d 'of' MMM",
  'H:mm',
];
const modifier: fc.Arbitrary<Modifier> = fc.oneof(
  fc.constantFrom(...simpleModifiers),
  fc.constantFrom(...formats).map((format): Modifier => ({ kind: 'as', format })),
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
const startsWithName = (written: PipedValue): boolean => written.value.kind !== 'moment';
const rightSide: fc.Arbitrary<PipedValue> = fc.oneof(
  fc.oneof(text, number, boolean, moment).map(plain),
  piped.filter(startsWithName),
);

const comparison: fc.Arbitrary<Comparison> = fc.oneof(
  fc.record({
    kind: fc.constant('binary' as const),
    negated: fc.boolean(),
    left: piped,
    operator: fc.constantFrom(
      'is' as const,
      'is not' as const,
      'is greater than' as const,
      'is less than' as const,
      'is at least' as const,
      'is at most' as const,
      'contains' as const,
      'does not contain' as const,
      'starts with' as const,
      'ends with' as const,
    ),
    right: rightSide,
  }),
  fc.record({
    kind: fc.constant('unary' as const),
    negated: fc.boolean(),
    left: piped,
    operator: fc.constantFrom(
      'exists' as const,
      'does not exist' as const,
      'is empty' as const,
      'is not empty' as const,
      'holds' as const,
    ),
  }),
  fc.record({
    kind: fc.constant('one of' as const),
    negated: fc.boolean(),
    left: piped,
    items: fc.array(fc.oneof<fc.Arbitrary<Value>[]>(text, number, boolean, moment, reference), {
      minLength: 1,
      maxLength: 3,
    }),
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
  .constantFrom('Hi ', '<p>', '</p>', ' { css } ', '{{ jinja }}', '}', '\n', '<a href="?q=', '">', '“x”', '5')
  .map((written): TemplateNode => ({ kind: 'text', text: written, position }));

/** Nodes with at most three levels of blocks; two texts are never adjacent. */
const anyTemplateNodes: fc.Arbitrary<readonly TemplateNode[]> = fc.letrec<{
  nodes: readonly TemplateNode[];
  node: TemplateNode;
}>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'block' },
    staticText,
    piped
      .filter((written) => written.value.kind !== 'number')
      .map((written): TemplateNode => ({ kind: 'output', value: written, ...block })),
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
        variable: fieldNames.filter((name) => name.toLowerCase() !== 'user'),
        list: piped,
        body: tie('nodes'),
      })
      .map(({ variable, list, body }): TemplateNode => ({ kind: 'for', variable, list, body, ...block })),
  ),
  nodes: fc.array(tie('node'), { maxLength: 4, depthIdentifier: 'block' }).map(withoutAdjacentTexts),
})).nodes;

function withoutAdjacentTexts(nodes: readonly TemplateNode[]): readonly TemplateNode[] {
  return nodes.filter((node, index) => node.kind !== 'text' || nodes[index - 1]?.kind !== 'text');
}

const targets = fc.constantFrom<RenderTarget>('html', 'text', 'subject');

const anyValue = fc.oneof(
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSparseArray: true,
    withNullPrototype: true,
  }),
  fc.array(fc.dictionary(fieldNames, fc.oneof(fc.string(), fc.double(), fc.constant(null)))),
  fc.dictionary(fieldNames, fc.oneof(fc.string(), fc.integer(), fc.array(fc.string()))),
);

const anyContext: fc.Arbitrary<RenderContext> = fc.record({
  contact: fc.dictionary(fc.oneof(fieldNames, fc.constant('properties')), anyValue),
  triggerEvent: fc.record({ eventName: fc.string(), attributes: fc.dictionary(fieldNames, anyValue) }),
  events: fc.dictionary(fieldNames, fc.record({ attributes: fc.dictionary(fieldNames, anyValue) })),
  now: fc.date(),
  locale: fc.oneof(fc.string(), fc.constantFrom('de', 'tr', 'ar-EG', 'en-US-u-nu-thai')),
  timeZone: fc.oneof(fc.string(), fc.constantFrom('Europe/Vienna', 'UTC', '+05:30')),
});

const pieces = fc.constantFrom(
  ...[
    '{',
    '}',
    '{the ',
    '{if ',
    '{else}',
    '{else if ',
    '{end if}',
    '{for each ',
    '{end for}',
    '{today',
    '{now',
    "'s ",
    '"',
  ],
  ...[
    ', or ',
    ', as ',
    ' is ',
    ' is one of ',
    ' and ',
    ' from the ',
    ' event',
    ' plus ',
    'the ',
    'not ',
    '<b>',
    '</b>',
    '&quot;',
  ],
  ...[
    '&nbsp;',
    '.',
    ',',
    ' ',
    'x',
    '5',
    '“',
    '’',
    '{{',
    '}}',
    '\n',
    'required',
    '<a href="',
    '?',
    '>',
    ' in the ',
  ],
);
const anySource = fc.oneof(
  fc.string(),
  fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
);

/** The tree without positions. */
function bare(nodes: readonly TemplateNode[]): unknown {
  return JSON.parse(
    JSON.stringify(nodes, (key, value: unknown) => (key === 'position' || key === 'end' ? undefined : value)),
  );
}

test('any tree comes back from its print', () => {
  fc.assert(
    fc.property(anyTemplateNodes, (nodes) => {
      const template = parseTemplate(printNodes(nodes));
      expect(template.errors).toEqual([]);
      expect(bare(template.nodes)).toEqual(bare(nodes));
    }),
    { numRuns: runs(500) },
  );
});

test('a print is its own print', () => {
  fc.assert(
    fc.property(anyTemplateNodes, (nodes) => {
      const printed = printNodes(nodes);
      expect(printTemplate(parseTemplate(printed))).toBe(printed);
    }),
  );
});

test('nothing throws for any source, data and target', () => {
  fc.assert(
    fc.property(anySource, anyContext, targets, (source, context, target) => {
      const template = parseTemplate(source);
      const result = compileTemplate(template, target).render(context);
      expect(['rendered', 'suppressed', 'failed']).toContain(result.kind);
      expect(result.kind === 'failed' && result.error.code === 'syntax_error').toBe(
        template.errors.length > 0,
      );
      validateTemplate(template, context);
      eventKeysOf(template);
      printTemplate(template);
    }),
    { numRuns: runs(1_000) },
  );
});

test('nothing throws for any tree, data and target', () => {
  fc.assert(
    fc.property(anyTemplateNodes, anyContext, targets, (nodes, context, target) => {
      const template = parseTemplate(printNodes(nodes));
      const { kind } = compileTemplate(template, target).render(context);
      expect(['rendered', 'suppressed', 'failed']).toContain(kind);
      validateTemplate(template, context);
    }),
    { numRuns: runs(500) },
  );
});

test('what is no context at all fails', () => {
  const compiled = compileTemplate(
    parseTemplate("{the user's x}{the y}{the z from the w event}{now}"),
    'html',
  );
  for (const context of [
    null,
    undefined,
    5,
    {},
    { contact: null, now: 'x' },
    { now: new Date(Number.NaN) },
  ]) {
    expect(compiled.render(context as unknown as RenderContext).kind).toMatch(/^(?:rendered|failed)$/);
  }
});

test('braces that are no expressions survive untouched', () => {
  const start =
    /\{(?:\s|&\w+;|<[^<>{}]*>|[\u200b-\u200d\u2060\ufeff\u00ad])*(?:the|if|else|end|for|today|now)/i;
  fc.assert(
    fc.property(anySource, targets, (source, target) => {
      fc.pre(!start.test(source) && target !== 'subject');
      const template = parseTemplate(source);
      expect(template).toMatchObject({ errors: [], blockCount: 0 });
      const result = compileTemplate(template, target).render({ contact: {}, now: new Date(0) });
      expect(result).toEqual({ kind: 'rendered', text: source });
    }),
    { numRuns: runs(1_000) },
  );
});

test.each([
  ['{the x}', []],
  ['{the x from the trigger event}', []],
  ['{the x from the signed up event}', ['signed up']],
  ['{the x from the signed up event}{the y from the signed up event}', ['signed up']],
  ['{the x from the signed up event}{the y from the SignedUp event}', ['signed up', 'SignedUp']],
  [
    '{if the x from the a event is the y from the b event}{the z, or the z from the c event}{end if}',
    ['a', 'b', 'c'],
  ],
  [
    '{if the x}{else if the x is one of 1, the y from the a event}{else}{the z from the b event}{end if}',
    ['a', 'b'],
  ],
  ['{for each x in the y from the a event}{the x plus the n from the b event times 2}{end for}', ['a', 'b']],
  ['{if the a and the x from the d event exists or the b}{end if}', ['d']],
])('%s reads the events %j', (source, expected) => {
  expect(eventKeysOf(parseTemplate(source)).map(({ spellings: [asWritten] }) => asWritten)).toEqual(expected);
});
