/** A report with what hangs on it: its link and its schedule. */
import type { Report } from './report.js';
import type { ReportSchedule } from './schedule.js';

/** A link, by what may be told of it: the token is shown once. */
export interface ReportShare {
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

export interface ReportRecord extends Report {
  /** Also one that has expired: it is there until it is revoked or replaced. */
  readonly share: ReportShare | null;
  readonly schedule: ReportSchedule | null;
}
