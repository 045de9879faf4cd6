/** The template reports of a workspace: one of each type except custom, and each can be run. */
import { checkedConfig } from './config-errors.js';
import { REPORT_TYPES } from './report.js';
import { templateReports } from './template-reports.js';

const now = new Date('2026-03-02T09:00:00Z');
let serial = 0;
const templates = templateReports(() => `id-${++serial}`, now);

test('one of each type but custom, each with an id and a name of its own', () => {
  expect([...templates.map(({ reportType }) => reportType), 'custom'].toSorted()).toEqual(
    REPORT_TYPES.toSorted(),
  );
  expect(new Set(templates.map(({ id }) => id)).size).toBe(9);
  expect(new Set(templates.map(({ name }) => name)).size).toBe(9);
});

test.each(templates)('$name is everybody’s, and its config can be run', (template) => {
  expect(template).toMatchObject({ isTemplate: true, visibility: 'workspace', createdBy: null, version: 1 });
  expect(checkedConfig(template.config)).toBe(template.config);
  expect(template.config.metrics).not.toEqual([]);
});
