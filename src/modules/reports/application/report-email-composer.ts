/** Composes the email that a schedule sends on a date: the report's figures, with its chart and its file. */
import { Injectable } from '@nestjs/common';
import { latestRun } from '../../../kernel/recurrence.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { renderReportEmail } from '../domain/render-report-email.js';
import { truncationNote, withRemarks, type ComposedReportEmail } from '../domain/composed-report-email.js';
import { scheduleRange } from '../domain/schedule-range.js';
import { repetitionOf } from '../domain/schedule.js';
import type { Mailing } from '../persistence/report-mailing.repository.js';
import { boundedCsv } from './bounded-csv.js';
import { chartPng } from './chart-image.js';
import { ReportDataService } from './report-data.service.js';

/** The image source of the chart in the HTML. */
const CHART_SRC = 'cid:chart';

@Injectable()
export class ReportEmailComposer {
  constructor(private readonly reportData: ReportDataService) {}

  /**
   * Composes the report email of a date. If dates were missed, it shows what the email of the last one would have
   * shown.
   * @throws DomainError if the report cannot be run in its present form, or the workspace is over its limits at the
   *   moment.
   */
  async compose(scope: TenantScope, { schedule, report }: Mailing, now: Date): Promise<ComposedReportEmail> {
    const { nextSendAt, formatOptions, dateRangeType } = schedule;
    const last = latestRun(repetitionOf(schedule), now);
    const range = scheduleRange(dateRangeType, last > nextSendAt ? last : nextSendAt);
    const data = await this.reportData.ofReport(scope, report, { range, compare: true });
    const { subject, html, text } = renderReportEmail(report, data, formatOptions);
    const chart = html.includes(CHART_SRC) ? await chartPng(data) : null;
    const email = { subject, html, text, chart, csv: null, fileName: null };
    if (!formatOptions.csvAttachment) return email;
    const { name: fileName, content } = await this.reportData.csv(scope, report, { range });
    const { content: csv, truncatedAfter } = await boundedCsv(content);
    const withCsv = { ...email, csv, fileName };
    return truncatedAfter === null ? withCsv : withRemarks(withCsv, [truncationNote(truncatedAfter)]);
  }
}
