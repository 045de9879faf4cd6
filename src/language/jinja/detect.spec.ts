import { detectLanguage } from './detect.js';
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
