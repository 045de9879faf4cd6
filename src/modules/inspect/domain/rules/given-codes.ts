/**
 * Keeps published codes bound to their rule forever (section 4.7). `test/contract/given-codes.txt` lists them, one per
 * line: code, category and the rule's name. The list only grows; `npm run generate` adds new rules.
 */
import { RULES, type RuleName } from './catalogue.js';
import type { Rule } from './rule.js';

/** The line of a rule in the list, by the catalogue. */
export function givenLine(name: RuleName): string {
  const { code, category }: Rule = RULES[name];
  return `${code} ${category} ${name}`;
}

/** The list with missing rules added; existing lines stay, even if the catalogue differs. */
export function withGivenCodes(list: string): string {
  const lines = list.split('\n').filter((line) => line !== '');
  const names = new Set(lines.map((line) => line.split(' ')[2]));
  const added = (Object.keys(RULES) as RuleName[]).filter((name) => !names.has(name)).map(givenLine);
  return `${[...lines, ...added].sort().join('\n')}\n`;
}
