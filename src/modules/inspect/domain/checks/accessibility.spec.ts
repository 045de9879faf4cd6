/** Accessibility: what is reported, and what is not. */
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
    'name_by_title',
    '<a href="https://a.com" title="Shop"><img src="https://a.com/x.png" alt=""></a>',
    '<a href="https://a.com" title="Shop">Shop</a>',
  ],
  ['text_justified', '<p style="text-align:justify">x</p>', '<p style="text-align:left">x</p>'],
  ['text_justified', '<p align="justify">x</p>', '<p align="center">x</p>'],
  ['line_height_small', '<p style="line-height:1">x</p>', '<p style="line-height:1.5">x</p>'],
  ['line_height_small', '<p style="line-height:100%">x</p>', '<td style="line-height:1">x</td>'],
  ['lang_invalid', '<html lang="english">x</html>', '<html lang="pt-BR">x</html>'],
  ['lang_invalid', '<p lang="en_US">x</p>', `<p lang="{the user's Locale}">x</p>`],
  ['direction_missing', '<p>\u05e9\u05dc\u05d5\u05dd</p>', '<p dir="rtl">\u05e9\u05dc\u05d5\u05dd</p>'],
  ['heading_empty', '<h2> </h2>', '<h2><img src="https://a.com/x.png" alt="Acme"></h2>'],
  ['headings_first_many', '<h1>A</h1><h1>B</h1>', '<h1>A</h1><h2>B</h2>'],
  ['heading_first_missing', '<h2>A</h2>', '<h2>A</h2><h1>B</h1>'],
  [
    'link_text_repeated',
    '<a href="https://a.com">Shop</a> or <a href="https://b.com">Shop</a>',
    '<a href="https://a.com">Shop</a> or <a href="https://a.com">Shop</a>',
  ],
  [
    'table_scope_missing',
    '<table><tr><th>A</th></tr></table>',
    '<table><tr><th scope="col">A</th></tr></table>',
  ],
  [
    'data_table_presented',
    '<table role="presentation"><tr><th>A</th></tr></table>',
    '<table role="presentation"><tr><td><table><tr><th>A</th></tr></table></td></tr></table>',
  ],
  ['tabindex_positive', '<p tabindex="2">x</p>', '<p tabindex="0">x</p>'],
  ['media_autoplay', '<video autoplay></video>', '<video></video>'],
  ['motion_endless', '<p style="animation:a 1s infinite">x</p>', '<p style="animation:a 1s">x</p>'],
  [
    'motion_endless',
    '<style>p{animation:a 1s infinite}</style>',
    '<style>p{animation:a 1s infinite}@media (prefers-reduced-motion:reduce){p{animation:none}}</style>',
  ],
  ['link_only_symbols', '<a href="https://a.com">→</a>', '<a href="https://a.com" aria-label="Next">→</a>'],
  ['text_capitals', '<p>THIS IS A VERY LONG TEXT THAT IS IN CAPITALS ALL THE WAY</p>', '<p>SHOP NOW</p>'],
  [
    'alt_repeats_text',
    '<a href="https://a.com"><img src="https://a.com/x.png" alt="Shop"> Shop</a>',
    '<a href="https://a.com"><img src="https://a.com/x.png" alt=""> Shop</a>',
  ],
  [
    'link_hidden_from_readers',
    '<a href="https://a.com" aria-hidden="true">x</a>',
    '<a href="https://a.com" aria-hidden="false">x</a>',
  ],
  [
    'zoom_forbidden',
    '<meta name="viewport" content="width=device-width, user-scalable=no">',
    '<meta name="viewport" content="width=device-width, maximum-scale=10">',
  ],
  [
    'zoom_forbidden',
    '<meta name="viewport" content="maximum-scale=1.0">',
    '<meta name="viewport" content="initial-scale=1">',
  ],
  ['text_underlined', '<u>x</u>', '<a href="https://a.com"><u>x</u></a>'],
  [
    'text_underlined',
    '<span style="text-decoration:underline">x</span>',
    '<u><a href="https://a.com">x</a></u>',
  ],
])('%s is found, and not where it is not', (rule, bad, good) => {
  expect(found(bad)).toContain(rule);
  expect(found(good)).not.toContain(rule);
});
