import fc from 'fast-check';
import { parseTemplate } from '../nlt/parser.js';
import { deriveText } from './derive-text.js';

const CASES: readonly [name: string, html: string, text: string][] = [
  ['a paragraph', '<p>Hello</p>', 'Hello'],
  [
    'an expression with quotes',
    `<p>Hi {the user's First Name, or "there"}</p>`,
    `Hi {the user's First Name, or "there"}`,
  ],
  [
    'an expression in entities',
    '<p>{the user&rsquo;s Name, or &quot;you&quot;}</p>',
    '{the user&rsquo;s Name, or &quot;you&quot;}',
  ],
  ['a comparison, which looks like a tag', '<p>{the Note, or "<b>"}</p>', '{the Note, or "<b>"}'],
  ['an expression in a heading keeps its letters', "<h1>Hi {the user's Name}</h1>", "Hi {the user's Name}"],
  [
    'a long expression is not wrapped',
    `<p>${'word '.repeat(30)}{the user's Name}</p>`,
    `${'word '.repeat(30)}{the user's Name}`,
  ],
  [
    'a link',
    '<a href="https://a.test/?u={the user\'s Id}">Open</a>',
    "Open (\u2061https://a.test/?u={the user's Id}\u2064)",
  ],
  [
    'a link that writes an email',
    '<a href="mailto:a@b.test?subject=Hi%20there">Write</a>',
    'Write (a@b.test)',
  ],
  [
    'the same in capitals, to several',
    '<a href="MAILTO:a%2Bb@c.test,%20d@e.test?cc=x">Write</a>',
    'Write (a+b@c.test, d@e.test)',
  ],
  ['one that shows its address', '<a href="mailto:a@b.test?subject=Hi">a@b.test</a>', 'a@b.test'],
  ['one to nobody', '<a href="mailto:?subject=Hi&amp;body=x">Tell a friend</a>', 'Tell a friend'],
  ['one with a broken address', '<a href="mailto:50%@b.test">Write</a>', 'Write (50%@b.test)'],
  [
    'one with an expression',
    '<a href="mailto:{the user\'s Adviser}?subject=Hi">Write</a>',
    "Write (\u2061{the user's Adviser}\u2064)",
  ],
  ['an address that no program is to find', '<a href="mailto:a@b.test">a&#8203;@b.test</a>', 'a@b.test'],
  ['places where a word may break', '<p>super&#8203;cali&shy;fragi\u2060listic</p>', 'supercalifragilistic'],
  ['fillers behind a preheader', '<div>Soon&nbsp;&zwnj;&nbsp;&zwnj;&#847;</div><p>Hi</p>', 'Soon\n\nHi'],
  ['joiners of letters and emoji', '<p>👨‍👩‍👧 می‌خواهم a&zwj;b</p>', '👨‍👩‍👧 می‌خواهم ab'],
  ['a tag with a name that objects have', '<constructor>a</constructor> <b>b</b>', 'a b'],
  ['an expression with such a name', '<p>x {constructor} y</p>', 'x {constructor} y'],
  ['a link without values', '<a href="https://a.test/">Open</a>', 'Open (https://a.test/)'],
  ['a link that shows its address', '<a href="https://a.test/">https://a.test/</a>', 'https://a.test/'],
  ['a link without text', '<a href="https://a.test/"><img src="x"></a>', 'https://a.test/'],
  ['an email address', '<a href="mailto:a@b.test">Write</a>', 'Write (a@b.test)'],
  ['a place on the page', '<a href="#top">Up</a> <a name="top">Top</a>', 'Up Top'],
  [
    'a link of pictures',
    '<a href="https://a.test/"><img alt="Fish &amp; chips"><b><img alt="{the A}"></b><img alt=" "></a>',
    'Fish & chips {the A} (https://a.test/)',
  ],
  [
    'a link with a picture and text',
    '<a href="https://a.test/"><img alt="Logo">Open</a>',
    'Open (https://a.test/)',
  ],
  [
    'a condition around paragraphs',
    '<p>{if the A exists}</p><p>yes</p><p>{end if}</p>',
    '{if the A exists}yes\n\n{end if}',
  ],
  ['a condition in an attribute goes with it', '<td style="{if the A exists}color:red{end if}">x</td>', 'x'],
  [
    'a condition in comments stays',
    '<!-- {if the A exists} --><p>yes</p><!-- {end if} -->',
    '{if the A exists}yes\n\n{end if}',
  ],
  ['a value in a comment goes with it', "<!-- {the user's Name} --><p>x</p>", 'x'],
  [
    'style, script and title are no text',
    '<html><head><title>T</title><style>a { color: red }</style></head><body>x</body></html>',
    'x',
  ],
  ['braces that are no expression', '<p>a { b } {c}</p>', 'a { b } {c}'],
  ['braces of entities', '<p>&#123; b &#125; &lbrace;c&rbrace;</p>', '{ b } {c}'],
  ['a brace of an entity before a keyword', '<p>&#x7B; the C}</p>', '{\u2063 the C}'],
  ['a letter of an entity', '<p>{&#116;he C}</p>', '{\u2063the C}'],
  ['a tag of entities in braces', '<p>{&lt;b>the C}</p>', '{\u2063<b>the C}'],
  ['an entity of entities in braces', '<p>{&amp;nbsp;the C}</p>', '{\u2063&nbsp;the C}'],
  ['what Jinja2 could begin', '<p>{{ c }} {% c %} {# c #}</p>', '{\u2063{ c }} {\u2063% c %} {\u2063# c #}'],
  ['a brace before an expression', '<p>&#123;{the C}</p>', '{\u2063{the C}'],
  ['a brace before a link', '<p>{<a href="{the C}"></a>', '{\u2063\u2061{the C}\u2064'],
  ['what looks like a mark', '<p>{\u2063the C} a\u2063&#x2061;b&#8292;</p>', '{\u2063the C} ab'],
  ['entities outside of expressions', '<p>Fish &amp; chips &lt;3</p>', 'Fish & chips <3'],
  ['a picture', '<p><img src="{the Picture}" alt="Logo">x</p>', 'x'],
  [
    'characters for private use',
    "<p>\ue000{the user's Name}\ue000s0\ue000</p>",
    "\ue000{the user's Name}\ue000s0\ue000",
  ],
  ['entities for private use', '<p>&#xE000;v0&#xe000;&#57344; {the A}</p>', '\ue000v0\ue000\ue000 {the A}'],
  ['rows', '<table><tr><td>Hello Ada,</td></tr><tr><td>bye.</td></tr></table>', 'Hello Ada,\nbye.'],
  [
    'cells',
    '<table><thead><tr><th>Item</th><th>Qty</th></tr></thead><tr><td>Mug</td><td><b>2</b></td></tr></table>',
    'Item Qty\nMug 2',
  ],
  [
    'blocks in cells',
    '<table><tr><td><h2>A</h2>b</td><td>c<br>d</td></tr><tr><td>e</td></tr></table>',
    'A\n\nb\nc\nd\ne',
  ],
  [
    'tables in tables',
    `${'<table><tr><td>&nbsp;</td></tr><tr><td>'.repeat(9)}a${'</td></tr></table>'.repeat(9)}<p>b</p>`,
    'a\n\nb',
  ],
  [
    'a loop around rows',
    '<table><tr><th>A</th></tr>\n{for each B in the C}\n<tr><td>{the B}</td></tr>\n{end for}\n</table><p>d</p>',
    'A\n{for each B in the C}{the B}\n{end for}\nd',
  ],
  [
    'a loop around cells',
    '<tr><td>A</td>{for each B in the C}<td>{the B}</td>{end for}</tr>',
    'A{for each B in the C} {the B}{end for}',
  ],
  [
    'a loop around items',
    '<ul>{for each B in the C}<li>{the B}</li>{end for}</ul>',
    '{for each B in the C} * {the B}\n{end for}',
  ],
  [
    'a loop around items without a list',
    'a{for each B in the C}<li>{the B}</li>{end for}',
    'a{for each B in the C}\n* {the B}\n{end for}',
  ],
  [
    'a choice of paragraphs',
    '<p>a</p>{if the A exists}<p>b</p>{else}<p>c</p>{end if}<p>d</p>',
    'a\n\n{if the A exists}b\n\n{else}c\n\n{end if}d',
  ],
  [
    'a condition that begins within a line',
    '<p>a {if the A exists}</p><p>b</p>{end if}<p>c</p>',
    'a {if the A exists}\n\nb\n\n{end if}\n\nc',
  ],
  [
    'blocks that only HTML 5 knows',
    '<figure>a<figcaption>b</figcaption></figure><center>c</center>',
    'a\nb\nc',
  ],
  ['a replacement pattern', '<p>{the Price, or "$& $1"}</p>', '{the Price, or "$& $1"}'],
];

