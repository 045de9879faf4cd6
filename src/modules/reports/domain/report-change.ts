/** Creates, changes and copies reports, sections 2.8 and 4.4. */
import { lengthOf } from '../../../kernel/text-length.js';
import { checkedConfig } from './config-errors.js';
import { MAX_NAME_LENGTH } from './report-limits.js';
import type { Report } from './report.js';

/** The fields of a report that users set. */
export type ReportContent = Pick<Report, 'name' | 'description' | 'reportType' | 'visibility' | 'config'>;

/** Changes to a report: an absent field stays as it is; a config replaces the whole config. */
export type ReportChange = Partial<ReportContent>;

/** The id, author and time of a new report. */
export interface ReportCreation {
  readonly id: string;
  /** A member's id; null for an API key. */
  readonly createdBy: string | null;
  readonly now: Date;
}

/** @throws DomainError invalid_field for an invalid config. */
export function newReport(content: ReportContent, { id, createdBy, now }: ReportCreation): Report {
  return {
    ...content,
    config: checkedConfig(content.config),
    ...{ id, createdBy, isTemplate: false, version: 1, lastViewedAt: null },
    ...{ createdAt: now, updatedAt: now },
  };
}

/**
 * Returns the next version of the report, with the change applied.
 * @throws DomainError invalid_field for an invalid config.
 */
export function changedReport<One extends Report>(report: One, change: ReportChange, now: Date): One {
  if (change.config) checkedConfig(change.config);
  return { ...report, ...change, version: report.version + 1, updatedAt: now };
}

/** Copies a report into a private one with a distinct name. */
export function copyOfReport(report: Report, creation: ReportCreation): Report {
  const { description, reportType, config } = report;
  const content = { description, reportType, config, name: nameOfCopy(report.name) };
  return newReport({ ...content, visibility: 'private' }, creation);
}

const COPY_SUFFIX = ' (Copy)';

/** The name with ` (Copy)` appended; if that would be too long, the name is shortened. */
function nameOfCopy(name: string): string {
  return lengthOf(name + COPY_SUFFIX) <= MAX_NAME_LENGTH
    ? name + COPY_SUFFIX
    : [...name].slice(0, MAX_NAME_LENGTH - COPY_SUFFIX.length).join('') + COPY_SUFFIX;
}
