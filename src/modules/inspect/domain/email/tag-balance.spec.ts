/**
 * Tags that are not closed, closed twice or in the wrong order, in each possible message of a template with conditions.
 */
import { parseSource } from '../../../../language/language.js';
import { readEmail } from './parsed-email.js';

const tagWarnings = (html: string): [string, unknown][] =>
  readEmail(html, parseSource(html, null).tree.nodes)
    .findings.filter(({ rule }) => rule.startsWith('tag_'))
    .map(({ rule, at }) => [rule, at]);

test.each<[string, [string, number][]]>([
  ['<div><p>x</p></div>', []],
  ['<p>x<p>y<ul><li>a<li>b</ul>', []],
  ['<table><tr><td>a<td>b<tr><td>c</table>', []],
  ['x<br>y<img><hr/>', []],
  ['<html><body>x', []],
  ['<div>x', [['tag_unclosed', 0]]],
  ['x</div>', [['tag_unopened', 1]]],
  ['<b><i>x</b></i>', [['tag_misnested', 7]]],
  ['<div><span>x</div>', [['tag_misnested', 12]]],
  ['<table><tr><td></div></td></tr></table>', [['tag_unopened', 15]]],
  ['<div><table><tr><td>x</div></td></tr></table></div>', [['tag_unopened', 21]]],
  ['<table><tr><td><b>x</td></tr></table>', [['tag_misnested', 19]]],
  ['<td><table><tr><td>x</td></tr></table></td>', []],
  ['<title>a <b> c</title>', []],
  ['<style>a > b</style>', []],
  ['<!--[if mso]><table><tr><td><![endif]-->x<!--[if mso]></td></tr></table><![endif]-->', []],
  ['<svg><path d=""/><g><circle/></g></svg>', []],
  ['<o:p/>x', []],
  ['{if the user\'s A}<div>{else}<div class="b">{end if}x</div>', []],
  ["{if the user's A}<b>{end if}x{if the user's A}</b>{end if}", []],
  ["{if the user's A}<b>{end if}x</b>", [['tag_unopened', 29]]],
  ["{if the user's A}<b>x{end if}", [['tag_unclosed', 17]]],
  ["{if the user's A}x{else}<b>y{end if}", [['tag_unclosed', 24]]],
  ["{for each item in the user's Items}<p>x</p>{end for}", []],
  ['<p title="{the user\'s <b>Name</b>}">x</p>', []],
])('%s', (html, expected) => {
  expect(tagWarnings(html)).toEqual(expected);
});
