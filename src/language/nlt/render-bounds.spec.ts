/**
 * Limits the cost of hostile templates and hostile data: each ends with the code of a counted limit. Work is counted
 * and not timed, so the outcomes are the same on every machine.
 */
import { compileTemplate } from './compiler.js';
import { MAX_BLOCKS, MAX_OUTPUT_LENGTH, MAX_WORK } from './limits.js';
import { parseTemplate } from './parser.js';
import { type RenderContext, RenderState } from './render-context.js';

type Properties = Readonly<Record<string, unknown>>;

const now = new Date('2026-05-01T10:00:00Z');
const MANY = 10_000;

function contextOf(properties: Properties, others: Partial<RenderContext> = {}): RenderContext {
  return { contact: { properties }, now, timeZone: 'America/New_York', ...others };
}

function outcome(source: string, context: RenderContext, target: 'html' | 'text' = 'html'): string {
  const template = parseTemplate(source);
  expect(template.errors).toEqual([]);
  const result = compileTemplate(template, target).render(context);
  if (result.kind !== 'rendered') return result.kind === 'failed' ? result.error.code : result.kind;
  expect(result.text.length).toBeLessThanOrEqual(MAX_OUTPUT_LENGTH);
  return result.kind;
}

const fill = (piece: string, length: number): string => piece.repeat(Math.floor(length / piece.length));
const items = <Item>(length: number, item: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, index) => item(index));
const inLoop = (body: string): string => `{for each x in the list}${body}{end for}`;
const list = items(MANY, (index) => index);
const asCondition = (value: string): string => `{if ${value} is q}{end if}`;

const currencies = items(17_576, (index) => {
  const letters = [index / 676, index / 26, index].map((at) =>
    String.fromCharCode(65 + (Math.floor(at) % 26)),
  );
  return `{the n, as "currency ${letters.join('')}"}`;
}).join('');
const largeGroup = Object.fromEntries(items(20_000, (index) => [`Key Number-${index}`, 1]));
const spaces = fill(' ', 1_000_000);
const letters = fill('a', 1_000_000);

