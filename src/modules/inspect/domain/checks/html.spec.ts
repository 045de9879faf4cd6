/** Markup: what is reported, and what is not. */
import { parseSource } from '../../../../language/language.js';
import { readEmail } from '../email/parsed-email.js';
import type { RuleName } from '../rules/catalogue.js';
import { checkEmail } from './source-findings.js';

const found = (html: string): RuleName[] => {
  const { email } = readEmail(html, parseSource(html, null).tree.nodes);
  return email ? checkEmail(email, 'text').map(({ rule }) => rule) : ['too_complex'];
};

test.each<[RuleName, string, string]>([
  [
    'meta_refresh',
    '<meta http-equiv="Refresh" content="0">',
    '<meta http-equiv="content-type" content="text/html">',
  ],
  ['base_element', '<base href="https://a.com/">', '<p>x</p>'],
  ['form_in_email', '<form action="https://a.com"><input></form>', '<p>x</p>'],
  ['form_in_email', '<textarea></textarea>', '<input type="hidden">'],
  ['button_element', '<button>Buy</button>', '<a href="https://a.com">Buy</a>'],
  ['video_element', '<video src="https://a.com/x.mp4"></video>', '<!--<video>-->'],
  ['audio_element', '<audio></audio>', '<p>audio</p>'],
  ['svg_inline', '<svg><title>x</title></svg>', '<img src="https://a.com/x.svg">'],
  ['canvas_element', '<canvas></canvas>', '<div></div>'],
  ['marquee_element', '<marquee>x</marquee>', '<p>x</p>'],
  ['element_obsolete', '<tt>x</tt>', '<center><font>x</font></center>'],
  ['html_support_poor', '<picture></picture>', '<p style="display:grid">x</p>'],
  ['html_support_partial', '<section>x</section>', '<table><tr><td>x</td></tr></table>'],
  ['tables_nested_deep', `${'<table><tr><td>'.repeat(13)}x`, `${'<table><tr><td>'.repeat(12)}x`],
  [
    'viewport_missing',
    '<html lang="en"><head></head><body><table><tr><td>x</td></tr></table></body></html>',
    '<html lang="en"><head><meta name="Viewport" content="width=device-width"></head><body><table><tr><td>x</td></tr></table></body></html>',
  ],
  [
    'viewport_missing',
    '<head></head><body><table><tr><td>x</td></tr></table></body>',
    '<table><tr><td>x</td></tr></table>',
  ],
  [
    'viewport_missing',
    '<head><style>@media (max-width:600px){p{color:red}}</style></head><body>x</body>',
    '<head><style>p{color:red}</style></head><body><p>Running text</p></body>',
  ],
  [
    'apple_reformatting',
    '<html lang="en"><head></head><body><table><tr><td>x</td></tr></table></body></html>',
    '<html lang="en"><head><meta name="x-apple-disable-message-reformatting"></head><body><table><tr><td>x</td></tr></table></body></html>',
  ],
  [
    'outlook_dpi_missing',
    '<html lang="en"><head></head><body><!--[if mso]><p>x</p><![endif]--></body></html>',
    '<html lang="en"><head></head><body><!--[if mso]><o:PixelsPerInch>96</o:PixelsPerInch><![endif]--></body></html>',
  ],
  [
    'outlook_dpi_missing',
    '<html lang="en"><head></head><body><!--[if gte mso 9]><v:rect></v:rect><![endif]--></body></html>',
    '<html lang="en"><head></head><body><!-- x --></body></html>',
  ],
  [
    'outlook_namespace_missing',
    '<html lang="en"><head></head><body><!--[if mso]><v:rect></v:rect><![endif]--></body></html>',
    '<html xmlns:v="urn:schemas-microsoft-com:vml" lang="en"><head></head><body><!--[if mso]><v:rect></v:rect><![endif]--></body></html>',
  ],
  ['conditional_comment_broken', '<!--[if mso]><p>x</p>-->', '<!--[if mso]><p>x</p><![endif]-->'],
  [
    'conditional_comment_broken',
    '<!--[if !mso]><!--><p>x</p>',
    '<!--[if !mso]><!--><p>x</p><!--<![endif]-->',
  ],
  ['conditional_comment_broken', '<p>x</p><!--<![endif]-->', '<!--[if !mso]>--><p>x</p><!--<![endif]-->'],
  ['conditional_comment_broken', '<![if !mso]><p>x</p>', '<![if !mso]><p>x</p><![endif]>'],
  [
    'document_part_twice',
    '<html><body>x</body><body>y</body></html>',
    '<html><body>x<!-- <body> --></body></html>',
  ],
  ['document_part_twice', '<title>a</title><title>b</title>', '<title>a</title><svg><title>b</title></svg>'],
  ['document_part_twice', '<body>x<body>y', `{if the user's A}<body>{else}<body class="b">{end if}x`],
  ['id_twice', '<p id="a">x</p><p id="a">y</p>', '<p id="a">x</p><p id="b">y</p>'],
  [
    'id_twice',
    '<p id="a">x</p><p id="a">y</p>',
    `{if the user's A}<p id="a">x</p>{else}<p id="a">y</p>{end if}`,
  ],
  [
    'invisible_characters',
    `<p>${'a\u200bb '.repeat(5)}</p>`,
    `<div style="display:none">${'a\u200bb '.repeat(50)}</div><p>a\u200bb ${'\u200b '.repeat(9)}</p>`,
  ],
  [
    'invisible_characters',
    `<p>${'vi\u200dagra '.repeat(5)}</p>`,
    `<p>${'می\u200cخواهم '.repeat(9)}&zwnj;&nbsp;</p>`,
  ],
  ['charset_contradicts', '<meta charset="iso-8859-1">', '<meta charset="UTF-8">'],
  [
    'charset_contradicts',
    '<meta http-equiv="content-type" content="text/html; charset=windows-1252">',
    '<meta http-equiv="content-type" content="text/html; charset=utf-8">',
  ],
  ['control_characters', '<p>a\u0007b</p>', '<p>a\tb\r\n</p>'],
  ['direction_override', '<p>moc\u202e.a</p>', '<p dir="rtl">\u05e9\u05dc\u05d5\u05dd\u200f</p>'],
  ['comment_note', `<!-- ${'TO'}DO: price -->`, '<!-- header -->'],
  ['comment_note', '<!-- password: hunter2 -->', '<!--[if mso]>secret: x<![endif]-->'],
  ['comments_long', `<!-- ${'x'.repeat(4_100)} -->`, `<!--[if mso]>${'x'.repeat(4_100)}<![endif]-->`],
  ['elements_many', '<p>x</p>'.repeat(3_001), '<p>x</p>'.repeat(2_900)],
  [
    'table_spacing_missing',
    '<table><tr><td>x</td></tr></table>',
    '<table cellpadding="0" cellspacing="0"><tr><td>x</td></tr></table>',
  ],
  [
    'table_spacing_missing',
    '<table cellpadding="0"><tr><td>x</td></tr></table>',
    '<table cellpadding="0" style="border-collapse:collapse"><tr><td>x</td></tr></table>',
  ],
  ['paragraph_split', '<p>a<div>b</div></p>', '<p>a</p><div>b</div>'],
  ['block_in_inline', '<span><div>x</div></span>', '<a href="https://a.com"><div>x</div></a>'],
  [
    'table_content_misplaced',
    '<table><tr>text<td>x</td></tr></table>',
    '<table> <tr> <td>x</td> </tr> </table>',
  ],
  [
    'table_content_misplaced',
    '<table><tr><p>y</p><td>x</td></tr></table>',
    `<table>{the user's Rows}<tr><td>x</td></tr></table>`,
  ],
  ['entity_escaped_twice', '<p>a&amp;nbsp;b</p>', '<p>a&nbsp;b &amp; c</p>'],
])('%s is found, and not where it is not', (rule, bad, good) => {
  expect(found(bad)).toContain(rule);
  expect(found(good)).not.toContain(rule);
});
