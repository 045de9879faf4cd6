/** Dark mode: what is reported, and what is not. */
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
    'color_scheme_missing',
    '<html lang="en"><head></head><body>x</body></html>',
    '<html lang="en"><head><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"></head><body>x</body></html>',
  ],
  [
    'color_scheme_missing',
    '<html lang="en"><head></head><body>x</body></html>',
    '<html lang="en"><head><style>:root{color-scheme:light}</style></head><body>x</body></html>',
  ],
  [
    'color_scheme_halved',
    '<html lang="en"><head><meta name="color-scheme" content="light"></head><body>x</body></html>',
    '<html lang="en"><head><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"></head><body>x</body></html>',
  ],
  [
    'color_scheme_halved',
    '<html lang="en"><head><meta name="supported-color-schemes" content="light"></head><body>x</body></html>',
    '<html lang="en"><head><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"></head><body>x</body></html>',
  ],
  [
    'colour_without_ground',
    '<p style="color:#111111">x</p>',
    '<div style="background:#ffffff"><p style="color:#111111">x</p></div>',
  ],
  [
    'colour_without_ground',
    '<font color="#111111">x</font>',
    '<style>body{background:#fff}</style><p style="color:#111111">x</p>',
  ],
  [
    'ground_without_colour',
    '<p style="background-color:#eeeeee">x</p>',
    '<p style="background-color:#eeeeee;color:#111111">x</p>',
  ],
  [
    'dark_rule_weak',
    '<style>@media (prefers-color-scheme:dark){p{color:#fff}}</style><p style="color:#000">x</p>',
    '<style>@media (prefers-color-scheme:dark){p{color:#fff!important}}</style><p style="color:#000">x</p>',
  ],
  [
    'dark_rule_weak',
    '<style>@media (prefers-color-scheme:dark){p{background-color:#000}}</style><p style="background:#fff">x</p>',
    '<style>@media (prefers-color-scheme:dark){p{color:#fff}}</style><p>x</p>',
  ],
  [
    'ground_by_attribute',
    '<style>@media (prefers-color-scheme:dark){p{color:#fff}}</style><table bgcolor="#ffffff"></table>',
    '<table bgcolor="#ffffff"></table>',
  ],
  [
    'dark_declared_unstyled',
    '<html lang="en"><head><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"></head><body>x</body></html>',
    '<html lang="en"><head><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><style>@media (prefers-color-scheme:dark){p{color:#fff}}</style></head><body>x</body></html>',
  ],
  [
    'dark_outlook_missing',
    '<style>@media (prefers-color-scheme:dark){p{color:#fff}}</style>',
    '<style>@media (prefers-color-scheme:dark){p{color:#fff}}[data-ogsc] p{color:#fff}</style>',
  ],
  [
    'dark_forbidden',
    '<html lang="en"><head><meta name="color-scheme" content="light only"></head><body>x</body></html>',
    '<html lang="en"><head><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"></head><body>x</body></html>',
  ],
])('%s is found, and not where it is not', (rule, bad, good) => {
  expect(found(bad)).toContain(rule);
  expect(found(good)).not.toContain(rule);
});