const HOSTILE: readonly [name: string, code: string, source: string, properties: Properties][] = [
  ['nested loops', 'iteration_limit', inLoop(inLoop(inLoop('{the x}'))), { list: list.slice(0, 200) }],
  ['a loop over a million entries', 'iteration_limit', inLoop(''), { list: items(1_000_000, () => 0) }],
  ['static text in a loop', 'output_limit', inLoop(fill('x', 1_000)), { list }],
  ['a large value many times', 'output_limit', fill('{the t}', 100_000), { t: letters }],
  ['a value that grows when it is escaped', 'output_limit', fill('{the t}', 70), { t: fill('&', 900_000) }],
  [
    'conditions without output in a loop',
    'work_limit',
    inLoop(fill('{if the a}{end if}', 170_000)),
    { list },
  ],
  ['missing values in a loop', 'work_limit', inLoop(fill('{the a}', 100_000)), { list }],
  ['long paths in a loop', 'work_limit', inLoop(fill("{the a's b's c's d's e}", 50_000)), { list }],
  [
    'a list of alternatives',
    'work_limit',
    inLoop(`{if the a is one of ${fill('"b", ', 4_000)}"c"}{end if}`),
    { list, a: 'x' },
  ],
  ['fallbacks', 'work_limit', inLoop(fill(`{the a${', or the b'.repeat(400)}}`, 20_000)), { list }],
  ['17,576 currencies', 'work_limit', currencies, { n: 12.5 }],
  ['Intl in every iteration', 'work_limit', inLoop('{the x, as "currency EUR"}'.repeat(12)), { list }],
  [
    'a pattern of many fields',
    'work_limit',
    inLoop(`{the x, as "${fill('zzzz EEEE MMMM ', 3_000)}"}`),
    { list },
  ],
  [
    'dates compared',
    'work_limit',
    inLoop('{if the d is at least today}{end if}'.repeat(8)),
    { list, d: '2026-01-02T03:04:05Z' },
  ],
  [
    'a list of dates',
    'work_limit',
    inLoop('{if the l contains today}{end if}'),
    { list, l: list.map(() => '2026-01-02T03:04Z') },
  ],
  [
    'decimals of sixty digits',
    'work_limit',
    inLoop(`{if ${'the a times the b plus '.repeat(200)}1 is 1}{end if}`),
    { list, a: '1e-399', b: `${fill('9', 60)}e339` },
  ],
  [
    'divisions',
    'work_limit',
    inLoop(`{if ${'the a divided by the b plus '.repeat(150)}1 is 1}{end if}`),
    { list, a: '1e-200', b: '7e180' },
  ],
  [
    'a decimal as currency',
    'work_limit',
    inLoop(asCondition('the a plus 1, as "currency"').repeat(3)),
    { list, a: fill('1', 490) },
  ],
  [
    'long texts read as numbers',
    'work_limit',
    inLoop('{if the a is at least the a}{end if}'.repeat(3)),
    { list, a: fill('1', 499) },
  ],
  [
    'long texts compared',
    'work_limit',
    inLoop('{if the a is the b}{end if}'),
    { list, a: fill('Ω', 100_000), b: fill('ω', 100_000) },
  ],
  [
    'a search that starts again and again',
    'work_limit',
    inLoop('{if the t contains the s}{end if}'),
    { list, t: letters, s: `b${fill('a', 500_000)}` },
  ],
  [
    'the same in replacing',
    'work_limit',
    inLoop(asCondition(`the t, replacing "b${fill('a', 4_000)}" with ""`)),
    { list, t: letters },
  ],
  [
    'replacing each letter',
    'work_limit',
    inLoop(asCondition('the t, replacing "a" with "b"')),
    { list, t: letters },
  ],
  [
    'replacing a letter by much',
    'work_limit',
    asCondition(`the t, replacing "a" with "${fill('b', 4_000)}"`),
    { t: letters },
  ],
  [
    'title case of a megabyte',
    'work_limit',
    fill(asCondition('the t, titlecase'), 200),
    { t: fill('a ', 1_000_000) },
  ],
  [
    'letter case of a megabyte',
    'work_limit',
    fill(asCondition('the t, uppercase'), 2_000),
    { t: fill('ß', 1_000_000) },
  ],
  ['white space that is no value', 'work_limit', fill('{if the t is empty}{end if}', 2_000), { t: spaces }],
  ['white space trimmed', 'work_limit', fill(asCondition('the t, trimmed'), 2_000), { t: spaces }],
  ['characters counted', 'work_limit', fill('{the t, count}', 2_000), { t: letters }],
  ['fields counted', 'work_limit', fill('{the g, count}', 2_000), { g: largeGroup }],
  ['a large list joined', 'work_limit', inLoop(asCondition('the list, joined with ", "')), { list }],
  ['lists searched', 'work_limit', inLoop('{if the list contains "q"}{end if}'), { list }],
  [
    'names that no key folds to',
    'work_limit',
    inLoop(fill("{the x's zz}", 400)),
    { list: list.map(() => ({ 'Key 1': 1, 'Key 2': 2 })) },
  ],
  ['a large value in links', 'work_limit', fill('<a href="?{the t}">', 1_000), { t: fill('a ', 100_000) }],
  ['a large value outside of quotes', 'work_limit', fill('<a x={the t}>', 1_000), { t: fill('ab', 100_000) }],
];

describe('hostile templates', () => {
  test.each(HOSTILE)('%s', (_name, code, source, properties) => {
    expect(outcome(source, contextOf(properties))).toBe(code);
  });

  test('a name is looked for once among thousands of keys', () => {
    const source = "{the user's first thing}".repeat(MAX_BLOCKS);
    expect(outcome(source, contextOf(largeGroup))).toBe('rendered');
  });

  test('expressions are bounded', () => {
    expect(parseTemplate(`${'{the a}'.repeat(MAX_BLOCKS)} b { color: red } {{ c }}`).errors).toEqual([]);
    const { errors, blockCount } = parseTemplate('{the a}'.repeat(MAX_BLOCKS + 5));
    expect(blockCount).toBe(MAX_BLOCKS);
    expect(errors).toMatchObject([{ position: { offset: 7 * MAX_BLOCKS } }]);
  });

  test('endless names of languages and time zones are none', () => {
    const context = contextOf({}, { locale: letters, timeZone: letters });
    expect(outcome('{now}', context)).toBe('rendered');
  });

  test('the budget is a number, and the last unit of it may be spent', () => {
    const state = new RenderState(contextOf({}));
    state.spend(MAX_WORK);
    expect(() => state.spend(1)).toThrow();
  });
});

