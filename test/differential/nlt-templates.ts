/** Generates NLT templates that have a counterpart in Jinja2, with types as in jinja2-templates.ts. */
import fc from 'fast-check';
import { printNodes } from '../../src/language/nlt/formatter.js';
import type {
  BinaryOperator,
  Comparison,
  Condition,
  Modifier,
  Operand,
  PipedValue,
  Product,
  Reference,
  TemplateNode,
  UnaryOperator,
  Value,
} from '../../src/language/nlt/tree.js';
import { TEXTS } from './message-data.js';

const position = { offset: 0, line: 1, column: 1 };
const block = { position, end: 0 };

/** What may be read at one position, by the type of the value. */
interface Sight {
  readonly texts: readonly Reference[];
  readonly numbers: readonly Reference[];
  /** Numbers that are never missing. */
  readonly present: readonly Reference[];
  readonly flags: readonly Reference[];
  readonly textLists: readonly Reference[];
  readonly depth: number;
}

const reference = (source: Reference['source'], ...path: string[]): Reference => {
  return { kind: 'reference', source, event: null, path };
};
const signedUp = (name: string): Reference => {
  return { kind: 'reference', source: 'event', event: 'Signed Up', path: [name] };
};

const OUTSIDE: Sight = {
  texts: [
    reference('contact', 'First Name'),
    reference('contact', 'lastName'),
    reference('contact', 'Plan'),
    reference('contact', 'properties', 'plan'),
    reference('contact', 'Address', 'City'),
    reference('trigger', 'Title'),
    reference('trigger', 'shipping', 'city'),
    reference('short', 'Title'),
    reference('short', 'First Name'),
    signedUp('Plan'),
  ],
  numbers: [reference('trigger', 'Amount'), reference('short', 'amount'), signedUp('total')],
  present: [reference('contact', 'Points'), reference('trigger', 'Quantity'), reference('short', 'quantity')],
  flags: [reference('contact', 'VIP'), reference('trigger', 'gift')],
  textLists: [reference('contact', 'Tags')],
  depth: 0,
};

const ITEMS = reference('trigger', 'Items');
const NUMBERS = reference('trigger', 'Numbers');
const RATE = reference('contact', 'Rate');
const NOTE = reference('contact', 'Note');
const MOTTO = reference('contact', 'Motto');
const PHONE = reference('contact', 'Phone');
/** Values that may be missing or null. */
const NULLABLE = [reference('contact', 'Nick'), reference('trigger', 'Discount'), PHONE];

const textLiteral = fc.constantFrom(...TEXTS).map((text): Operand => ({ kind: 'text', text }));
const wholeLiteral = fc
  .integer({ min: -50, max: 500 })
  .map((whole): Operand => ({ kind: 'number', digits: `${whole}` }));
