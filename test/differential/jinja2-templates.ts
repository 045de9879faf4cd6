/**
 * Generates Jinja2 templates that cover the whole supported subset of the language, from the data they may read.
 * Expressions have a type (text, number, list …), because Python raises an error for an operation on the wrong
 * type.
 */
import fc from 'fast-check';
import { printJinjaExpression } from '../../src/language/jinja/jinja-printer.js';
import type { JinjaComparator, JinjaExpression } from '../../src/language/jinja/jinja-tree.js';
import { TEXTS } from './message-data.js';

type Expression = fc.Arbitrary<JinjaExpression>;

/** The paths that may be read at one position, by the type of their values. */
interface Sight {
  readonly texts: readonly string[];
  readonly numbers: readonly string[];
  /** Numbers that are never missing. */
  readonly present: readonly string[];
  readonly flags: readonly string[];
  readonly textLists: readonly string[];
  readonly depth: number;
  /**
   * Whether the template must render alike after a conversion to NLT and back; NLT does not distinguish 3.0 from
   * 3.
   */
  readonly isExact: boolean;
  /** Whether templates contain text that one of the languages would parse in another position. */
  readonly withLookalikes: boolean;
}

const OUTSIDE: Sight = {
  texts: [
    'contact.first_name',
    'contact.last_name',
    'contact.properties.plan',
    'contact.properties.fav-colour',
    'contact.properties.address.city',
    'event.title',
    'event.shipping.city',
    'trigger_event.attributes.title',
    'events.signed_up.plan',
  ],
  numbers: ['event.amount', 'trigger_event.attributes.amount', 'events.signed_up.total'],
  present: ['contact.properties.points', 'event.quantity', 'trigger_event.attributes.quantity'],
  flags: ['contact.properties.vip', 'event.gift'],
  textLists: ['contact.tags'],
  depth: 0,
  isExact: false,
  withLookalikes: true,
};

/** `a.b.c` as a syntax tree. */
function at(path: string): JinjaExpression {
  const [name = '', ...keys] = path.split('.');
  return keys.reduce<JinjaExpression>(
    (target, key) => ({ kind: 'item', target, key: { kind: 'text', text: key } }),
    { kind: 'name', name },
  );
}

const literal = (text: string): JinjaExpression => ({ kind: 'text', text });
const count = (value: number): JinjaExpression => ({ kind: 'number', digits: String(value) });
const TRUE: JinjaExpression = { kind: 'boolean', value: true };

function filter(target: JinjaExpression, name: string, ...values: JinjaExpression[]): JinjaExpression {
  return { kind: 'filter', target, name, args: values.map((value) => ({ name: null, value })) };
}

const anyOf = (paths: readonly string[]): Expression => fc.constantFrom(...paths).map(at);
const anyText: Expression = fc.constantFrom(...TEXTS).map(literal);
const anyWhole: Expression = fc.integer({ min: -50, max: 500 }).map(count);
/** Fractions that binary numbers represent exactly. */
const anyFraction: Expression = fc.constantFrom('0.5', '2.25', '-1.75', '-0.125').map((digits) => {
  return { kind: 'number', digits };
});
/** Values that may be null, and except for `phone` also missing. */
const NULLABLE = ['contact.properties.nick', 'event.discount', 'contact.phone'];
const NONE: JinjaExpression = { kind: 'none' };

type Change = (target: JinjaExpression) => JinjaExpression;

const textChange: fc.Arbitrary<Change> = fc.oneof(
  fc.constantFrom('upper', 'lower', 'title', 'capitalize', 'trim').map(
    (name): Change =>
      (x) =>
        filter(x, name),
  ),
  fc
    .tuple(fc.constantFrom('a', 'e', '&', ' ', '<b>', 'PR', '"'), fc.constantFrom('x', '-', '<i>', "'", 'ü'))
    .map(
      ([search, other]): Change =>
        (x) =>
          filter(x, 'replace', literal(search), literal(other)),
    ),
  anyText.map(
    (other): Change =>
      (x) =>
        filter(x, 'default', other, TRUE),
  ),
);

const applied = (target: Expression, change: fc.Arbitrary<Change>, maxLength: number): Expression =>
  fc.tuple(target, fc.array(change, { maxLength })).map(([first, changes]) => {
    return changes.reduce((inner, apply) => apply(inner), first);
  });

/** A text that may be missing, depending on the data. */
function plainText({ texts }: Sight): Expression {
  const direct = anyOf(texts);
  return fc.oneof(
    { weight: 3, arbitrary: direct },
    fc.tuple(direct, fc.oneof(anyText, direct)).map(([x, other]) => filter(x, 'default', other)),
    fc.tuple(direct, fc.oneof(anyText, direct)).map(([x, other]) => filter(x, 'd', other, TRUE)),
  );
}

