/** How a report is created, changed and copied. */
import { lengthOf } from '../../../kernel/text-length.js';
import { changedReport, copyOfReport, newReport } from './report-change.js';
import { DEFAULT_CONFIG, type ReportConfig } from './report.js';

const now = new Date('2026-03-02T09:00:00Z');
const later = new Date('2026-03-02T10:00:00Z');
const making = { id: 'new', createdBy: 'ada', now: later };
const config: ReportConfig = { ...DEFAULT_CONFIG, metrics: ['sent'], dimensions: ['date'] };
const content = {
  name: 'Numbers',
  description: null,
  reportType: 'custom',
  visibility: 'workspace',
  config,
} as const;
const report = newReport(content, { id: 'r', createdBy: 'bob', now });

test('a change is the next version, and a config takes the place of the whole', () => {
  const next = { ...DEFAULT_CONFIG, chartType: 'pie' } as const;
  expect(changedReport(report, { config: next }, later)).toEqual({
    ...report,
    ...{ config: next, version: 2, updatedAt: later },
  });
});

test('a copy is private, of whoever makes it, and of the first version', () => {
  const seen = { ...report, version: 7, lastViewedAt: now, isTemplate: true };
  expect(copyOfReport(seen, making)).toEqual({
    ...report,
    ...{ id: 'new', name: 'Numbers (Copy)', visibility: 'private', createdBy: 'ada' },
    ...{ createdAt: later, updatedAt: later },
  });
});

test.each([1, 247, 248, 249, 255])('the copy of a name of %d characters fits', (length) => {
  for (const letter of ['n', '🌷']) {
    const { name } = copyOfReport({ ...report, name: letter.repeat(length) }, making);
    expect(name).toBe(`${letter.repeat(Math.min(length, 248))} (Copy)`);
    expect(lengthOf(name)).toBeLessThanOrEqual(255);
  }
});

test.each([
  [{ metrics: ['sent', 'opened', 'sent'] }, 'config.metrics[2]'],
  [{ dimensions: ['date', 'date'] }, 'config.dimensions[1]'],
])('%j is refused wherever it comes in', (wrong, field) => {
  const bad = { ...config, ...wrong };
  for (const make of [
    () => newReport({ ...content, config: bad }, making),
    () => changedReport(report, { config: bad }, later),
  ])
    expect(make).toThrow(
      expect.objectContaining({ code: 'invalid_field', detail: expect.stringContaining(field) }),
    );
});
