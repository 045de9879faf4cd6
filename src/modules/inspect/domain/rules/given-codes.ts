/**
 * Codes that were given stand for their rule for ever (section 4.7). `test/contract/given-codes.txt` lists them, a line each: code, category
 * and the rule's name; it is only ever added to. `npm run generate` adds what is new.
 */
import { RULES, type RuleName } from './catalogue.js';
import type { Rule } from './rule.js';

/** The line of a rule as the catalogue has it. */
export function givenLine(name: RuleName): string {
  const { code, category }: Rule = RULES[name];
  return `${code} ${category} ${name}`;
}

/** The list with the rules that it lacks; what stands in it stays, even where the catalogue says otherwise. */
export function withGivenCodes(list: string): string {
  const lines = list.split('\n').filter((line) => line !== '');
  const names = new Set(lines.map((line) => line.split(' ')[2]));
  const added = (Object.keys(RULES) as RuleName[]).filter((name) => !names.has(name)).map(givenLine);
  return `${[...lines, ...added].sort().join('\n')}\n`;
}