function text(sight: Sight): Expression {
  const list = anyOf(sight.textLists);
  const source = fc.oneof(
    { weight: 4, arbitrary: plainText(sight) },
    anyOf(['contact.properties.note']).map((x) => filter(x, 'trim')),
    fc.tuple(list, fc.constantFrom('first', 'last')).map(([x, name]) => filter(x, name)),
    fc
      .tuple(list, fc.constantFrom(', ', ' & ', '<br>', ''))
      .map(([x, separator]) => filter(x, 'join', literal(separator))),
  );
  return applied(source, textChange, 2);
}

function shownText(sight: Sight): Expression {
  return fc.oneof(
    { weight: 4, arbitrary: text(sight) },
    fc.tuple(text(sight), fc.constantFrom('safe', 'escape', 'e')).map(([x, name]) => filter(x, name)),
    anyOf(['contact.properties.note', 'contact.properties.motto', 'contact.phone']),
    fc
      .tuple(anyOf(['contact.properties.motto', 'contact.phone']), anyText)
      .map(([x, other]) => filter(x, 'default', other, TRUE)),
    fc.constantFrom('premium', 'größe', 'a|b').map(literal),
  );
}

/** A number that is never missing, without filters: the operand of NLT's arithmetic. */
const operand = ({ present }: Sight): Expression =>
  fc.oneof({ weight: 3, arbitrary: anyOf(present) }, anyWhole);

/** @param isWhole without fractions, so that Python's result is a whole number, too. */
function product(sight: Sight, isWhole = false): Expression {
  const whole = [
    operand(sight).map((value) => ({ operator: '*' as const, value })),
    fc.constantFrom(-5, 3, 7, 8).map((value) => ({ operator: '%' as const, value: count(value) })),
  ];
  const factor = fc.oneof(
    ...whole,
    ...(isWhole
      ? []
      : [
          fc.constantFrom(2, 4, -8).map((value) => ({ operator: '/' as const, value: count(value) })),
          anyFraction.map((value) => ({ operator: '*' as const, value })),
        ]),
  );
  return fc
    .tuple(anyOf(sight.present), fc.array(factor, { maxLength: 2 }))
    .map(([first, rest]) => (rest.length === 0 ? first : { kind: 'product', first, rest }));
}

function arithmetic(sight: Sight, isWhole = false): Expression {
  const part = fc.oneof(product(sight, isWhole), operand(sight), ...(isWhole ? [] : [anyFraction]));
  const added = fc.record({ operator: fc.constantFrom('+' as const, '-' as const), value: part });
  return fc
    .tuple(product(sight, isWhole), fc.array(added, { minLength: 1, maxLength: 2 }))
    .map(([first, rest]) => ({ kind: 'sum', first, rest }));
}

/**
 * NLT does not distinguish 3.0 from 3. Where Python's spelling counts, a value rounded to a whole number is
 * converted with `int`.
 */
function rounded(sight: Sight, value: JinjaExpression, ...args: JinjaExpression[]): JinjaExpression {
  const [precision] = args;
  const isWhole = precision === undefined || (precision.kind === 'number' && precision.digits === '0');
  const round = filter(value, 'round', ...args);
  return sight.isExact && isWhole ? filter(round, 'int') : round;
}

const method = fc.constantFrom('floor', 'ceil', 'common').map(literal);
const digits = fc.constantFrom(0, 1, 2).map(count);

