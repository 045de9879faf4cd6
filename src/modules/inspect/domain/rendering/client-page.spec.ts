import { repetitions } from '../../../../../test/support/test-scope.js';
import { RENDER_CLIENTS, type RenderClient } from './render-client.js';
import { renderClientPage } from './client-page.js';

function shown(html: string, client: RenderClient): string {
  const page = renderClientPage(html, client);
  if (!page) throw new Error('no page');
  return page.html.replace(/ data-wp="\d+"/g, '');
}

/** The clients whose page contains a text. */
function programsWith(html: string, part: string | RegExp): RenderClient[] {
  const has = (page: string): boolean => (typeof part === 'string' ? page.includes(part) : part.test(page));
  return RENDER_CLIENTS.filter((client) => has(shown(html, client)));
}

const ALL = [...RENDER_CLIENTS];
const without = (...clients: RenderClient[]): RenderClient[] => ALL.filter((each) => !clients.includes(each));

test.each<[string, string, string | RegExp, readonly RenderClient[]]>([
  ['a plain paragraph', '<p style="color:red">Hi</p>', 'color:red', ALL],
  ['a script', '<script>alert(1)</script><p>Hi</p>', 'alert', []],
  ['a frame', '<iframe src="https://x.example"></iframe>', 'iframe', []],
  [
    'a page that leads elsewhere',
    '<meta http-equiv="refresh" content="0;url=https://x.example">',
    'refresh',
    [],
  ],
  ['a base', '<base href="https://x.example/"><p>Hi</p>', '<base', []],
  ['an event', '<p onclick="alert(1)">Hi</p>', 'onclick', []],
  ['an address that is a script', '<a href=" javascript:alert(1)">Hi</a>', 'javascript', []],
  ['a sheet from elsewhere', '<link rel="stylesheet" href="https://x.example/a.css">', '<link', []],
  ['an imported sheet', '<style>@import url(https://x.example/a.css);p{color:red}</style>', '@import', []],
  ['round corners', '<p style="border-radius:4px">Hi</p>', 'border-radius', without('outlook_windows')],
  ['padding of a paragraph', '<p style="padding:4px">Hi</p>', 'padding:4px', without('outlook_windows')],
  ['padding of a cell', '<table><tr><td style="padding:4px">Hi</td></tr></table>', 'padding:4px', ALL],
  [
    'a most width of a division',
    '<div style="max-width:600px">Hi</div>',
    'max-width:600px',
    without('outlook_windows'),
  ],
  [
    'a background image',
    '<p style="background-image:url(https://x.example/a.png)">Hi</p>',
    'a.png',
    without('outlook_windows'),
  ],
  ['a background colour', '<p style="background:#fff">Hi</p>', 'background:#fff', ALL],
  ['a floating image', '<img style="float:left" alt="">', 'float', without('outlook_windows')],
  [
    'a place of its own',
    '<p style="position:absolute">Hi</p>',
    'position',
    ['apple_mail', 'samsung_mail', 'thunderbird'],
  ],
  [
    'a negative margin',
    '<p style="margin:-4px">Hi</p>',
    '-4px',
    ['apple_mail', 'samsung_mail', 'thunderbird'],
  ],
  ['flex', '<div style="display:flex">Hi</div>', 'display:flex', without('outlook_windows')],
  [
    'grid',
    '<div style="display:grid">Hi</div>',
    'display:grid',
    without('gmail_web', 'gmail_app', 'outlook_windows', 'yahoo'),
  ],
  [
    'a variable',
    '<p style="color:var(--x)">Hi</p>',
    'var(',
    without('gmail_web', 'gmail_app', 'outlook_windows', 'outlook_com', 'yahoo'),
  ],
  [
    'a colour with blanks',
    '<p style="color:rgb(0 128 0)">Hi</p>',
    'rgb(0 128',
    ['outlook_com', 'apple_mail', 'samsung_mail', 'thunderbird'],
  ],
  ['an opacity', '<p style="opacity:0">Hi</p>', 'opacity', without('outlook_windows')],
  ['something hidden', '<p style="display:none">Hi</p>', 'display:none', ALL],
  ['something hidden by HTML', '<p hidden>Hi</p>', ' hidden', ['apple_mail', 'samsung_mail', 'thunderbird']],
  ['a drawing', '<svg><text>Hi</text></svg>', '<svg', ['apple_mail', 'samsung_mail', 'thunderbird']],
  ['text in a part with a meaning', '<main>Hi</main>', 'Hi', ALL],
  ['a rule of classes', '<style>.a{color:red}</style><p class="a">Hi</p>', '{color:red', ALL],
  ['a rule of nested classes', '<style>.a > .b{color:red}</style>', '{color:red', without('outlook_windows')],
  [
    'a rule of what comes first',
    '<style>p:first-child{color:red}</style>',
    '{color:red',
    without('gmail_web', 'gmail_app', 'outlook_windows'),
  ],
  [
    'one selector of two',
    '<style>p,p:nth-child(2){color:red}</style>',
    'nth-child',
    ['apple_mail', 'samsung_mail', 'thunderbird'],
  ],
  [
    'styles for narrow screens',
    '<style>@media (max-width:600px){p{color:red}}</style>',
    '@media',
    without('outlook_windows', 'thunderbird'),
  ],
  [
    'styles for the dark',
    '<style>@media (prefers-color-scheme:dark){p{color:red}}</style>',
    '@media',
    ['outlook_com', 'apple_mail', 'samsung_mail'],
  ],
  [
    'styles for print',
    '<style>@media (max-height:60px){p{color:red}}</style>',
    '@media',
    without('gmail_web', 'gmail_app', 'outlook_windows', 'thunderbird'),
  ],
  [
    'a web font',
    '<style>@font-face{font-family:X;src:url(x.woff)}</style>',
    '@font-face',
    without('gmail_web', 'gmail_app', 'outlook_com', 'yahoo'),
  ],
  [
    'a sheet with an error',
    '<style>p{color:red}}} @@ {{</style>',
    'color:red',
    without('gmail_web', 'gmail_app'),
  ],
  [
    'a sheet of 17 KB',
    `<style>p{color:red}${'a{color:blue}'.repeat(1_400)}</style>`,
    'color:red',
    without('gmail_web', 'gmail_app'),
  ],
  [
    'a sheet in the body',
    '<body><p>Hi</p><style>p{color:red}</style></body>',
    'color:red',
    without('gmail_web', 'gmail_app'),
  ],
  ['what is for Outlook', '<!--[if mso]><p>Word</p><![endif]--><p>Hi</p>', '<p>Word', ['outlook_windows']],
  [
    'what is not for Outlook',
    '<!--[if !mso]><!--><p>Others</p><!--<![endif]-->',
    'Others',
    without('outlook_windows'),
  ],
  [
    'half a table for Outlook',
    '<!--[if mso]><table><tr><td><![endif]--><p>Hi</p><!--[if mso]></td></tr></table><![endif]-->',
    '<td>',
    ['outlook_windows'],
  ],
])('%s', (_, html, part, kept) => {
  expect(programsWith(html, part)).toEqual(kept);
});