describe('honest messages stay far within the limits', () => {
  const products = items(1_000, (index) => ({
    Name: `Product & more ${index}`,
    price: index * 1.25,
    link: `shoes/${index}`,
    since: '2026-01-02T03:04:05Z',
    tags: ['new', 'red'],
  }));
  const row =
    `<tr><td><a href="https://a.test/{the x's link}?n={the x's name}">{the x's Name, titlecase}</a></td>` +
    `<td>{the x's Price, as "currency EUR"}</td><td>{the x's since, as "d MMMM yyyy"}</td>` +
    `<td>{if the x's tags contains red}{the x's tags, joined with ", "}{end if}</td></tr>`;
  const large = fill(`<p>${fill('Lorem ipsum ', 1_950)}{the user's First Name, or "there"}</p>`, 2_000_000);
  const context = contextOf({ list: products, 'First Name': 'Ann' });

  test.each([
    ['2 MB with a thousand expressions and a loop of a thousand', large + inLoop(row)],
    ['four such loops', inLoop(row).repeat(4)],
    ['20,000 formatted numbers', '{the n, as "number"}'.repeat(20_000)],
  ])('%s', (_name, source) => {
    expect(outcome(source, { ...context, contact: { properties: { list: products, n: 1_234.5 } } })).toBe(
      'rendered',
    );
  });

  test('ten thousand iterations with a few expressions each', () => {
    const body = `<li>{the x}: {the x times 2, as "number"} {if the x is 7}seven{else}{the x plus 1}{end if}</li>`;
    expect(outcome(inLoop(body), contextOf({ list }))).toBe('rendered');
  });
});

describe('names of the prototype are missing names everywhere', () => {
  const names = [
    ...Object.getOwnPropertyNames(Object.prototype),
    ...Object.getOwnPropertyNames(Array.prototype),
  ]
    .filter((name) => name !== 'length')
    .concat('prototype', 'length', 'name', 'caller', 'arguments');
  const places: readonly [place: string, read: (name: string) => string][] = [
    ['the contact', (name) => `the user's "${name}"`],
    ['a property', (name) => `the user's group's "${name}"`],
    ['a list', (name) => `the user's list's "${name}"`],
    ['a text', (name) => `the user's text's "${name}"`],
    ['a number', (name) => `the user's number's "${name}"`],
    ['the trigger event', (name) => `the "${name}" from the trigger event`],
    ['an event', (name) => `the "${name}" from the signed up event`],
    ['the events', (name) => `the a from the "${name}" event`],
    ['the short form', (name) => `the "${name}"`],
    ['a missing value', (name) => `the user's nothing's "${name}"`],
    ['a prototype of a prototype', (name) => `the user's "__proto__"'s "${name}"`],
    ['a constructor', (name) => `the user's "constructor"'s "${name}"`],
  ];
  const context: RenderContext = {
    contact: { email: 'ann@a.test', properties: { group: { a: 1 }, list: [1, 2], text: 'x', number: 1 } },
    triggerEvent: { eventName: 'bought', attributes: { a: 1 } },
    events: { signed_up: { attributes: { b: 1 } } },
    now,
  };

  test.each(places)('%s', (_place, read) => {
    for (const name of names) {
      const source = `{if ${read(name)} exists}found {${read(name)}}{else}missing{end if}{${read(name)}}`;
      const result = compileTemplate(parseTemplate(source), 'html').render(context);
      expect({ name, result }).toEqual({ name, result: { kind: 'rendered', text: 'missing' } });
    }
  });

  test('in the entries of a loop', () => {
    for (const name of names) {
      const source = `{for each x in the list}{the x's "${name}"}{the x's inner's "${name}"}{end for}`;
      const list = [{ inner: [] }, { inner: {} }, [], 'text', 7, null];
      const result = compileTemplate(parseTemplate(source), 'html').render(contextOf({ list }));
      expect({ name, result }).toEqual({ name, result: { kind: 'rendered', text: '' } });
    }
  });
});

test.each([
  [
    'a newsletter',
    `${'<tr><td>a line of text</td></tr>'.repeat(1_000)}{the user's x}`.repeat(2),
    60_000,
    70_000,
  ],
  ['dense expressions', '{the a times the b plus the c}'.repeat(1_000), 500_000, 700_000],
  ['what is read in many ways', '<svg><!--[if mso]><![CDATA[<title>{the a}'.repeat(500), 400_000, 1_000_000],
])('what compiling costs is counted: %s', (_, source, least, most) => {
  const { compileWork } = compileTemplate(parseTemplate(source), 'html');
  expect(compileWork).toBe(compileTemplate(parseTemplate(source), 'html').compileWork);
  expect(compileWork).toBeGreaterThan(least);
  expect(compileWork).toBeLessThan(most);
});
