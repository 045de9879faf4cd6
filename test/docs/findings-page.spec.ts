/** docs/findings.md describes every rule as in the catalogue; `npm run generate` regenerates it. */
import { readFileSync } from 'node:fs';
import { FINDING_CODES, ruleOfCode } from '../../src/modules/inspect/domain/rules/catalogue.js';
import { withRules } from '../../src/modules/inspect/domain/rules/findings-page.js';

const PAGE = readFileSync('docs/findings.md', 'utf8');

test('the page has the catalogue', () => expect(withRules(PAGE)).toBe(PAGE));

test.each(FINDING_CODES)('%s has its entry, with severity, cause and fix', (code) => {
  const rule = ruleOfCode(code);
  const [, entry = ''] = PAGE.split(`### ${code}: `);
  const [own = ''] = entry.replace(/\\([^a-z0-9\s])/gi, '$1').split('\n### ');
  for (const word of [rule?.severity, rule?.title, rule?.cause, rule?.fix]) expect(own).toContain(word);
});

test('a page without marks, or with two of them, is refused', () => {
  expect(() => withRules('# Findings\n')).toThrow(/needs/);
  expect(() => withRules(`${PAGE}${PAGE}`)).toThrow(/needs/);
});