test('classes get the prefix of the program in HTML and in selectors, and the body becomes a division', () => {
  const html =
    '<style>body{margin:0}.a .b,#c{color:red}</style><body class="z" bgcolor="#eee"><p class="a b" id="c">Hi</p>';
  expect(shown(html, 'outlook_com')).toBe(
    '<!DOCTYPE html><html><head><style>.wp-body{margin:0;}.x_a .x_b,#x_c{color:red;}</style></head>' +
      '<body><div class="wp-body x_z" style="background-color:#eee"><p class="x_a x_b" id="x_c">Hi</p></div></body></html>',
  );
});

test('what is taken out is told with its place, and elements bear theirs', () => {
  const html = '<div><p style="border-radius:4px;color:red">Hello</p></div>';
  const page = renderClientPage(html, 'outlook_windows');
  expect(page?.html).toContain('<p style="color:red" data-wp="5">');
  expect(page?.dropped).toEqual([
    {
      kind: 'declaration',
      name: 'border-radius',
      value: '4px',
      at: 5,
      element: 'p',
      text: 'Hello',
      lost: false,
      remainingStyle: 'color:red',
    },
  ]);
});

test.each([
  ['elements', '<p>'.repeat(30_000)],
  ['elements in elements', '<div>'.repeat(5_000)],
  ['elements thrown out of tables', '<table><div>'.repeat(repetitions({ short: 1_000, full: 5_000 }))],
  ['brackets in style', `<style>${'{('.repeat(5_000)}</style>`],
])('no number of %s does harm', (_, html) => {
  for (const client of RENDER_CLIENTS) expect(() => renderClientPage(html, client)).not.toThrow();
});
