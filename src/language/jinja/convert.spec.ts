/** Tests the source and target language of a conversion, section 4.3: convert. */
import { repetitions } from '../../../test/support/test-scope.js';
import { convert, detectLanguage } from './convert.js';
import { Scanner } from './jinja-scanner.js';

test.each([
  ['', 'none', 0, 0],
  ['Hello { anything } a { color: red }', 'none', 0, 0],
  ["{the user's x}", 'nlt', 1, 0],
  ["{if the user's x}{the user's x}{end if}", 'nlt', 3, 0],
  ["{the user's", 'nlt', 1, 0],
  ["{{the user's x}}", 'none', 0, 0],
  ['{{{ x }}}', 'none', 0, 0],
  ['@media print{#a{color:red}}', 'none', 0, 0],
  ['{{ contact.x }}', 'jinja2', 0, 1],
  ['{% if contact.x %}{{ contact.x }}{% endif %}', 'jinja2', 0, 3],
  ['{# a note #}', 'jinja2', 0, 1],
  ['{% raw %}{{ x }}{% endraw %}', 'jinja2', 0, 1],
  ["{% raw %}{the user's x}{% endraw %}", 'jinja2', 0, 1],
  ['{{ "{the x}" }}', 'jinja2', 0, 1],
  ['{{ 2 mal }}', 'jinja2', 0, 1],
  ['{the x, or "{{ y }}"}', 'nlt', 1, 0],
  ["{the user's x} {{ contact.x }}", 'mixed', 1, 1],
  ['{today} {% set x = 1 %} {now}', 'mixed', 2, 1],
] as const)('%s is %s', (content, language, nltCount, jinja2Count) => {
  expect(detectLanguage(content)).toEqual({ language, nltCount, jinja2Count });
});

/** Work is counted in characters read, since that does not depend on the machine. */
test.each([
  '{',
  '{{',
  '{%',
  '{#',
  '{{ "',
  "{{ 'a}} ",
  '{{ (',
  '{% if x %}',
  '{% raw %}',
  '{{ a',
  '{the x {{ "',
])('%s over and over costs no more than a few looks at each character', (part) => {
  for (const language of [null, 'jinja2'] as const) {
    const source = part.repeat(50_000 / part.length);
    const scanner = new Scanner(source, language);
    expect([...scanner.blocks()].filter(({ start, end }) => end <= start)).toEqual([]);
    expect(scanner.charactersRead).toBeLessThan(4 * source.length);
  }
});

const NLT = "Hi {the user's First Name}";
const JINJA2 = 'Hi {{ contact.first_name }}';
const BACK = "Hi {the user's first_name}";

test.each([
  ['auto', NLT, JINJA2, 1, 'nlt', 'jinja2'],
  ['auto', JINJA2, BACK, 1, 'jinja2', 'nlt'],
  ['auto', `${NLT}|${JINJA2}`, `${NLT}|${BACK}`, 1, 'mixed', 'nlt'],
  ['auto', 'a { b }', 'a { b }', 0, 'none', 'nlt'],
  ['nlt_to_jinja2', NLT, JINJA2, 1, 'nlt', 'jinja2'],
  ['nlt_to_jinja2', JINJA2, JINJA2, 0, 'jinja2', 'jinja2'],
  ['nlt_to_jinja2', `${NLT}|${JINJA2}`, `${JINJA2}|${JINJA2}`, 1, 'mixed', 'jinja2'],
  ['nlt_to_jinja2', '{{{ a }}}', '{% raw %}{{{ a }}}{% endraw %}', 0, 'none', 'jinja2'],
  ['jinja2_to_nlt', JINJA2, BACK, 1, 'jinja2', 'nlt'],
  ['jinja2_to_nlt', NLT, NLT, 0, 'nlt', 'nlt'],
  ['jinja2_to_nlt', `${NLT}|${JINJA2}`, `${NLT}|${BACK}`, 1, 'mixed', 'nlt'],
  ['jinja2_to_nlt', 'a { b }', 'a { b }', 0, 'none', 'nlt'],
] as const)('%s: %s', (direction, content, expected, count, sourceLanguage, targetLanguage) => {
  expect(convert(content, direction)).toEqual({
    content: expected,
    count,
    warnings: [],
    sourceLanguage,
    targetLanguage,
  });
});

