/** Fixes of tag errors: the fixed source has none, in each possible message of a template with conditions. */
import { parseSource } from '../../../../language/language.js';
import { readEmail } from '../email/parsed-email.js';
import { applyEdits } from './apply-edits.js';
import { tagFixes } from './tag-fixes.js';

function mended(html: string): string {
  const { email } = readEmail(html, parseSource(html, null).tree.nodes);
  return email ? applyEdits(html, [...tagFixes(email).values()].flat()) : '';
}

const tagWarnings = (html: string): unknown[] =>
  readEmail(html, parseSource(html, null).tree.nodes).findings.filter(({ rule }) => rule.startsWith('tag_'));

test.each([
  ['<div>x', '<div>x</div>'],
  ['<html><body><div><span>x\n</body></html>', '<html><body><div><span>x\n</span></div></body></html>'],
  ['<div><div><p>x</div>y\n', '<div><div><p>x</div>y</div>\n'],
  ['<table><tr><td>x', '<table><tr><td>x</table>'],
  ['x</div>y', 'xy'],
  [
    '<table><tr><td><div><span>x</td></tr></table>',
    '<table><tr><td><div><span>x</span></div></td></tr></table>',
  ],
  ['<b><i>x</b></i>', '<b><i>x</i></b>'],
  ['<b><i class="a">x</b>y</i>z', '<b><i class="a">x</i></b><i class="a">y</i>z'],
  ['<div><span>x</div>y</span>z', '<div><span>x</span></div>yz'],
  ["{if the user's A}<b>x {end if}y", "{if the user's A}<b>x</b> {end if}y"],
  ["<div>{if the user's A}x{end if}", "<div>{if the user's A}x{end if}</div>"],
  ["{if the user's A}<b>x {the user's B}{end if}y", "{if the user's A}<b>x {the user's B}</b>{end if}y"],
  [
    "{for each item in the user's Items}<div>x{end for}y",
    "{for each item in the user's Items}<div>x</div>{end for}y",
  ],
  [
    '{% if contact.a %}<td><div>{{ contact.b }}</td>{% endif %}',
    '{% if contact.a %}<td><div>{{ contact.b }}</div></td>{% endif %}',
  ],
])('%s', (html, expected) => {
  expect(mended(html)).toBe(expected);
  expect(tagWarnings(expected)).toEqual([]);
});

test.each([
  "{if the user's A}<b>{if the user's B}x{end if}{end if}y",
  "{if the user's A}<b>{end if}x</b>",
  "{if the user's A}<div>{else}{end if}x</div>",
  '<b><i title="{the user\'s Name}">x</b>y</i>',
])('is left to its author: %s', (html) => {
  expect(mended(html)).toBe(html);
});