function number(sight: Sight): Expression {
  const { numbers, present } = sight;
  const list = fc.oneof(anyOf(sight.textLists), anyOf(['event.items', 'event.numbers']), plainText(sight));
  const rate = anyOf(['contact.properties.rate']);
  return fc.oneof(
    { weight: 2, arbitrary: anyOf([...numbers, ...present]) },
    { weight: 2, arbitrary: arithmetic(sight) },
    product(sight),
    // After a conversion `default` has the argument `true`, which also replaces 0.
    ...(sight.isExact
      ? []
      : [fc.tuple(anyOf(numbers), anyWhole).map(([x, other]) => filter(x, 'default', other))]),
    anyOf(present).map((operand): JinjaExpression => ({ kind: 'negative', operand })),
    rate.map((x) => rounded(sight, x)),
    fc.tuple(rate, digits).map(([x, precision]) => rounded(sight, x, precision)),
    fc.tuple(rate, digits, method).map(([x, precision, by]) => rounded(sight, x, precision, by)),
    fc.tuple(arithmetic(sight), method).map(([x, by]) => {
      return rounded(sight, x, count(0), by.kind === 'text' && by.text === 'common' ? literal('floor') : by);
    }),
    fc
      .oneof(
        // A divisor may be 0; Python then raises an error.
        fc.tuple(
          product(sight, sight.isExact),
          fc.oneof(
            fc.constantFrom(3, 7, -10).map(count),
            ...(sight.isExact ? [] : [anyFraction]),
            anyOf(present),
          ),
        ),
        fc.tuple(
          anyOf(present).map((operand): JinjaExpression => ({ kind: 'negative', operand })),
          fc.constantFrom(2, -3, 7).map(count),
        ),
        fc.tuple(arithmetic(sight, sight.isExact), fc.constantFrom(2, 8, 10).map(count)),
      )
      .map(([first, value]) => ({
        kind: 'product' as const,
        first,
        rest: [{ operator: '//' as const, value }],
      })),
    list.map((x) => filter(x, 'length')),
    fc.constantFrom('first', 'last').map((name) => filter(at('event.numbers'), name)),
  );
}

const compared = (
  first: JinjaExpression,
  operator: JinjaComparator,
  value: JinjaExpression,
): JinjaExpression => ({
  kind: 'comparison',
  first,
  rest: [{ operator, value }],
});

const isTest = (target: JinjaExpression, name: string, negated: boolean): JinjaExpression => ({
  kind: 'test',
  target,
  name,
  args: [],
  negated,
});

/** A single comparison, test or value. */
function comparison(sight: Sight): Expression {
  const { texts, flags, textLists, numbers, present } = sight;
  const membership = fc.constantFrom('in' as const, 'not in' as const);
  const equality = fc.constantFrom('==' as const, '!=' as const);
  const order = fc.constantFrom(
    '==' as const,
    '!=' as const,
    '<' as const,
    '>' as const,
    '<=' as const,
    '>=' as const,
  );
  return fc.oneof(
    anyOf([
      ...texts,
      ...numbers,
      ...present,
      ...flags,
      ...textLists,
      'contact.phone',
      'contact.properties.motto',
    ]),
    fc.tuple(plainText(sight), equality, anyText).map(([x, sign, other]) => compared(x, sign, other)),
    fc.tuple(anyText, equality, plainText(sight)).map(([x, sign, other]) => compared(x, sign, other)),
    fc
      .tuple(number(sight), order, fc.oneof(anyWhole, anyOf(present)))
      .map(([x, sign, y]) => compared(x, sign, y)),
    fc.tuple(anyOf(flags), equality, fc.boolean()).map(([x, sign, value]) => {
      return compared(x, sign, { kind: 'boolean', value });
    }),
    fc
      .tuple(plainText(sight), membership, fc.array(anyText, { minLength: 1, maxLength: 3 }))
      .map(([x, sign, items]) => compared(x, sign, { kind: 'list', items })),
    fc.tuple(anyText, membership, anyOf(textLists)).map(([x, sign, list]) => compared(x, sign, list)),
    fc
      .tuple(fc.constantFrom('a', 'p', 'old', '&', '"', ' '), membership, plainText(sight))
      .map(([needle, sign, x]) => compared(literal(needle), sign, x)),
    fc
      .tuple(anyOf([...texts, ...numbers, ...flags, ...textLists]), fc.boolean())
      .map(([target, negated]) => ({ kind: 'test' as const, target, name: 'defined', args: [], negated })),
    fc
      .tuple(
        plainText(sight),
        fc.constantFrom('startswith', 'endswith'),
        fc.constantFrom('p', 'x', 'old', 'e'),
      )
      .map(([target, method, part]) => ({
        kind: 'call' as const,
        target: { kind: 'item' as const, target, key: literal(method) },
        args: [{ name: null, value: literal(part) }],
      })),
    fc.tuple(anyOf(NULLABLE), fc.boolean()).map(([x, negated]) => isTest(x, 'none', negated)),
    fc.tuple(anyOf(NULLABLE), fc.boolean()).map(([x, negated]) => {
      return isTest(filter(x, 'default', NONE), 'none', negated);
    }),
    fc.tuple(anyOf(NULLABLE), equality).map(([x, sign]) => compared(filter(x, 'd', NONE), sign, NONE)),
    // NLT treats null as missing, so both are tested together.
    anyOf(NULLABLE).map((x): JinjaExpression => {
      return { kind: 'and', operands: [isTest(x, 'none', true), isTest(x, 'defined', false)] };
    }),
    anyOf(NULLABLE).map((x): JinjaExpression => {
      return { kind: 'or', operands: [isTest(x, 'defined', true), isTest(x, 'none', false)] };
    }),
  );
}

