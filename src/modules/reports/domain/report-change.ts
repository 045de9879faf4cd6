/** What becomes of a report that is made, changed or copied, sections 2.8 and 4.4. */
import { lengthOf } from '../../../kernel/text-length.js';
import { checkedConfig } from './checked-config.js';
import { LONGEST_NAME } from './report-bounds.js';
import type { Report } from './report.js';

/** What people decide about a report. */
export type ReportContent = Pick<Report, 'name' | 'description' | 'reportType' | 'visibility' | 'config'>;

/** What is to be changed: what is left out stays; a config takes the place of the whole. */
export type ReportChange = Partial<ReportContent>;

/** Who makes a report, and when. */
export interface Making {
  readonly id: string;
  /** A member's id; null: an API key. */
  readonly createdBy: string | null;
  readonly now: Date;
}

/** @throws DomainError invalid_field for a config that says what cannot be. */
export function newReport(content: ReportContent, { id, createdBy, now }: Making): Report {
  return {
    ...content,
    config: checkedConfig(content.config),
    ...{ id, createdBy, isTemplate: false, version: 1, lastViewedAt: null },
    ...{ createdAt: now, updatedAt: now },
  };
}

/**
 * The next version of the report, with what the change speaks of.
 * @throws DomainError invalid_field for a config that says what cannot be.
 */
export function changedReport<One extends Report>(report: One, change: ReportChange, now: Date): One {
  if (change.config) checkedConfig(change.config);
  return { ...report, ...change, version: report.version + 1, updatedAt: now };
}

/** A private report that shows what another shows, and a name that tells it from that. */
export function copyOfReport(report: Report, making: Making): Report {
  const { description, reportType, config } = report;
  const content = { description, reportType, config, name: nameOfCopy(report.name) };
  return newReport({ ...content, visibility: 'private' }, making);
}

const COPY = ' (Copy)';

/** The name with ` (Copy)` appended; where that would be too long, the name's end makes room for it. */
function nameOfCopy(name: string): string {
  return lengthOf(name + COPY) <= LONGEST_NAME
    ? name + COPY
    : [...name].slice(0, LONGEST_NAME - COPY.length).join('') + COPY;
}
