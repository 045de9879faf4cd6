/** Checks where a footer is placed with a parser that builds the page as browsers do. */
import fc from 'fast-check';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { endOfBody } from './end-of-body.js';
import { runs } from '../../../../test/support/test-scope.js';

type Node = DefaultTreeAdapterTypes.Node;
const MARK = '<div id="mark">seen</div>';

function finished(document: string): { at: number; stops: number } {
  const work = endOfBody(document);
  for (let stops = 0; ; stops++) {
    const step = work.next();
    if (step.done) return { at: step.value, stops };
  }
}
function marked(document: string): string {
  const { at } = finished(document);
  return document.slice(0, at) + MARK + document.slice(at);
}

/** The elements around the mark, innermost first; undefined if the page has no such element. */
function around(node: Node, outer: readonly string[] = []): readonly string[] | undefined {
  if ('attrs' in node && node.attrs.some(({ name, value }) => name === 'id' && value === 'mark'))
    return outer;
  const inner = 'tagName' in node ? [node.tagName, ...outer] : outer;
  const children = 'childNodes' in node ? node.childNodes : [];
  for (const child of children) {
    const found = around(child, inner);
    if (found) return found;
  }
  return undefined;
}

test.each([
  ['<html><body><p>x</p></body></html>', '<html><body><p>x</p>'],
  ['<p>x</p>', '<p>x</p>'],
  ['', ''],
  ['</body>x</body>', '</body>x'],
  ['<BODY>x</BODY ></HTML>', '<BODY>x'],
  ['<body>a</body><body>b</body>', '<body>a</body><body>b'],
  ['<html><body><p>x</p></body></html><!-- </body> -->', '<html><body><p>x</p>'],
  [
    '<body><p>x</p><!--[if mso]></body><![endif]--></html>',
    '<body><p>x</p><!--[if mso]></body><![endif]--></html>',
  ],
  ['<body><p>x</p><!-- </body></html> -->', '<body><p>x</p><!-- </body></html> -->'],
  ['<p>x</p><!-- end', '<p>x</p>'],
  ['<p>x</p><style>p{color:red}', '<p>x</p>'],
  ['<p>x</p><textarea>y', '<p>x</p>'],
  ['<p>x</p><img alt="</body>" src="a">', '<p>x</p><img alt="</body>" src="a">'],
  ['<p>x</p><a href="y', '<p>x</p>'],
  ['<body>x</body><!-- end', '<body>x'],
  ['a < b', 'a < b'],
  ['x<!-->y', 'x<!-->y'],
  ['x<!--->y', 'x<!--->y'],
  ['x<!-- a --!>y', 'x<!-- a --!>y'],
  ['<p title=a"b>x', '<p title=a"b>x'],
  ['<p =">x', '<p =">x'],
  ['x</>y', 'x</>y'],
])('in %j it stands behind %j', (document, before) => {
  expect(document.slice(0, finished(document).at)).toBe(before);
  expect(around(parse(marked(document)))).toBeDefined();
});

test('whatever accidents there are, it is an element of the page', () => {
  const part = fc.constantFrom(
    ...[
      '<p>',
      '</p>',
      'text',
      '<b',
      '>',
      '"',
      "'",
      '=',
      ' ',
      '/',
      '<!--',
      '-->',
      '--!>',
      '<!',
      '<?x',
      '</',
      '<',
    ],
    ...[
      '<style>',
      '</style>',
      '<title>',
      '</title >',
      '<textarea>',
      '</textarea>',
      '<body>',
      '</body>',
      '</html>',
    ],
    ...[
      '<a href="',
      'href=',
      "<img alt='",
      '</body',
      '<script>',
      '</script>',
      '<select>',
      '</select>',
      '<br/>',
    ],
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
      const inside = around(parse(marked(parts.join(''))));
      expect(inside).toBeDefined();
    }),
    { numRuns: runs(5_000) },
  );
});

test('a large message is read in pieces', () => {
  expect(finished('<p title="a">x</p>'.repeat(100_000)).stops).toBeGreaterThan(10);
  expect(finished(`${'<p>x</p>'.repeat(1_000)}`).stops).toBe(0);
});
