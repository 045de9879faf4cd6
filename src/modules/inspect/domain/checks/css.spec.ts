/** Styles: what is reported, and what is not. */
import { parseSource } from '../../../../language/language.js';
import { readEmail } from '../email/parsed-email.js';
import type { RuleName } from '../rules/catalogue.js';
import { checkEmail } from './source-findings.js';

const found = (html: string): RuleName[] => {
  const { email } = readEmail(html, parseSource(html, null).tree.nodes);
  return email ? checkEmail(email, 'text').map(({ rule }) => rule) : ['too_complex'];
};

test.each<[RuleName, string, string]>([
  ['css_import', '<style>@import url("https://a.com/x.css");</style>', '<style>p{color:red}</style>'],
  [
    'css_external',
    '<link rel="stylesheet" href="https://a.com/x.css">',
    '<link rel="stylesheet" href="https://fonts.googleapis.com/css?family=Inter">',
  ],
  ['css_position', '<p style="position:absolute">x</p>', '<p style="position:relative">x</p>'],
  [
    'css_position',
    '<style>p{position:fixed}</style>',
    '<style>@media (max-width:600px){p{position:fixed}}</style>',
  ],
  ['css_float', '<div style="float:left">x</div>', '<div style="float:none">x</div>'],
  ['css_negative_margin', '<p style="margin:0 -10px">x</p>', '<p style="margin:0 10px -0">x</p>'],
  ['css_negative_margin', '<style>p{margin-top:-1.5em}</style>', '<p style="text-indent:-10px">x</p>'],
  ['css_variable_bare', '<p style="color:var(--a)">x</p>', '<p style="color:var(--a, red)">x</p>'],
  ['css_important_inline', '<p style="color:red!important">x</p>', '<style>p{color:red!important}</style>'],
  [
    'font_fallback_missing',
    `<p style="font-family:'Inter'">x</p>`,
    '<p style="font-family:Inter,sans-serif">x</p>',
  ],
  ['font_fallback_missing', '<style>p{font-family:Inter}</style>', '<p style="font-family:inherit">x</p>'],
  [
    'font_generic_missing',
    '<p style="font-family:Arial,Helvetica">x</p>',
    '<p style="font-family:Arial,Helvetica,sans-serif">x</p>',
  ],
  [
    'font_generic_missing',
    '<p style="font-family:Georgia">x</p>',
    `<p style="font-family:{the user's Font}">x</p>`,
  ],
  [
    'media_query_unit',
    '<style>@media (max-width:600){p{color:red}}</style>',
    '<style>@media (max-width:600px){p{color:red}}</style>',
  ],
  [
    'media_device_width',
    '<style>@media (max-device-width:600px){p{color:red}}</style>',
    '<style>@media (max-width:600px){p{color:red}}</style>',
  ],
  [
    'style_in_body',
    '<body><p>x</p><style>p{color:red}</style></body>',
    '<head><style>p{color:red}</style></head><body>x</body>',
  ],
  [
    'style_long',
    `<style>${'p{color:red}'.repeat(700)}</style>`,
    `<style>${'p{color:red}'.repeat(600)}</style><style>${'p{color:red}'.repeat(600)}</style>`,
  ],
  [
    'style_nested_at_rule',
    '<style>@media screen{@font-face{font-family:A}}</style>',
    '<style>@media screen{p{color:red}}@font-face{font-family:A}</style>',
  ],
  [
    'style_nested_at_rule',
    '<style>@supports (color:red){@media screen{p{color:red}}}</style>',
    '<style>p{color:red}</style>',
  ],
  ['selector_universal', '<style>*{color:red}</style>', '<style>.a *{color:red}</style>'],
  [
    'width_too_wide',
    '<table width="800"><tr><td>x</td></tr></table>',
    '<table width="600"><tr><td>x</td></tr></table>',
  ],
  ['width_too_wide', '<div style="width:960px">x</div>', '<table width="100%"><tr><td>x</td></tr></table>'],
  ['min_width_wide', '<div style="min-width:600px">x</div>', '<div style="min-width:320px">x</div>'],
  [
    'background_colour_missing',
    '<div style="background:url(https://a.com/x.png)">x</div>',
    '<div style="background:#fff url(https://a.com/x.png)">x</div>',
  ],
  [
    'background_colour_missing',
    '<body background="https://a.com/x.png">x</body>',
    '<body background="https://a.com/x.png" bgcolor="#ffffff">x</body>',
  ],
  [
    'css_script',
    '<p style="width:expression(alert(1))">x</p>',
    '<style>v\\:*{behavior:url(#default#VML)}</style>',
  ],
  ['colour_short', '<table bgcolor="#fff"><tr><td>x</td></tr></table>', '<p style="color:#fff">x</p>'],
  [
    'colour_invalid',
    '<table bgcolor="#ffff0g"><tr><td>x</td></tr></table>',
    '<table bgcolor="#ffff00"><tr><td>x</td></tr></table>',
  ],
  ['colour_invalid', '<p style="color:#12345">x</p>', '<p style="color:#123456;background:url(#a)">x</p>'],
  [
    'length_without_unit',
    '<p style="font-size:14">x</p>',
    '<p style="font-size:14px;line-height:1.5;margin:0">x</p>',
  ],
  ['length_without_unit', '<p style="padding:10 20px">x</p>', '<p style="width:calc(1px * 2)">x</p>'],
  [
    'css_property_unknown',
    '<p style="colr:red">x</p>',
    '<p style="color:red;mso-line-height-rule:exactly;-webkit-text-size-adjust:100%;--a:b">x</p>',
  ],
])('%s is found, and not where it is not', (rule, bad, good) => {
  expect(found(bad)).toContain(rule);
  expect(found(good)).not.toContain(rule);
});
