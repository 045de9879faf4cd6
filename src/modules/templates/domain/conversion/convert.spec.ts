/** Which language a conversion starts from and ends in, section 4.3: convert. */
import { convert } from './convert.js';

const NLT = "Hi {the user's First Name}";
const JINJA2 = 'Hi {{ contact.first_name }}';
const BACK = "Hi {the user's first_name}";

test.each([
  ['auto', NLT, JINJA2, 1, 'nlt', 'jinja2'],
  ['auto', JINJA2, BACK, 1, 'jinja2', 'nlt'],
  ['auto', `${NLT}|${JINJA2}`, `${NLT}|${BACK}`, 1, 'mixed', 'nlt'],
  ['auto', 'a { b }', 'a { b }', 0, 'none', 'nlt'],
  ['nlt_to_jinja2', NLT, JINJA2, 1, 'nlt', 'jinja2'],
  ['nlt_to_jinja2', JINJA2, JINJA2, 0, 'nlt', 'jinja2'],
  ['nlt_to_jinja2', `${NLT}|${JINJA2}`, `${JINJA2}|${JINJA2}`, 2, 'nlt', 'jinja2'],
  ['nlt_to_jinja2', '{{{ a }}}', '{% raw %}{{{ a }}}{% endraw %}', 0, 'nlt', 'jinja2'],
  ['jinja2_to_nlt', JINJA2, BACK, 1, 'jinja2', 'nlt'],
  ['jinja2_to_nlt', NLT, NLT, 0, 'jinja2', 'nlt'],
] as const)('%s: %s', (direction, content, expected, count, sourceLanguage, targetLanguage) => {
  expect(convert(content, direction)).toEqual({
    content: expected,
    count,
    warnings: [],
    sourceLanguage,
    targetLanguage,
  });
});

test('mixed content knows the loop variables of the other language', () => {
  const source =
    "{% for item in event.lines %}{the item's Name}{% endfor %}{for each Tag in the user's tags}{{ Tag }}{end for}";
  expect(convert(source, 'nlt_to_jinja2').content).toBe(
    '{% for item in event.lines %}{{ item.name }}{% endfor %}{% for tag in contact.tags %}{{ tag }}{% endfor %}',
  );
});

test('mixed content keeps the Jinja2 that NLT has no counterpart for', () => {
  const { content, warnings } = convert("{{ contact.x | wordcount }}{the user's Plan}", 'nlt_to_jinja2');
  expect(content).toBe('{{ contact.x | wordcount }}{{ contact.properties.plan }}');
  expect(warnings).toEqual([]);
});
