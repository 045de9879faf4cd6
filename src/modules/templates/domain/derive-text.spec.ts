import fc from 'fast-check';
import { deriveText } from './derive-text.js';
import { parseTemplate } from './nlt/parser.js';

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
    "Open (https://a.test/?u={the user's Id})",
  ],
  [
    'a condition around paragraphs',
    '<p>{if the A exists}</p><p>yes</p><p>{end if}</p>',
    '{if the A exists}\n\nyes\n\n{end if}',
  ],
  ['a condition in an attribute goes with it', '<td style="{if the A exists}color:red{end if}">x</td>', 'x'],
  [
    'a condition in comments stays',
    '<!-- {if the A exists} --><p>yes</p><!-- {end if} -->',
    '{if the A exists}\n\nyes\n\n{end if}',
  ],
  ['a value in a comment goes with it', "<!-- {the user's Name} --><p>x</p>", 'x'],
  [
    'style, script and title are no text',
    '<html><head><title>T</title><style>a { color: red }</style></head><body>x</body></html>',
    'x',
  ],
  ['braces that are no expression', '<p>a { b } {{ c }}</p>', 'a { b } {{ c }}'],
  ['entities outside of expressions', '<p>Fish &amp; chips &lt;3</p>', 'Fish & chips <3'],
  ['a picture', '<p><img src="{the Picture}" alt="Logo">x</p>', 'x'],
  [
    'characters for private use',
    "<p>\ue000{the user's Name}\ue000s0\ue000</p>",
    "\ue000{the user's Name}\ue000s0\ue000",
  ],
  ['a replacement pattern', '<p>{the Price, or "$& $1"}</p>', '{the Price, or "$& $1"}'],
];

describe('the text of an HTML template', () => {
  test.each(CASES)('%s', (_name, html, text) => {
    expect(deriveText(html)).toBe(text);
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
