/** The frame of the document, and elements that do not belong in email. */
import { parseSource } from '../../../../language/language.js';
import { checkMarkup } from './markup.js';
import { readEmail } from '../email/parsed-email.js';

const read = (html: string) => readEmail(html, parseSource(html, null).tree.nodes);
const codes = (html: string): string[] => {
  const { email } = read(html);
  return email ? checkMarkup(email).map(({ rule }) => rule) : ['too complex'];
};
const framed = (body: string, head = ''): string =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A</title>${head}</head><body>${body}</body></html>`;

test.each<[string, string, string[]]>([
  ['a whole document', framed('x'), []],
  ['a fragment', 'x', ['doctype_missing', 'charset_missing', 'lang_missing', 'title_missing']],
  [
    'an old way to say the charset',
    framed('x').replace('charset="utf-8"', 'content="text/html; charset=utf-8"'),
    [],
  ],
  ['an empty title', framed('x').replace('<title>A', '<title>'), ['title_missing']],
  ['a language by expression', framed('x').replace('"en"', '"{the user\'s Locale}"'), []],
  ['a script', framed('<script>x</script>'), ['element_forbidden']],
  ['a frame', framed('<iframe src="https://a.com"></iframe>'), ['element_forbidden']],
  ['an object', framed('<object></object>'), ['element_forbidden']],
  ['data', framed('<script type="application/ld+json">{}</script>'), ['structured_data']],
  ['a module', framed('<script type="module">x</script>'), ['element_forbidden']],
  ['a handler', framed('<p onclick="x()">x</p>'), ['script_attribute']],
  ['a form with a script', framed('<form action="javascript:x"></form>'), ['link_dangerous']],
  ['much style', framed('x', `<style>${'p{color:red}'.repeat(1_400)}</style>`), ['css_dropped_by_gmail']],
])('%s', (_name, html, expected) => {
  expect(codes(html)).toEqual(expected);
});

test.each<[string, string, [string, number][]]>([
  ['a tag that does not end', '<p>x</p><p class="a"', [['markup_unfinished', 20]]],
  ['a comment that does not end', 'x<!-- y', [['markup_unfinished', 7]]],
  ['a character that is none', '<p>&foo;</p>', [['entity_unknown', 7]]],
  ['a character', '<p>&nbsp;&amp; A & B</p>', []],
  ['an attribute twice', '<p id="a" id="b">x</p>', [['attribute_twice', 12]]],
  ['a quote too many', '<p class="a"">x</p>', [['markup_malformed', 12]]],
  ['a bracket as text', 'a <3 b', [['markup_malformed', 3]]],
  ['style that is none', '<style>p{color}</style>', [['css_invalid', 14]]],
  ['style attributes that are none', '<p style="color">x</p>', [['css_invalid', 3]]],
  ['an expression as style', '<p style="{the user\'s Style}">x</p>', []],
  ['an expression within style', '<p style="color:{the user\'s Colour}">x</p>', []],
  ['an expression among attributes', '<p {if the user\'s A}class="a"{end if}>x</p>', []],
])('%s', (_name, html, expected) => {
  expect(read(html).findings.map(({ rule, at }) => [rule, at])).toEqual(expected);
});