function condition(sight: Sight): Expression {
  const simple = comparison(sight);
  const maybeNot = fc.tuple(simple, fc.boolean()).map(([operand, negated]): JinjaExpression => {
    return negated ? { kind: 'not', operand } : operand;
  });
  const joined = (kind: 'and' | 'or', part: Expression, maxLength: number): Expression =>
    fc.array(part, { minLength: 2, maxLength }).map((operands) => ({ kind, operands }));
  const both = joined('and', maybeNot, 3);
  const either = joined('or', fc.oneof(maybeNot, both), 3);
  // NLT has no parentheses, so their contents are multiplied out, up to the maximum length of an expression.
  const smallEither = joined('or', fc.oneof(maybeNot, joined('and', maybeNot, 2)), 2);
  return fc.oneof(
    { weight: 4, arbitrary: maybeNot },
    both,
    either,
    joined('and', fc.oneof(maybeNot, smallEither), 2),
    fc.oneof(both, smallEither).map((operand): JinjaExpression => ({ kind: 'not', operand })),
  );
}

const dash = fc.constantFrom('', '', '', '', '-');
const space = fc.constantFrom(' ', ' ', ' ', '', '  ', '\n');

/** A tag with or without white-space control on each side, with random spaces and quotes. */
function tag(open: string, inner: fc.Arbitrary<string>, close: string): fc.Arbitrary<string> {
  return fc
    .tuple(fc.tuple(dash, space), inner, fc.tuple(space, dash), fc.boolean())
    .map(([[dashBefore, before], middle, [after, dashAfter], isSingle]) => {
      const written = isSingle && !/['\\]/.test(middle) ? middle.replaceAll('"', "'") : middle;
      const gap = /^[-+]/.test(written) ? ' ' : before;
      return `${open}${dashBefore}${gap}${written}${after}${dashAfter}${close}`;
    });
}

const word = (written: string): fc.Arbitrary<string> => tag('{%', fc.constant(written), '%}');

const PLAIN_TEXTS = [
  'Hi ',
  '<p>',
  '</p>\n',
  '  \n\t',
  '<p class="a" title=\'b\'>',
  ' } ',
  'a { color: red }',
  '{"a": 1}',
  '}}',
  '%} #}',
  '100 % & "x" \'y\'',
  'Größe 日本 😀',
  '&lt;',
];
/**
 * Texts that NLT would parse. The single brace combines with the next tag once the white space after it is
 * trimmed.
 */
const NLT_TEXTS = [
  ' { ',
  "{the user's Name}",
  '{if the x}',
  '{end if}',
  '{else}',
  '{ the amount from the trigger event }',
];
const PLAIN_RAWS = ['x', ' <b>&</b> ', '%}', ''];
const RAWS = ['{{ contact.first_name }}', '{% if %}', ' {# c #} ', "{the user's Name}", '{', '{{'];

const comment = tag('{#', fc.constantFrom('', 'note', '{{ x }}', '{% if x %}', "it's", '"'), '#}');

/** A template's nodes as text, with at most `MAX_DEPTH` nested blocks. */
const MAX_DEPTH = 3;

function nodes(sight: Sight): fc.Arbitrary<string> {
  const shown = fc.oneof(
    { weight: 3, arbitrary: shownText(sight) },
    { weight: 2, arbitrary: number(sight) },
    anyOf(sight.flags),
    fc
      .tuple(condition(sight), shownText(sight), fc.option(shownText(sight)))
      .map(([tested, chosen, otherwise]) => {
        return { kind: 'choice' as const, condition: tested, chosen, otherwise };
      }),
    fc
      .tuple(plainText(sight), fc.constantFrom(' – ', ', ', ''), text(sight))
      .map(([first, between, last]) => {
        return { kind: 'concatenation' as const, parts: [first, literal(between), last] };
      }),
  );
  const output = tag(
    '{{',
    shown.map((expression) => printJinjaExpression(expression)),
    '}}',
  );
  const texts = sight.withLookalikes ? [...PLAIN_TEXTS, ...NLT_TEXTS] : PLAIN_TEXTS;
  const raws = sight.withLookalikes ? [...PLAIN_RAWS, ...RAWS] : PLAIN_RAWS;
  const simple = [
    { weight: 4, arbitrary: output },
    { weight: 3, arbitrary: fc.constantFrom(...texts) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(word('raw'), fc.constantFrom(...raws), word('endraw'))
        .map((parts) => parts.join('')),
    },
    { weight: 1, arbitrary: comment },
    { weight: 1, arbitrary: output.map((written) => `<b title="${written}">`) },
    { weight: 1, arbitrary: output.map((written) => `<b title='x ${written} y'>`) },
  ];
  const blocks =
    sight.depth >= MAX_DEPTH
      ? []
      : [
          { weight: 2, arbitrary: choice(sight) },
          { weight: 2, arbitrary: fc.oneof(...LOOPS.map((loop) => loopOf(sight, loop))) },
        ];
  return fc
    .array(fc.oneof(...simple, ...blocks), {
      minLength: sight.depth === 0 ? 1 : 0,
      maxLength: 5 - sight.depth,
    })
    .map((parts) => {
      // Two adjacent texts must not form a tag.
      return parts.reduce(
        (whole, part) => (/\{$/.test(whole) && /^[{%#]/.test(part) ? `${whole} ${part}` : whole + part),
        '',
      );
    });
}

function choice(sight: Sight): fc.Arbitrary<string> {
  const body = nodes({ ...sight, depth: sight.depth + 1 });
  const head = (keyword: string): fc.Arbitrary<string> =>
    tag(
      '{%',
      condition(sight).map((tested) => `${keyword} ${printJinjaExpression(tested, 1)}`),
      '%}',
    );
  return fc
    .tuple(
      fc.tuple(head('if'), body),
      fc.array(fc.tuple(head('elif'), body), { maxLength: 2 }),
      fc.option(fc.tuple(word('else'), body)),
      word('endif'),
    )
    .map((parts) => parts.flat(2).join(''));
}

interface Loop {
  readonly variable: string;
  readonly list: (sight: Sight) => readonly string[];
  readonly inside: (sight: Sight) => Partial<Sight>;
}

const lines = (variable: string): Loop => ({
  variable,
  list: () => ['event.items', 'trigger_event.attributes.items'],
  inside: ({ texts, numbers, present, flags, textLists }) => ({
    texts: [...texts, `${variable}.name`, `${variable}.name`],
    numbers: [...numbers, `${variable}.price`],
    present: [...present, `${variable}.stock`, `${variable}.stock`],
    flags: [...flags, `${variable}.gift`],
    textLists: [...textLists, `${variable}.tags`, `${variable}.tags`],
  }),
});

const LOOPS: readonly Loop[] = [
  lines('item'),
  lines('order_line'),
  {
    variable: 'tag',
    list: ({ textLists }) => textLists,
    inside: ({ texts }) => ({ texts: [...texts, 'tag', 'tag'] }),
  },
  {
    variable: 'amount',
    list: () => ['event.numbers'],
    inside: ({ present }) => ({ present: [...present, 'amount', 'amount'] }),
  },
];

function loopOf(sight: Sight, { variable, list, inside }: Loop): fc.Arbitrary<string> {
  const known = withoutVariable(sight, variable);
  const body = nodes({ ...known, ...inside(known), depth: sight.depth + 1 });
  const inner = { ...known, ...inside(known) };
  const head = anyOf(list(sight)).map((value) => `for ${variable} in ${printJinjaExpression(value)}`);
  const filtered = fc
    .tuple(head, condition(inner))
    .map(([loop, tested]) => `${loop} if ${printJinjaExpression(tested, 1)}`);
  const otherwise = fc
    .tuple(tag('{%', head, '%}'), body, word('else'), nodes({ ...sight, depth: sight.depth + 1 }))
    .map((parts) => parts.join(''));
  const plain = fc
    .tuple(tag('{%', fc.oneof({ weight: 3, arbitrary: head }, filtered), '%}'), body)
    .map((parts) => parts.join(''));
  return fc
    .tuple(fc.oneof({ weight: 4, arbitrary: plain }, otherwise), word('endfor'))
    .map((parts) => parts.join(''));
}

/** The readable paths where an inner variable hides an outer one of the same name. */
function withoutVariable(sight: Sight, variable: string): Sight {
  const others = (paths: readonly string[]): readonly string[] =>
    paths.filter((path) => path.split('.')[0] !== variable);
  const { texts, numbers, present, flags, textLists } = sight;
  return {
    ...sight,
    texts: others(texts),
    numbers: others(numbers),
    present: others(present),
    flags: others(flags),
    textLists: others(textLists),
  };
}

/** Complete templates. */
export const anyJinja2Template: fc.Arbitrary<string> = nodes(OUTSIDE);

/**
 * Complete templates without text that looks like an expression of either language, and without a 3.0 that could
 * also be 3.
 */
export const plainJinja2Template: fc.Arbitrary<string> = nodes({
  ...OUTSIDE,
  isExact: true,
  withLookalikes: false,
});