describe('the text of an HTML template', () => {
  test.each(CASES)('%s', (_name, html, text) => {
    expect(deriveText(html)).toBe(text);
  });

  test('leaves Jinja2 without marks where nobody reads it', () => {
    expect(deriveText('{{ c }} {&#116;he C} {the C}', 'nlt')).toBe('{{ c }} {\u2063the C} {the C}');
  });

  test('sets rows and cells apart in HTML with too many tags to be read', () => {
    const text = deriveText(`<table>${'<tr><td>a</td><td>&#123;the B}</td></tr>'.repeat(5_000)}</table>`);
    expect(text.split(/\n+/)).toEqual(Array(5_000).fill('a {\u2063the B}'));
  });

  test('keeps a condition whose end stands in a tag that is left out', () => {
    const text = deriveText('{if the A exists}<img alt="{end if}">x');
    expect(parseTemplate(text).errors.length).toBe(0);
    expect(text).toContain('{end if}');
  });

  test('a list in a table', () => {
    const text = deriveText(
      "<table>{for each Item in the Items}<tr><td>{the Item's Name}</td></tr>{end for}</table>",
    );
    expect(parseTemplate(text).errors.length).toBe(0);
    expect(text).toContain("{the Item's Name}");
  });

  test('tags that are nested without end do no harm', () => {
    expect(() => deriveText('<div>'.repeat(100_000))).not.toThrow();
  });

  test('has no more syntax errors than the HTML', () => {
    const piece = fc.constantFrom(
      '<p>',
      '</p>',
      '<td title="',
      '">',
      '<!--',
      '-->',
      '<style>',
      '</style>',
      '<img alt="',
      '{if the A exists}',
      '{else}',
      '{end if}',
      '{for each B in the C}',
      '{end for}',
      "{the user's Name}",
      '{',
      '}',
      '&#123;',
      'the x',
      '<tr><td>',
      '<a href="',
      'text ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const html = pieces.join('');
        expect(parseTemplate(deriveText(html)).errors.length).toBeLessThanOrEqual(
          parseTemplate(html).errors.length,
        );
      }),
    );
  });
});
