/** GET /v1/analytics/export, section 4.10: message outcomes as a streamed CSV file. */
import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { Clock } from '../../../kernel/clock.js';
import { type DateRangeInput, readDateRange } from '../../../kernel/date-range.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { EmailOutcomeRepository } from '../persistence/email-outcome.repository.js';

export interface ExportFile {
  readonly name: string;
  readonly content: Readable;
}

@Injectable()
export class AnalyticsExportService {
  constructor(
    private readonly outcomes: EmailOutcomeRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the file for a period.
   * @throws DomainError invalid_date_param.
   */
  async csv(scope: TenantScope, period: DateRangeInput): Promise<ExportFile> {
    const range = readDateRange(period, this.clock.now());
    const [from, to] = [range.from, range.to].map((moment) => moment.toISOString().slice(0, 10));
    return { name: `analytics-${from}-to-${to}.csv`, content: await this.outcomes.csv(scope, range) };
  }
}
