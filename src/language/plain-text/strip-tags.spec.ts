import { stripTags } from './strip-tags.js';

const strip = (html: string): string => stripTags(html, (piece) => (piece.includes('KEEP') ? 'KEEP' : ''));

test.each([
  ['tags inside a line', 'a <b>bold</b> word', 'a bold word'],
  ['blocks', '<p>one</p><p>two</p>', '\none\n\ntwo\n'],
  ['many blocks', '<div><div><div>one</div></div></div>two', '\n\none\n\ntwo'],
  ['a line break', 'one<br>two', 'one\ntwo'],
  ['white space', 'one \n\t two', 'one two'],
  ['entities', 'a&nbsp;&lt;b&gt; &amp; &quot;c&#39; &copy; &hearts;', 'a <b> & "c\' © &hearts;'],
  ['braces', '&#123;&#x7d;&lbrace;&rbrace;', '{}{}'],
  ['rows and cells', '<tr><td>a</td> <td>b</td></tr><tr><th>c</th></tr>', '\na b\n\nc\n'],
  ['style and script', 'a<style>b { c: d }</style>e<SCRIPT>f</script >g', 'aeg'],
  ['a style that is never closed', 'a<style>b', 'ab'],
  ['a closing tag alone', 'a</style>b', 'ab'],
  ['what is kept of a tag', 'a<i title="KEEP">b', 'aKEEPb'],
  ['what is kept of an element', 'a<style>KEEP</style>b', 'aKEEPb'],
  ['a tag left open', 'a <b', 'a <b'],
])('%s', (_name, html, expected) => {
  expect(strip(html)).toBe(expected);
});
