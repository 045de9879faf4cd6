/** A published error code never changes its meaning: compares the committed list with the catalogue. */
import { readFileSync } from 'node:fs';
import { RULES, type RuleName } from '../../src/modules/inspect/domain/rules/catalogue.js';
import { givenLine, withGivenCodes } from '../../src/modules/inspect/domain/rules/given-codes.js';

const LIST = readFileSync('test/contract/given-codes.txt', 'utf8');
const GIVEN = LIST.split('\n').filter((line) => line !== '');

test.each(GIVEN)('%s is what it was', (line) => {
  const name = line.split(' ')[2] ?? '';
  expect(Object.hasOwn(RULES, name)).toBe(true);
  expect(givenLine(name as RuleName)).toBe(line);
});

test('every rule of the catalogue is among the given: npm run generate adds it', () => {
  expect(withGivenCodes(LIST)).toBe(LIST);
});

test('no code was given twice', () => {
  expect(new Set(GIVEN.map((line) => line.split(' ')[0])).size).toBe(GIVEN.length);
});

test('what was given stays as it is, and what is new is added', () => {
  const list = withGivenCodes('LK999 links link_empty\n');
  expect(list).toContain('LK999 links link_empty\n');
  expect(list).toContain('SJ001 subject subject_missing\n');
});

test('the codes that the contract gives', () => {
  expect([RULES.subject_missing.code, RULES.preheader_missing.code]).toEqual(['SJ001', 'SJ007']);
});
