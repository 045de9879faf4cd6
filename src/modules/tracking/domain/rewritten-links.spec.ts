import fc from 'fast-check';
import { parse, serialize } from 'parse5';
import { rewriteLinks } from './rewritten-links.js';
import { runs } from '../../../../test/support/test-scope.js';

function rewritten(html: string, addressOf = (target: string): string | undefined => `T(${target})`): string {
  const work = rewriteLinks(html, addressOf);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

test.each([
  ['<a href="https://a.test/x">x</a>', '<a href="T(https://a.test/x)">x</a>'],
  ["<A HREF='http://A.test'>x</A>", '<A href="T(http://a.test/)">x</A>'],
  [
    '<a class=b href=https://a.test/?x=1&amp;y=2 id=c>x</a>',
    '<a class=b href="T(https://a.test/?x=1&amp;y=2)" id=c>x</a>',
  ],
  ['<a\n href = "  https://a.test/ä b#c  " >x</a>', '<a\n href="T(https://a.test/%C3%A4%20b#c)" >x</a>'],
  ['<map><area href="https://a.test/"></map>', '<map><area href="T(https://a.test/)"></map>'],
  [
    '<a href="https://a.test/" href="https://b.test/">',
    '<a href="T(https://a.test/)" href="https://b.test/">',
  ],
  [
    '<a title="<a href=\'https://b.test/\'>" href="https://a.test/">',
    '<a title="<a href=\'https://b.test/\'>" href="T(https://a.test/)">',
  ],
  ['😀 é <a href="https://a.test/">x</a>', '😀 é <a href="T(https://a.test/)">x</a>'],
  [
    'a\r\nb\rc<a href="https://a.test/">x</a>\r\n<a href="https://b.test/">',
    'a\r\nb\rc<a href="T(https://a.test/)">x</a>\r\n<a href="T(https://b.test/)">',
  ],
])('%j', (html, expected) => {
  expect(rewritten(html)).toBe(expected);
});

test.each([
  '<a href="mailto:a@b.test">x</a>',
  '<a href="tel:+49">x</a>',
  '<a href="#part">x</a>',
  '<a href="">x</a>',
  '<a href>x</a>',
  '<a>x</a>',
  '<a href="/relative">x</a>',
  '<a href="//a.test/">x</a>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="data:text/html,x">x</a>',
  '<a href="https://">x</a>',
  '<link href="https://a.test/x.css"><base href="https://a.test/"><img src="https://a.test/x.png">',
  '<!-- <a href="https://a.test/">x</a> -->',
  '<!--[if mso]><a href="https://a.test/">x</a><![endif]-->',
  '<style>a { content: "<a href=\'https://a.test/\'>" }</style>',
  '<title><a href="https://a.test/"></title><textarea><a href="https://a.test/"></textarea>',
  '<script>"<a href=\'https://a.test/\'>"</script>',
  'https://a.test/ &lt;a href="https://a.test/"&gt;',
  '<a data-tracking="off" href="https://a.test/">x</a>',
  '<a href="https://a.test/',
  `<a href="https://a.test/${'x'.repeat(2_000)}">x</a>`,
])('stays as it is: %j', (html) => {
  expect(rewritten(html)).toBe(html);
});

test('what is not wanted stays as it is', () => {
  const html = '<a href="https://a.test/">a</a><a href="https://b.test/">b</a>';
  expect(rewritten(html, (target) => (target.includes('a.test') ? undefined : 'https://t.test/'))).toBe(
    '<a href="https://a.test/">a</a><a href="https://t.test/">b</a>',
  );
});

test('an address cannot end its attribute', () => {
  expect(rewritten('<a href=https://a.test>x</a>', () => '"><b>')).toBe(
    '<a href="&quot;&gt;&lt;b&gt;">x</a>',
  );
});

test('a message with thousands of links grows by no more than its bounds', () => {
  const many = rewritten('<a href="https://a.test/">x</a>'.repeat(1_500));
  expect(many.split('T(').length - 1).toBe(1_000);
  const long = '<a href="https://a.test/">x</a>'.repeat(999);
  const grown = rewritten(long, () => `https://t.test/${'x'.repeat(2_000)}`);
  expect(grown.length - long.length).toBeLessThanOrEqual(512 * 1_024);
  expect(grown.endsWith('<a href="https://a.test/">x</a>')).toBe(true);
});

test('a link on the border of two pieces is found where it stands', () => {
  for (const lead of [65_520, 65_530, 65_536, 131_060]) {
    const html = `${'é'.repeat(lead)}<a href="https://a.test/">x</a>`;
    expect(rewritten(html)).toBe(`${'é'.repeat(lead)}<a href="T(https://a.test/)">x</a>`);
  }
});

test('whatever the markup is, a reader finds the same document but for the links', () => {
  const piece = fc.constantFrom(
    '<a href="https://a.test/">',
    "<a href='http://b.test/x?y=1&z=2'>",
    '</a>',
    '<a href=https://c.test/>',
    '<p>',
    '</p>',
    '<!--',
    '-->',
    '<style>',
    '</style>',
    '<title>',
    '</title>',
    '<textarea>',
    '</textarea>',
    '"',
    "'",
    '<',
    '>',
    '=',
    'text',
    '&amp;',
    '😀',
    '\r\n',
    '<![CDATA[',
    ']]>',
    '<table><tr><td>',
    '</table>',
    '<a href="mailto:x@y.z">',
    '\0',
  );
  const neutral = (html: string): string =>
    serialize(parse(html)).replace(
      /href="(?:T\()?(https?:\/\/[^")]*)\)?"/g,
      (_, target: string) => `href="${target}"`,
    );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const html = pieces.join('');
      expect(neutral(rewritten(html))).toBe(neutral(html));
    }),
    { numRuns: runs(1_000) },
  );
});
