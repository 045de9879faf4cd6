import { MAX_JINJA_BLOCKS } from '../jinja/jinja-limits.js';
import { compileTemplate } from '../nlt/compiler.js';
import { parseTemplate } from '../nlt/parser.js';
import type { TemplateLanguage } from '../template-language.js';
import { parseSource, toNlt } from './source-parser.js';

function rendered(source: string, language: TemplateLanguage | null): string {
  const contact = { first_name: 'Ada', properties: { plan: 'pro' } };
  const result = compileTemplate(parseSource(source, language).tree, 'html').render({
    contact,
    now: new Date(0),
  });
  return result.kind === 'rendered' ? result.text : result.kind;
}

const BOTH = "{the user's plan} {{ contact.first_name }}";

test.each([
  [null, 'pro Ada'],
  ['nlt', 'pro {{ contact.first_name }}'],
  ['jinja2', "{the user's plan} Ada"],
] as const)('the pin %s decides what is read', (language, text) => {
  expect(rendered(BOTH, language)).toBe(text);
});

test.each([
  ["{% raw %}{the user's plan} {{ x }}{% endraw %}", "{the user's plan} {{ x }}"],
  ["{{ '{{' }} x {{ '}}' }}", '{{ x }}'],
  ["{{ '{' }}the user's plan}", "{the user's plan}"],
  ["{% set x = {the user's plan} %}", 'failed'],
  ["{{ foo({'a': '{today}'}) }}", "{{ foo({'a': '{today}'}) }}"],
  ["{{the user's plan}} {{{ x }}}", "{{the user's plan}} {{{ x }}}"],
  ['a { color: red } {{ contact.first_name }} { x }', 'a { color: red } Ada { x }'],
])('%s shows %s', (source, text) => {
  expect(rendered(source, null)).toBe(text);
});

test('a source without Jinja2 is read as NLT alone', () => {
  const source = "Hi {the user's x}, {if the user's y}z{end if}";
  expect(parseSource(source, null)).toEqual({ tree: parseTemplate(source), warnings: [] });
});

test('places are those of the source', () => {
  const source =
    "a\n{{ contact.first_name|default('x') }} b {the user's y}\n{%- if contact.z %}{{ contact.q }}{% endif %}";
  const { nodes } = parseSource(source, null).tree;
  const places = nodes.flatMap((node) => {
    if (node.kind === 'output') return [[node.position.line, source.slice(node.position.offset, node.end)]];
    if (node.kind !== 'if') return [];
    return node.branches.flatMap(({ position, end, body }) => [
      [position.line, source.slice(position.offset, end)],
      ...body.map((inner) =>
        inner.kind === 'output'
          ? [inner.position.column, source.slice(inner.position.offset, inner.end)]
          : [],
      ),
    ]);
  });
  expect(places).toEqual([
    [2, "{{ contact.first_name|default('x') }}"],
    [2, "{the user's y}"],
    [3, '{%- if contact.z %}'],
    [20, '{{ contact.q }}'],
  ]);
});

test('errors of both languages come in the order of the source, with their own blocks', () => {
  const source = "{{ a b }}\n{{ contact.x }} {the user's x, nonsense} {% if contact.x %}{end for}";
  const { tree } = parseSource(source, null);
  expect(tree.errors.map(({ position, blockText }) => [position.line, blockText])).toEqual([
    [1, '{{ a b }}'],
    [2, "{the user's x, nonsense}"],
    [2, '{% if contact.x %}'],
    [2, '{end for}'],
  ]);
  expect(tree.source).toBe(source);
});

test.each(['{{ x', '{% if x %}', '{% endfor %}', '{{ }}', '{% raw %}', '{{ a b }}', "{{ 'x }}"])(
  '%s is an error, unless the template is pinned to nlt',
  (source) => {
    expect(parseSource(source, null).tree.errors).toHaveLength(1);
    expect(parseSource(source, 'jinja2').tree.errors).toHaveLength(1);
    expect(parseSource(source, 'nlt').tree.errors).toEqual([]);
  },
);

test('a comment that is never closed is text beside NLT and an error in Jinja2', () => {
  expect(parseSource('@media print{#a{b:c}} {{ contact.x }}', null).tree.errors).toEqual([]);
  expect(parseSource('@media print{#a{b:c}} {{ contact.x }}', 'jinja2').tree.errors).toHaveLength(1);
});

test('what has no counterpart is a warning with its place and stays as text', () => {
  const source = 'Hi {{ contact.first_name|slugify }}';
  const { tree, warnings } = parseSource(source, null);
  expect(tree.errors).toEqual([]);
  expect(warnings).toEqual([
    { message: expect.stringContaining('slugify'), blockText: '{{ contact.first_name|slugify }}', offset: 3 },
  ]);
  expect(rendered(source, null)).toBe(source);
});

test('reading stops at a hundred errors', () => {
  expect(parseSource('{{ a b }}{the x, y}'.repeat(300), null).tree.errors).toHaveLength(100);
  // Fifty that are never closed, and one that is nested too deep.
  expect(parseSource('{% if x %}'.repeat(5_000), null).tree.errors).toHaveLength(51);
});

test.each([
  [BOTH, null, "{the user's plan} {the user's first_name}"],
  [BOTH, 'nlt', BOTH],
  [BOTH, 'jinja2', "&#123;the user's plan} {the user's first_name}"],
  ["{the user's plan}", null, "{the user's plan}"],
  ['a { b } {{ contact.plan }}', 'jinja2', "a &#123; b } {the user's plan}"],
  ['{% raw %}{{ x }}{% endraw %}', null, '&#123;&#123; x }}'],
  ["{{ foo('{today}') }}", null, "{&#123; foo('&#123;today}') }}"],
] as const)('%s with the pin %s is %s in NLT', (source, language, nlt) => {
  expect(toNlt(source, language)).toBe(nlt);
});

test('beyond the bound of blocks reading stops with an error', () => {
  const most = '{{ x }}'.repeat(MAX_JINJA_BLOCKS);
  expect(parseSource(most, null).tree.errors).toEqual([]);
  const { errors } = parseSource(`${most}{{ y }}{{ z }}`, null).tree;
  expect(errors).toMatchObject([{ blockText: '{{ y }}', position: { offset: most.length } }]);
});