const literalNumber = (digits: string): Operand => ({ kind: 'number', digits });
const anyOf = <T>(values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const plain = (value: Value): PipedValue => ({ value, modifiers: [] });

const textModifier: fc.Arbitrary<Modifier> = fc.oneof(
  fc
    .constantFrom('uppercase' as const, 'lowercase' as const, 'titlecase' as const, 'capitalized' as const)
    .map((letterCase): Modifier => ({ kind: 'case', letterCase })),
  fc.constant<Modifier>({ kind: 'trimmed' }),
  fc.record({
    kind: fc.constant('replacing' as const),
    search: fc.constantFrom('a', 'e', '&', ' ', '<b>', '"'),
    replacement: fc.constantFrom('x', '-', '<i>', "'", '\\'),
  }),
  textLiteral.map((fallback): Modifier => ({ kind: 'or', fallback })),
);

function text({ texts, textLists }: Sight): fc.Arbitrary<PipedValue> {
  const fallback = fc
    .oneof(textLiteral, anyOf(texts))
    .map((operand): Modifier => ({ kind: 'or', fallback: operand }));
  const start = fc.oneof(
    { weight: 3, arbitrary: anyOf(texts).map(plain) },
    fc.tuple(anyOf(texts), fallback).map(([value, or]) => ({ value, modifiers: [or] })),
    fc.constant<PipedValue>({ value: NOTE, modifiers: [{ kind: 'trimmed' }] }),
    fc
      .tuple(
        anyOf(textLists),
        fc.oneof(
          fc.constantFrom<Modifier>({ kind: 'first' }, { kind: 'last' }),
          fc.constantFrom(', ', '<br>', '').map((separator): Modifier => ({ kind: 'joined', separator })),
        ),
      )
      .map(([value, modifier]) => ({ value, modifiers: [modifier] })),
  );
  return fc
    .tuple(start, fc.array(textModifier, { maxLength: 2 }))
    .map(([{ value, modifiers }, more]) => ({ value, modifiers: [...modifiers, ...more] }));
}

function product({ present }: Sight): fc.Arbitrary<Product | Reference> {
  const factor = fc.oneof(
    fc.record({ operator: fc.constant('times' as const), value: fc.oneof(wholeLiteral, anyOf(present)) }),
    fc.constantFrom('2', '4', '8', '-2', '0.5').map((digits) => {
      return { operator: 'divided by' as const, value: { kind: 'number' as const, digits } };
    }),
    fc.constantFrom('3', '-7', '10.5').map((digits) => {
      return { operator: 'modulo' as const, value: { kind: 'number' as const, digits } };
    }),
  );
  return fc.tuple(anyOf(present), fc.array(factor, { maxLength: 2 })).map(([first, rest]) => {
    return rest.length === 0 ? first : { kind: 'product', first, rest };
  });
}

function arithmetic(sight: Sight): fc.Arbitrary<Value> {
  const part = fc.record({
    operator: fc.constantFrom('plus' as const, 'minus' as const),
    value: fc.oneof(product(sight), wholeLiteral),
  });
  return fc
    .tuple(product(sight), fc.array(part, { minLength: 1, maxLength: 2 }))
    .map(([first, rest]) => ({ kind: 'sum', first, rest }));
}

function number(sight: Sight): fc.Arbitrary<PipedValue> {
  const mode = fc.constantFrom('nearest' as const, 'down' as const, 'up' as const);
  const lists = [...sight.textLists, ...sight.texts, ITEMS, NUMBERS];
  return fc.oneof(
    anyOf([...sight.numbers, ...sight.present]).map(plain),
    product(sight).map(plain),
    arithmetic(sight).map(plain),
    fc.tuple(mode, fc.nat(2)).map(([by, digits]) => {
      return { value: RATE, modifiers: [{ kind: 'rounded' as const, mode: by, digits }] };
    }),
    fc.tuple(arithmetic(sight), fc.constantFrom('down' as const, 'up' as const)).map(([value, by]) => {
      return { value, modifiers: [{ kind: 'rounded' as const, mode: by, digits: 0 }] };
    }),
    fc
      .tuple(
        product(sight),
        fc.oneof(fc.constantFrom('3', '-7', '2.5').map(literalNumber), anyOf(sight.present)),
      )
      .map(([first, divisor]): PipedValue => ({
        value: {
          kind: 'product',
          first: first.kind === 'product' ? first.first : first,
          rest: [...(first.kind === 'product' ? first.rest : []), { operator: 'divided by', value: divisor }],
        },
        modifiers: [{ kind: 'rounded', mode: 'down', digits: 0 }],
      })),
    fc.tuple(anyOf(lists), fc.boolean()).map(([value, orZero]): PipedValue => {
      const zero: Modifier = { kind: 'or', fallback: { kind: 'number', digits: '0' } };
      return { value, modifiers: [{ kind: 'count' }, ...(orZero ? [zero] : [])] };
    }),
    fc.constantFrom<Modifier>({ kind: 'first' }, { kind: 'last' }).map((modifier) => {
      return { value: NUMBERS, modifiers: [modifier] };
    }),
  );
}

function comparison(sight: Sight): fc.Arbitrary<Comparison> {
  const negated = fc.boolean();
  const { texts, numbers, present, flags, textLists } = sight;
  const everything = [...texts, ...numbers, ...present, ...flags, ...textLists];
  const binary = (
    left: fc.Arbitrary<PipedValue>,
    operators: readonly BinaryOperator[],
    right: fc.Arbitrary<Value>,
  ): fc.Arbitrary<Comparison> =>
    fc.record({
      kind: fc.constant('binary' as const),
      negated,
      left,
      operator: anyOf(operators),
      right: right.map(plain),
    });
  const unary = (left: fc.Arbitrary<PipedValue>, ...operators: UnaryOperator[]): fc.Arbitrary<Comparison> =>
    fc.record({ kind: fc.constant('unary' as const), negated, left, operator: anyOf(operators) });
  const plainText = anyOf(texts).map(plain);
  const needle = fc
    .constantFrom('a', 'p', 'old', '&', '"')
    .map((written): Value => ({ kind: 'text', text: written }));
  return fc.oneof(
    binary(plainText, ['is', 'is not'], textLiteral),
    binary(
      number(sight),
      ['is', 'is not', 'is greater than', 'is less than', 'is at least', 'is at most'],
      fc.oneof(wholeLiteral, anyOf(present)),
    ),
    binary(
      anyOf(flags).map(plain),
      ['is', 'is not'],
      fc.boolean().map((value) => ({ kind: 'boolean', value })),
    ),
    binary(plainText, ['contains', 'does not contain', 'starts with', 'ends with'], needle),
    binary(anyOf(textLists).map(plain), ['contains', 'does not contain'], textLiteral),
    unary(anyOf(everything).map(plain), 'exists', 'does not exist', 'is empty', 'is not empty', 'holds'),
    unary(anyOf(NULLABLE).map(plain), 'exists', 'does not exist'),
    unary(fc.constantFrom(MOTTO, PHONE).map(plain), 'is empty', 'is not empty', 'holds'),
    unary(text(sight), 'is empty', 'is not empty', 'holds'),
    fc.record({
      kind: fc.constant('one of' as const),
      negated,
      left: plainText,
      items: fc.oneof(
        fc.array(textLiteral, { minLength: 1, maxLength: 3 }),
        anyOf(textLists).map((list) => [list]),
      ),
    }),
  );
}

function condition(sight: Sight): fc.Arbitrary<Condition> {
  const simple = comparison(sight);
  const all = fc.record({
    kind: fc.constant('all' as const),
    conditions: fc.array(simple, { minLength: 2, maxLength: 3 }),
  });
  const any = fc.record({
    kind: fc.constant('any' as const),
    conditions: fc.array(fc.oneof(simple, all), { minLength: 2, maxLength: 3 }),
  });
  return fc.oneof<fc.Arbitrary<Condition>[]>(simple, all, any);
}

const staticTexts = [
  'Hi ',
  '<p>',
  '</p>\n',
  '  \n',
  ' { ',
  ' } ',
  'a { color: red }',
  '{{ x }}',
  '{{ "<b>" }} ',
  '{% if x %}',
  '{%- endraw -%}',
  '{% raw %}<i>{% endraw %}</i>',
  '{# note #}',
  '{{{ ',
  '}}}',
  '{{the x}}',
  'Größe 日本 😀',
  '&lt;',
];
const textNode = (text: string): TemplateNode => ({ kind: 'text', text, position });

const MAX_DEPTH = 3;

function nodes(sight: Sight): fc.Arbitrary<readonly TemplateNode[]> {
  const asHtml = text(sight).map(({ value, modifiers }): PipedValue => {
    return { value, modifiers: [{ kind: 'as', format: 'html' }, ...modifiers] };
  });
  const shown = fc.oneof(
    { weight: 3, arbitrary: text(sight) },
    { weight: 3, arbitrary: number(sight) },
    asHtml,
    anyOf([NOTE, MOTTO, PHONE, ...sight.flags, reference('contact', 'Tags')]).map(plain),
  );
  const output = shown.map((value): TemplateNode => ({ kind: 'output', value, ...block }));
  const single = (node: TemplateNode): readonly TemplateNode[] => [node];
  const simple = [
    { weight: 4, arbitrary: output.map(single) },
    { weight: 3, arbitrary: fc.constantFrom(...staticTexts).map((written) => [textNode(written)]) },
    { weight: 1, arbitrary: output.map((node) => [textNode('<b title="'), node, textNode('">')]) },
  ];
  const blocks =
    sight.depth >= MAX_DEPTH
      ? []
      : [
          { weight: 2, arbitrary: choice(sight).map(single) },
          { weight: 2, arbitrary: loop(sight).map(single) },
        ];
  return fc
    .array(fc.oneof(...simple, ...blocks), {
      minLength: sight.depth === 0 ? 1 : 0,
      maxLength: 5 - sight.depth,
    })
    .map((parts) => parts.flat());
}

function choice(sight: Sight): fc.Arbitrary<TemplateNode> {
  const body = nodes({ ...sight, depth: sight.depth + 1 });
  const branch = fc.record({ condition: condition(sight), body }).map((part) => ({ ...part, ...block }));
  return fc
    .tuple(fc.array(branch, { minLength: 1, maxLength: 3 }), fc.option(body))
    .map(([branches, otherwise]) => ({ kind: 'if', branches, otherwise, position }));
}

function loop(sight: Sight): fc.Arbitrary<TemplateNode> {
  const { texts, numbers, present, flags, textLists } = sight;
  const depth = sight.depth + 1;
  // Each depth has different variable names, so that none hides another.
  const line = ['Order Line', 'event', 'In'][sight.depth] ?? 'Line';
  const word = ['Tag', 'contact', 'X'][sight.depth] ?? 'Word';
  const of = (...names: string[]): Reference => reference('short', line, ...names);
  const lines = {
    texts: [...texts, of('Name')],
    numbers: [...numbers, of('Price')],
    present: [...present, of('stock')],
    flags: [...flags, of('gift')],
    textLists: [...textLists, of('Tags')],
    depth,
  };
  const forEach = (variable: string, list: Reference, inside: Sight): fc.Arbitrary<TemplateNode> =>
    nodes(inside).map((body) => ({ kind: 'for', variable, list: plain(list), body, ...block }));
  const words = { ...sight, texts: [...texts, reference('short', word)], depth };
  return fc.oneof(forEach(line, ITEMS, lines), ...textLists.map((list) => forEach(word, list, words)));
}

/** A complete template, as an author would write it. */
export const anyNltTemplate: fc.Arbitrary<string> = nodes(OUTSIDE).map(printNodes);