describe('Jinja2 among NLT stays as written', () => {
  const B = "{the user's B}";
  const MADE = '{{ contact.properties.b }}';
  test.each([
    ['an output', `{{ contact.a }} ${B}`, `{{ contact.a }} ${MADE}`, 1],
    ['its spaces', `{{a|upper}}{%- if x -%}${B}{%endif%}`, `{{a|upper}}{%- if x -%}${MADE}{%endif%}`, 1],
    ['a comment', `{# {the user's A} #}${B}`, `{# {the user's A} #}${MADE}`, 1],
    ['raw text', `{% raw %}${B}{{ x }}{% endraw %}${B}`, `{% raw %}${B}{{ x }}{% endraw %}${MADE}`, 1],
    ['a text in it', `{{ "${B}" }}{{ '{end if}' }}${B}`, `{{ "${B}" }}{{ '{end if}' }}${MADE}`, 1],
    ['what does not parse', `{{ a b }}{% endfor %}${B}`, `{{ a b }}{% endfor %}${MADE}`, 1],
    ['what NLT has nothing for', `{{ contact.x | wordcount }}${B}`, `{{ contact.x | wordcount }}${MADE}`, 1],
    ['tags across those of NLT', `{% if c %}{if the user's B}{% endif %}${B}{end if}`, null, 3],
    [
      'beside text that looks like it',
      `{{{ a }}} {{ b }} ${B}`,
      `{% raw %}{{{ a }}}{% endraw %} {{ b }} ${MADE}`,
      1,
    ],
  ])('%s', (_name, source, expected, count) => {
    expect(convert(source, 'nlt_to_jinja2')).toEqual({
      content: expected ?? `{% if c %}{% if contact.properties.b %}{% endif %}${MADE}{% endif %}`,
      count,
      warnings: [],
      sourceLanguage: 'mixed',
      targetLanguage: 'jinja2',
    });
  });
});

describe('mixed content knows the loop variables of the other language', () => {
  test.each([
    [
      "{% for item in event.lines %}{the item's Name}{{ item.name }}{% endfor %}{the item}",
      '{% for item in event.lines %}{{ item.name }}{{ item.name }}{% endfor %}' +
        '{{ event.item | default(contact.properties.item) }}',
    ],
    [
      '{% for key, value in event.x.items() %}{the key}{the Value}{% endfor %}',
      '{% for key, value in event.x.items() %}{{ key }}{{ value }}{% endfor %}',
    ],
    [
      "{for each Tag in the user's tags}{{ Tag }}{the Tag}{end for}{for each Item in the x}{the Item}{end for}",
      '{% for Tag in contact.tags %}{{ Tag }}{{ Tag }}{% endfor %}' +
        '{% for item in event.x | default(contact.properties.x) %}{{ item }}{% endfor %}',
    ],
    [
      "{% for item in event.lines %}{for each Item in the user's tags}{the Item}{end for}{% endfor %}",
      '{% for item in event.lines %}{% for item_2 in contact.tags %}{{ item_2 }}{% endfor %}{% endfor %}',
    ],
    [
      "{for each contact in the user's tags}{{ contact.email }}{the contact}{end for}",
      '{% for item_contact in contact.tags %}{{ contact.email }}{{ item_contact }}{% endfor %}',
    ],
  ])('%s', (source, expected) => {
    expect(convert(source, 'nlt_to_jinja2').content).toBe(expected);
  });
});

test('mixed content with NLT that does not parse stays whole, and is quoted as written', () => {
  const source = "{{ contact.a }} {the user's B, or {{ x }} {the user's C}";
  const { content, count, warnings } = convert(source, 'nlt_to_jinja2');
  expect([content, count]).toEqual([source, 0]);
  expect(warnings).toEqual([expect.stringMatching(/^“\{the user's B, or ” on line 1 is not valid NLT/)]);
});

const MOST = repetitions({ short: 3_800, full: 19_000 });
const LENGTH = repetitions({ short: 400_000, full: 2_000_000 });

test.each([
  ['loops', "{% for a in b %}{the a's c}"],
  ['variables', `{% for ${'a,'.repeat(900)} b in c %}{the d}`],
  ['ends', '{% endfor %}{the a}'],
  ['blocks in one text', '{{ a }}'],
])(`up to ${LENGTH} characters of mixed %s are converted in time`, (_name, piece) => {
  const source = `{the x}${piece.repeat(Math.min(MOST, LENGTH / piece.length))}`;
  expect(convert(source, 'nlt_to_jinja2').warnings).toEqual([]);
});

test('mixed content keeps the Jinja2 that NLT has no counterpart for', () => {
  const { content, warnings } = convert("{{ contact.x | wordcount }}{the user's Plan}", 'nlt_to_jinja2');
  expect(content).toBe('{{ contact.x | wordcount }}{{ contact.properties.plan }}');
  expect(warnings).toEqual([]);
});
