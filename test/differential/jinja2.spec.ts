/**
 * Jinja2 templates mean the same in Waypost as in the real Jinja2, and NLT templates mean the same after their
 * conversion: generated templates are rendered on both sides. Covers sections 2.7 and 4.3 of the specification.
 *
 * Accepted differences. They are not generated, or are normalised before the comparison:
 * - `&#34;` and `&quot;`; True, False, None, 3.0 and NLT's true, false, nothing, 3 (see render.py).
 * - NLT compares and searches texts without regard to case and surrounding white space: all texts are in lower
 *   case, and no compared text has surrounding white space.
 * - `default` also replaces empty texts: without `true` it only follows names whose values are not empty. White
 *   space alone is empty in NLT.
 * - Two missing values are equal only in Jinja2: one side of a comparison always has a value.
 * - NLT calculates in decimals and rounds halves away from zero: numbers are exact in binary, or are not halves
 *   and are only rounded.
 * - A text that is a number counts as a number in NLT, texts have no order, and lists and groups do not use
 *   Python's notation: each name is used according to the type of its values.
 * - Waypost escapes a value in a link or a script for its position: values appear in texts and in other
 *   attributes.
 * - Line ends: Jinja2 replaces CR LF by one line feed; there is no CR.
 * - 3.0 and 3 are the same number in NLT: a template that is converted to NLT and back has `int` after a value
 *   that it rounds to a whole number, and no sum of fractions is divided by `//`.
 * - Where Python raises an error (an order or a sum with a missing value, a division by 0), there is nothing to
 *   compare.
 */
import fc from 'fast-check';
import {
  compileTemplate,
  jinja2ToNlt,
  nltToJinja2,
  parseTemplate,
  parseSource,
  type RenderContext,
  type Template,
} from '../../src/language/language.js';
import { figure } from '../support/figure.js';
import { runs } from '../support/test-scope.js';
import { findPython, Jinja2Engine, type Jinja2Text } from './jinja2-engine.js';
import { anyJinja2Template, plainJinja2Template } from './jinja2-templates.js';
import { anyContext } from './message-data.js';
import { anyNltTemplate } from './nlt-templates.js';

const RUNS = Number(process.env['DIFFERENTIAL_RUNS'] ?? runs(1_000));
/** Maximum number of attempts to shrink a failing case; each attempt costs Python some milliseconds. */
const MAX_SHRINKS = 2_000;
const python = findPython();
const isRequired = process.env['TEST_JINJA2'] === 'required';
const compare = python !== undefined || isRequired ? test : test.skip;
if (python === undefined)
  figure('NO JINJA2 HERE (python3 without jinja2): the comparison with it is SKIPPED.');

let engine: Jinja2Engine;

beforeAll(() => {
  if (python !== undefined) engine = new Jinja2Engine(python);
  else if (isRequired) throw new Error('No python3 with jinja2, and TEST_JINJA2=required.');
});
afterAll(() => engine?.close());

/** Waypost's rendering of a tree, with entities spelled as in Jinja2. */
function rendered(tree: Template, context: RenderContext): string {
  const result = compileTemplate(tree, 'html').render(context);
  return result.kind === 'rendered' ? spelled(result.text) : JSON.stringify(result);
}

function spelled(text: string): string {
  return text.replaceAll('&quot;', '&#34;');
}

/** Jinja2's rendering of a template; skips the case if it raises an error. */
async function byJinja2(template: string, context: RenderContext): Promise<Jinja2Text> {
  const answer = await engine.render(template, context);
  if ('error' in answer && /TemplateSyntaxError|JSONDecodeError/.test(answer.error))
    return { alike: answer.error, exact: answer.error };
  fc.pre('alike' in answer);
  return { alike: spelled(answer.alike), exact: spelled(answer.exact) };
}

/**
 * Runs a comparison with the seed of the properties (test/support/property-seed), DIFFERENTIAL_SEED, or otherwise
 * a new seed. A failure prints the smallest case found in MAX_SHRINKS attempts.
 */
async function agree(
  templates: fc.Arbitrary<string>,
  check: (template: string, context: RenderContext) => Promise<void>,
): Promise<void> {
  const usual = fc.readConfigureGlobal().seed ?? Date.now() % 2 ** 31;
  const seed = Number(process.env['DIFFERENTIAL_SEED'] ?? usual);
  let triesLeft = Infinity;
  const property = fc.asyncProperty(templates, anyContext, async (template, context) => {
    if (--triesLeft < 0) return;
    try {
      await check(template, context);
    } catch (error) {
      if (!fc.PreconditionFailure.isFailure(error)) triesLeft = Math.min(triesLeft, MAX_SHRINKS);
      throw error;
    }
  });
  try {
    await fc.assert(property, { numRuns: RUNS, seed, maxSkipsPerRun: 10 });
  } finally {
    figure(`${RUNS} templates, seed ${seed} (DIFFERENTIAL_SEED)`);
  }
}

