/** Composes the email that a schedule sends on a date: the report's figures, with its chart and its file. */
import { Injectable } from '@nestjs/common';
import { latestRun } from '../../../kernel/recurrence.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { letterOf } from '../domain/report-letter.js';
import { cutNote, withRemarks, type MailedLetter } from '../domain/mailed-letter.js';
import { scheduleRange } from '../domain/schedule-range.js';
import { repetitionOf } from '../domain/schedule-repetition.js';
import type { Mailing } from '../persistence/report-mailing.repository.js';
import { boundedCsv } from './bounded-csv.js';
import { chartPng } from './chart-image.js';
import { ReportDataService } from './report-data.service.js';

/** The image source of the chart in the HTML. */
const SHOWN_CHART = 'cid:chart';

@Injectable()
export class LetterComposer {
  constructor(private readonly figures: ReportDataService) {}

  /**
   * Composes the report email of a date. If dates were missed, it shows what the email of the last one would have
   * shown.
   * @throws DomainError if the report cannot be run in its present form, or the workspace is over its limits at the
   *   moment.
   */
  async compose(scope: TenantScope, { schedule, report }: Mailing, now: Date): Promise<MailedLetter> {
    const { nextSendAt, formatOptions, dateRangeType } = schedule;
    const last = latestRun(repetitionOf(schedule), now);
    const range = scheduleRange(dateRangeType, last > nextSendAt ? last : nextSendAt);
    const data = await this.figures.ofReport(scope, report, { range, compare: true });
    const { subject, html, text } = letterOf(report, data, formatOptions);
    const chart = html.includes(SHOWN_CHART) ? await chartPng(data) : null;
    const letter = { subject, html, text, chart, csv: null, fileName: null };
    if (!formatOptions.csvAttachment) return letter;
    const { name: fileName, content } = await this.figures.csv(scope, report, { range });
    const { content: csv, cutAfter } = await boundedCsv(content);
    const whole = { ...letter, csv, fileName };
    return cutAfter === null ? whole : withRemarks(whole, [cutNote(cutAfter)]);
  }
}
