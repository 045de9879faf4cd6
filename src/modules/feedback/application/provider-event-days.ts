/** Whether a provider tells what becomes of the messages of a time. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import {
  withReportingWindow,
  NOTHING_REPORTED,
  type ReportedKinds,
  type TimeSpan,
} from '../domain/reported-events.js';
import { ProviderEventDayRepository } from '../persistence/provider-event-day.repository.js';

@Injectable()
export class ProviderEventDays {
  constructor(private readonly days: ProviderEventDayRepository) {}

  /** What it tells of messages that were sent within each of the spans. */
  async reported(tx: Transaction, scope: TenantScope, spans: readonly TimeSpan[]): Promise<ReportedKinds[]> {
    const found = await this.days.within(tx, scope, spans.map(withReportingWindow));
    return spans.map((_, at) =>
      found
        .filter(({ index }) => index === at)
        .reduce<ReportedKinds>((reported, { kind }) => ({ ...reported, [kind]: true }), NOTHING_REPORTED),
    );
  }
}
