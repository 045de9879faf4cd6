import { hexOf, readColour, BLACK } from '../email/colour.js';
import { darkColour } from './dark-colours.js';
import { darkPage } from './dark-page.js';

const dark = (colour: string, role: 'ground' | 'text', way: 'partial' | 'full'): string =>
  hexOf(darkColour(readColour(colour) ?? BLACK, role, way));

test.each<[string, 'ground' | 'text', string, string]>([
  ['#ffffff', 'ground', '#1f1f1f', '#1f1f1f'],
  ['#000000', 'ground', '#000000', '#ffffff'],
  ['#000000', 'text', '#ffffff', '#ffffff'],
  ['#ffffff', 'text', '#ffffff', '#1f1f1f'],
  ['#cc0000', 'ground', '#cc0000', '#e42e22'],
])('%s as %s becomes %s in part and %s in full', (colour, role, partial, full) => {
  expect([dark(colour, role, 'partial'), dark(colour, role, 'full')]).toEqual([partial, full]);
});

test('colours are turned over in sheets, style attributes and HTML’s own; gradients stay', () => {
  const page = darkPage(
    '<html><head><style>p{color:black;background:white url(a.png)}</style></head><body bgcolor="#fff" text="#000">' +
      '<p style="background:linear-gradient(#fff,#eee);border:1px solid white">x</p></body></html>',
    'partial',
  );
  expect(page).toContain('p{color:#ffffff;background:#1f1f1f url(a.png)}');
  expect(page).toContain('<body bgcolor="#1f1f1f" text="#ffffff">');
  expect(page).toContain('style="background:linear-gradient(#fff,#eee);border:1px solid #1f1f1f"');
  expect(page).toContain('html{background:#1f1f1f;color:#e8e8e8}');
});