compare('Jinja2 templates render as the real Jinja2 renders them', async () => {
  await agree(anyJinja2Template, async (template, context) => {
    const { alike: expected } = await byJinja2(template, context);
    const reading = parseSource(template, 'jinja2');
    expect({ template, warnings: reading.warnings, text: rendered(reading.tree, context) }).toEqual({
      template,
      warnings: [],
      text: expected,
    });
  });
});

compare('Jinja2 templates converted to NLT, and back again, render the same', async () => {
  // Text that looks like NLT in a Jinja2 template becomes an expression once the template is NLT.
  await agree(plainJinja2Template, async (template, context) => {
    const expected = await byJinja2(template, context);
    const there = jinja2ToNlt(template);
    const back = nltToJinja2(there.content);
    const again = parseSource(back.content, 'jinja2').tree;
    const { exact } = await byJinja2(back.content, context);
    expect({
      template,
      nlt: there.content,
      jinja2: back.content,
      warnings: [...there.warnings, ...back.warnings],
      texts: [rendered(parseTemplate(there.content), context), rendered(again, context)],
      exact,
    }).toEqual({
      template,
      nlt: there.content,
      jinja2: back.content,
      warnings: [],
      texts: [expected.alike, expected.alike],
      exact: expected.exact,
    });
  });
});

compare('NLT templates converted to Jinja2 render the same in the real Jinja2', async () => {
  await agree(anyNltTemplate, async (template, context) => {
    const { content, warnings } = nltToJinja2(template);
    const { alike: text } = await byJinja2(content, context);
    expect({ template, content, warnings, text }).toEqual({
      template,
      content,
      warnings: [],
      text: rendered(parseTemplate(template), context),
    });
  });
});

describe('what is converted to NLT and back shows in Python what it showed', () => {
  const context = (attributes: Record<string, unknown>): RenderContext => {
    return { contact: {}, triggerEvent: { eventName: 'x', attributes }, now: new Date(0) };
  };

  compare.each([
    ['{{ event.n // 2 }}', { n: 7 }, '3'],
    ['{{ event.n // 2 }}', { n: -7 }, '-4'],
    ['{{ -event.n // 2 }}', { n: 7 }, '-4'],
    ['{{ event.n // -2 }}', { n: 7 }, '-4'],
    ['{{ event.n // event.m }}', { n: -7, m: -2 }, '3'],
    ['{{ (event.n + 1) // 2 }}', { n: 7 }, '4'],
    ['{{ event.n * 3 // 2 }}', { n: 7 }, '10'],
    ['{{ event.n // 0.5 }}', { n: 7 }, '14.0'],
    ['{% if event.n // 2 == 3 %}y{% else %}n{% endif %}', { n: 7 }, 'y'],
    ['{% if event.n | default(none) is none %}y{% else %}n{% endif %}', { n: null }, 'y'],
    ['{% if event.n | default(none) is none %}y{% else %}n{% endif %}', {}, 'y'],
    ['{% if event.n | default(none) is none %}y{% else %}n{% endif %}', { n: 0 }, 'n'],
    ['{% if event.n | d(none) is not none %}y{% else %}n{% endif %}', { n: null }, 'n'],
    ['{% if event.n | d(none) != none %}y{% else %}n{% endif %}', { n: '' }, 'y'],
    ['{% if event.n is none or event.n is not defined %}y{% else %}n{% endif %}', {}, 'y'],
    ['{% if event.n is defined %}y{% else %}n{% endif %}', {}, 'n'],
    ['{% if event.n is defined %}y{% else %}n{% endif %}', { n: false }, 'y'],
    ['{% if not (event.n is undefined or event.n == none) %}y{% else %}n{% endif %}', { n: 0 }, 'y'],
    ['{% if event.n is defined and event.n is not none %}y{% else %}n{% endif %}', { n: null }, 'n'],
  ])('%s with %j', async (template, attributes, expected) => {
    const back = nltToJinja2(jinja2ToNlt(template).content);
    expect(back.warnings).toEqual([]);
    const before = await byJinja2(template, context(attributes));
    const after = await byJinja2(back.content, context(attributes));
    expect([before.exact, after.exact]).toEqual([expected, expected]);
  });

  compare.each([
    ['{the n from the trigger event, rounded}', { n: 2.6 }, '3'],
    ['{the n from the trigger event, rounded up}', { n: 2.2 }, '3'],
    ['{the n from the trigger event divided by 2, rounded down}', { n: 7 }, '3'],
    ['{the n from the trigger event plus 0.5, rounded down}', { n: 7 }, '7'],
    ['{if the n from the trigger event exists}y{else}n{end if}', { n: null }, 'n'],
    ['{if the n from the trigger event exists}y{else}n{end if}', {}, 'n'],
    ['{if the n from the trigger event does not exist}y{else}n{end if}', { n: null }, 'y'],
    ['{if the n from the trigger event does not exist}y{else}n{end if}', {}, 'y'],
    ['{the n from the trigger event, count}', { n: null }, ''],
  ])('%s with %j', async (template, attributes, expected) => {
    const shown = compileTemplate(parseTemplate(template), 'html').render(context(attributes));
    const { exact } = await byJinja2(nltToJinja2(template).content, context(attributes));
    expect([shown, exact]).toEqual([{ kind: 'rendered', text: expected }, expected]);
  });
});

