/** Contrast and size of text, with inherited styles. */
import { parseSource } from '../../../../language/language.js';
import { checkLegibility } from './legibility.js';
import { readEmail } from '../email/parsed-email.js';

const codes = (html: string): string[] => {
  const { email } = readEmail(html, parseSource(html, null).tree.nodes);
  return email ? checkLegibility(email).map(({ rule }) => rule) : ['too complex'];
};
const LOW = ['contrast_low'];

test.each<[string, string, string[]]>([
  ['black on white', '<p>x</p>', []],
  ['grey on white', '<p style="color:#999">x</p>', LOW],
  ['grey that is dark enough', '<p style="color:#767676">x</p>', []],
  ['grey that is a shade too light', '<p style="color:#777">x</p>', LOW],
  ['large grey', '<p style="color:#888;font-size:24px">x</p>', []],
  ['bold grey', '<p style="color:#888;font-size:19px;font-weight:700">x</p>', []],
  ['large by points', '<p style="color:#888;font-size:18pt">x</p>', []],
  ['a heading', '<h1 style="color:#888">x</h1>', []],
  ['handed down', '<div style="color:#999"><p><b>x</b></p></div>', LOW],
  ['overridden', '<div style="color:#999"><p style="color:#000">x</p></div>', []],
  [
    'white on a dark cell',
    '<table bgcolor="#000000"><tr><td><font color="white">x</font></td></tr></table>',
    [],
  ],
  ['black on a dark cell', '<table><tr><td bgcolor="#222222">x</td></tr></table>', LOW],
  ['a background in short', '<p style="background:#111;color:#222">x</p>', LOW],
  ['half seen through', '<p style="color:rgba(0,0,0,.3)">x</p>', LOW],
  ['a link on a dark ground', '<div style="background-color:navy"><a href="https://a.com">x</a></div>', LOW],
  ['a gradient is not judged', '<p style="background:linear-gradient(#000,#111);color:#222">x</p>', []],
  ['an image is not judged', '<p style="background:#000 url(x.png);color:#222">x</p>', []],
  ['a variable is not judged', '<p style="color:var(--x)">x</p>', []],
  ['an expression is not judged', '<p style="color:{the user\'s Colour}">x</p>', []],
  ['transparency is not judged', '<p style="opacity:.5;color:#777">x</p>', []],
  ['hidden text is not judged', '<p style="display:none;color:#fff">x</p>', []],
  ['by type', '<style>p{color:#aaa}</style><p>x</p>', LOW],
  ['by class', '<style>.a{color:#aaa}</style><p class="b a">x</p>', LOW],
  ['by id', '<style>#a{color:#aaa}</style><p id="a">x</p>', LOW],
  ['by descent', '<style>div p{color:#aaa}</style><div><b><p>x</p></b></div>', LOW],
  ['by birth', '<style>div > p{color:#aaa}</style><div><section><p>x</p></section></div>', []],
  ['no such element', '<style>.b p{color:#aaa}</style><div class="a"><p>x</p></div>', []],
  ['the style attribute wins', '<style>p{color:#aaa}</style><p style="color:#000">x</p>', []],
  ['importance wins', '<style>p{color:#aaa !important}</style><p style="color:#000">x</p>', LOW],
  ['an id beats a class', '<style>#a{color:#000}.a{color:#aaa}</style><p id="a" class="a">x</p>', []],
  ['the later one wins', '<style>p{color:#000}p{color:#aaa}</style><p>x</p>', LOW],
  ['hovering is not judged', '<style>p:hover{color:#aaa}</style><p>x</p>', []],
  ['what is not understood is not judged', '<style>p{color:#aaa}p:not(.a){color:#000}</style><p>x</p>', []],
  ['dark mode is not judged', '<style>@media (prefers-color-scheme:dark){p{color:#eee}}</style><p>x</p>', []],
  ['every screen is judged', '<style>@media screen{p{color:#eee}}</style><p>x</p>', LOW],
  ['values are text', '<p style="color:#eee">{the user\'s Name}</p>', LOW],
  ['tiny', '<p style="font-size:11px">x</p>', ['text_tiny']],
  ['tiny by percent', '<p style="font-size:50%">x</p>', ['text_tiny']],
  ['tiny by em', '<div style="font-size:20px"><p style="font-size:.5em">x</p></div>', ['text_tiny']],
  ['tiny in short', '<p style="font:italic 10px/1.2 Arial">x</p>', ['text_tiny']],
  ['twelve is enough', '<p style="font-size:12px">x</p>', []],
  ['a size of one hides', '<p style="font-size:1px">x</p>', []],
])('%s', (_name, html, expected) => {
  expect(codes(html)).toEqual(expected);
});

test('names both colours and the ratio, for each element that has text of its own', () => {
  const html = '<p style="color:#999">x<br>z</p>\n<p style="color:#999">y</p>';
  const { email } = readEmail(html, parseSource(html, null).tree.nodes);
  const message = 'Text in #999999 on #ffffff has a contrast of 2.84:1; it needs 4.5:1.';
  expect(email && checkLegibility(email)).toEqual([
    { rule: 'contrast_low', message, at: html.indexOf('x') },
    { rule: 'contrast_low', message, at: html.lastIndexOf('y') },
  ]);
});
