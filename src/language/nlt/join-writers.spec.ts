/**
 * A traced rendering equals the untraced one, and its pieces give the position of each part: texts match the source,
 * values map to their expressions. Documents are assembled at random, in both languages.
 */
import fc from 'fast-check';
import { runs } from '../../../test/support/test-scope.js';
import { parseSource } from '../reading/source-parser.js';
import type { TemplateLanguage } from '../template-language.js';
import { compileTemplate, renderTraced } from './compiler.js';
import type { RenderContext } from './render-context.js';
import type { RenderedPiece } from './render-trace.js';

const nlt = fc.constantFrom(
  "{the user's x}",
  '{the x, uppercase, or "a < b"}',
  "{the user's list, count}",
  "{the user's nope}",
  '{the user\'s html, as "html"}',
  "{if the user's x exists}<b title='1'>{the user's x}</b>{else}no{end if}",
  '{if the user\'s nope exists}yes{else if the user\'s x is "q"}q{end if}',
  '{for each Item in the user\'s list}<li class="{the Item}">{the Item}</li>\n{end for}',
  "{for each Item in the user's list}{for each Other in the user's list}{the Item}-{the Other} {end for}{end for}",
);
const jinja = fc.constantFrom(
  '{{ contact.x }}',
  '{# a remark #}',
  '{{ contact.nope | default("<x>") }}',
  'a  {%- if contact.x -%}  b  {%- else -%}  c  {%- endif -%}  d',
  '{% for item in contact.list %}<i>{{ item }}</i>{% endfor %}',
  '{% raw %}{{ raw }}{% endraw %}',
  '{{ "literal" }}',
  '{{ contact.x | slugify }}',
  '{ x',
);
const markup = fc.constantFrom(
  '<p>',
  '</p>',
  ' text ',
  '\n',
  '<a href="',
  '">',
  "<img alt='",
  "'>",
  '<style>p{color:',
  '}</style>',
  '<!-- ',
  ' -->',
  '<td bgcolor=',
  '\ue000\ue001',
);
const sourceOf = (...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.array(fc.oneof(...parts), { maxLength: 14 }).map((pieces) => pieces.join(''));
const written: fc.Arbitrary<[string, TemplateLanguage | null]> = fc.oneof(
  fc.tuple(sourceOf(nlt, markup), fc.constantFrom<TemplateLanguage | null>('nlt', null)),
  fc.tuple(sourceOf(jinja, markup), fc.constant<TemplateLanguage>('jinja2')),
  fc.tuple(sourceOf(nlt, jinja, markup), fc.constant(null)),
);
const value = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('\ue000', '<b>"\'', '{the x}', 7),
);

const contextOf = (x: unknown, list: unknown[]): RenderContext => ({
  contact: { properties: { x, list, html: `<u>${String(x)}</u>` } },
  now: new Date(0),
});

/** Each piece with its text. */
const piecesWithText = (text: string, pieces: readonly RenderedPiece[]): [RenderedPiece, string][] =>
  pieces.map((piece, index) => [
    piece,
    text.slice(piece.rendered, pieces[index + 1]?.rendered ?? text.length),
  ]);

test('renders the same, and texts stand in the source as they are shown', () => {
  fc.assert(
    fc.property(written, value, fc.array(value, { maxLength: 3 }), ([source, language], x, list) => {
      const { tree } = parseSource(source, language);
      const { result, pieces } = renderTraced(tree, contextOf(x, list));
      expect(result).toEqual(compileTemplate(tree, 'html').render(contextOf(x, list)));
      if (result.kind !== 'rendered') return;
      if (result.text !== '') expect(pieces[0]?.rendered).toBe(0);
      for (const [{ source: at, isText }, text] of piecesWithText(result.text, pieces)) {
        expect(text).not.toBe('');
        if (isText) expect(source.slice(at, at + text.length)).toBe(text);
        else expect(source.charAt(at)).toBe('{');
      }
    }),
    { numRuns: runs(500) },
  );
});

test('values stand at their expressions, also where a loop repeats them', () => {
  const source = "<ul>{for each I in the user's list}<li>{the I}</li>{end for}</ul>{the user's x}";
  const { result, pieces } = renderTraced(parseSource(source, null).tree, contextOf('é', ['a', 'b']));
  const text = result.kind === 'rendered' ? result.text : '';
  expect(
    piecesWithText(text, pieces).map(([{ source: at, isText }, part]) => [
      part,
      isText,
      source.slice(at, at + 7),
    ]),
  ).toEqual([
    ['<ul>', true, '<ul>{fo'],
    ['<li>', true, '<li>{th'],
    ['a', false, '{the I}'],
    ['</li>', true, '</li>{e'],
    ['<li>', true, '<li>{th'],
    ['b', false, '{the I}'],
    ['</li>', true, '</li>{e'],
    ['</ul>', true, '</ul>{t'],
    ['é', false, '{the us'],
  ]);
});

test('what Jinja2 leaves out moves nothing', () => {
  const source = 'a{# remark #}b  {%- if contact.x -%}  c{% endif %}{{ "d" }}{{ "d" }}e';
  const { result, pieces } = renderTraced(parseSource(source, 'jinja2').tree, contextOf(1, []));
  const text = result.kind === 'rendered' ? result.text : '';
  expect(text).toBe('abcdde');
  expect(pieces.map(({ source: at, isText }) => [source.charAt(at), isText])).toEqual([
    ['a', true],
    ['b', true],
    ['c', true],
    ['{', false],
    ['{', false],
    ['e', true],
  ]);
});

test('has no pieces of what is not rendered, and a bounded number of all else', () => {
  expect(renderTraced(parseSource('{the user or}', null).tree, contextOf(1, [])).pieces).toEqual([]);
  expect(renderTraced(parseSource("a{the user's y, required}", null).tree, contextOf(1, [])).pieces).toEqual(
    [],
  );
  const list = Array.from({ length: 9_000 }, () => 1);
  const source = `{for each I in the user's list}${'a{the I}'.repeat(20)}{end for}`;
  const { result, pieces } = renderTraced(parseSource(source, null).tree, contextOf(1, list));
  expect(result.kind).toBe('rendered');
  expect(pieces.length).toBe(200_000);
  expect(pieces.at(-1)?.isText).toBe(false);
});