describe('null, what is false or 0, and characters of texts', () => {
  const TEXTS_AND_LISTS = ['', 'abc', '0', 'x😀', [], ['a'], ['a', 'b'], [null, 'q'], undefined];
  const SHOWN = [undefined, null, '', 0, false, true, 'abc', '0', 5, -2.5, []];
  const asked = (question: string): string => `{% if ${question} %}y{% else %}n{% endif %}`;

  const agreeOn = async (template: string, values: readonly unknown[]): Promise<void> => {
    const back = nltToJinja2(jinja2ToNlt(template).content);
    for (const n of values)
      for (const k of template.includes('.k') ? [undefined, 0, 1] : [undefined]) {
        const attributes = {
          l: [{ n }, {}],
          ...(n === undefined ? {} : { n }),
          ...(k === undefined ? {} : { k }),
        };
        const contact = { phone: null, properties: attributes };
        const data = { contact, triggerEvent: { eventName: 'x', attributes }, now: new Date(0) };
        const { alike: text } = await byJinja2(template, data);
        const again = await byJinja2(back.content, data);
        const { tree, warnings } = parseSource(template, 'jinja2');
        expect({ template, n, k, warnings, text: rendered(tree, data), back: again.alike }).toEqual({
          ...{ template, n, k, warnings: [], text, back: text },
        });
      }
  };

  compare.each([
    'event.n is none',
    'event.n is not none',
    'event.n == none',
    'event.n != none',
    'none == event.n',
    'event.n is sameas none',
    'event.n is not sameas none',
    'not event.n is none',
    'event.n is defined and event.n is none',
    'event.n is defined and event.n is not none',
    'event.n is not defined or event.n is none',
    'event.n is not defined or event.n is not none',
    'event.n is defined or event.n is not none',
    'event.n is not defined and event.n is none',
    'event.n is none or event.n == "abc"',
    'event.n is defined and event.k and event.n is none',
    'event.n | default(3) is none',
    'event.n | default(none) is none',
    'contact.properties.n is none',
    'contact.properties.n is not none and event.k',
    '(event.n or 7) == 7',
    'event.n | default("z", true) == "z"',
  ])('%s', async (question) => agreeOn(asked(question), [...SHOWN, ['a', 'b']]));

  compare.each([
    '{{ "y" if event.n is none else "n" }}',
    '{{ event.n or "z" }}',
    '{{ event.n | default("z", true) }}',
    '{{ event.n or event.k or "z" }}',
    '{{ event.n or contact.phone or "z" }}',
    '{{ contact.phone or "z" }}',
    '{{ event.n if event.n or event.n == 0 else "z" }}',
    '{% for i in event.l %}{{ i.n or "z" }}{% if i.n is none %}y{% endif %}{% endfor %}',
  ])('%s', async (template) => agreeOn(template, SHOWN));

  compare.each([
    '{{ event.n | first }}',
    '{{ event.n | last }}',
    '{{ event.n[0] }}',
    '{{ event.n[1] }}',
    '{{ event.n[-1] }}',
    '{{ event.n.0 }}',
    '{{ (event.n | first) or "z" }}',
    asked('event.n | first is none'),
    asked('event.n[0] == "a"'),
  ])('%s', async (template) => agreeOn(template, TEXTS_AND_LISTS));
});

test.each(['//', '/', '%'])(
  'a division by zero shows nothing, where Python raises an error: %s',
  (operator) => {
    const reading = parseSource(`[{{ event.n ${operator} event.m }}]`, 'jinja2');
    const attributes = { n: 7, m: 0 };
    const data = { contact: {}, triggerEvent: { eventName: 'x', attributes }, now: new Date(0) };
    expect(rendered(reading.tree, data)).toBe('[]');
  },
);
