/** A report with its link and its schedule. */
import type { Report } from './report.js';
import type { ReportSchedule } from './schedule.js';

/** A share link, without its token, which is shown only once. */
export interface ReportShare {
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

export interface ReportRecord extends Report {
  /** May have expired: an expired link exists until it is revoked or replaced. */
  readonly share: ReportShare | null;
  readonly schedule: ReportSchedule | null;
}
