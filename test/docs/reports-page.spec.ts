/**
 * docs/reports.md describes metrics, dimensions and filters as in the catalogue; `npm run generate` regenerates
 * it.
 */
import { readFileSync } from 'node:fs';
import { DATE_RANGE_PRESETS } from '../../src/kernel/date-range.js';
import { CATALOGUE } from '../../src/modules/metrics/domain/catalogue.js';
import { withCatalogue } from '../../src/modules/reports/domain/catalogue-page.js';
import { CHART_TYPES, REPORT_TYPES } from '../../src/modules/reports/domain/report.js';
import { DATE_RANGE_TYPES } from '../../src/modules/reports/domain/schedule.js';

const PAGE = readFileSync('docs/reports.md', 'utf8');

test('the page has the catalogue', () => expect(withCatalogue(PAGE)).toBe(PAGE));

test('every metric and every dimension has its line', () => {
  for (const { key, metrics, dimensions } of Object.values(CATALOGUE)) {
    const [, section = ''] = PAGE.split(`: \`${key}\`\n`);
    const [own = ''] = section.split('\n### ');
    for (const item of [...metrics, ...dimensions]) {
      const line = own.split('\n').find((one) => one.startsWith(`| \`${item.key}\` `));
      expect([item.key, line?.includes(item.description)]).toEqual([item.key, true]);
    }
  }
});

test('every word of a config and of a schedule is named', () => {
  for (const word of [...REPORT_TYPES, ...CHART_TYPES, ...DATE_RANGE_PRESETS, ...DATE_RANGE_TYPES])
    expect(PAGE).toContain(`\`${word}\``);
});

test('a page without marks, or with two of them, is refused', () => {
  expect(() => withCatalogue('# Reports\n')).toThrow(/needs/);
  expect(() => withCatalogue(`${PAGE}${PAGE}`)).toThrow(/needs/);
});
