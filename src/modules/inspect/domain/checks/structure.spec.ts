/** How a screen reader reads tables and headings. */
import { parseSource } from '../../../../language/language.js';
import { readEmail } from '../email/parsed-email.js';
import { checkStructure } from './structure.js';

test.each<[string, string[]]>([
  ['<table><tr><td>x</td></tr></table>', ['table_role_missing']],
  ['<table role="presentation"><tr><td>x</td></tr></table>', []],
  ['<table><tr><th>x</th></tr></table>', []],
  ['<table><caption>x</caption></table>', []],
  ['<table><tr><td><table role="none"><tr><th>x</th></tr></table></td></tr></table>', ['table_role_missing']],
  ['<h1>a</h1><h2>b</h2><h3>c</h3><h2>d</h2>', []],
  ['<h1>a</h1><h3>b</h3>', ['heading_skipped']],
  ['<h2>a</h2><h3>b</h3>', []],
  ['<h1>a</h1><h2></h2><h3>b</h3>', ['heading_skipped']],
])('%s', (html, expected) => {
  const { email } = readEmail(html, parseSource(html, null).tree.nodes);
  expect(email && checkStructure(email).map(({ rule }) => rule)).toEqual(expected);
});
