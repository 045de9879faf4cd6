/** Whether the provider reports events for the messages of a period. */
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

  /** For each span, the kinds of events that the provider reports for messages sent within it. */
  async reported(tx: Transaction, scope: TenantScope, spans: readonly TimeSpan[]): Promise<ReportedKinds[]> {
    const found = await this.days.within(tx, scope, spans.map(withReportingWindow));
    return spans.map((_, at) =>
      found
        .filter(({ index }) => index === at)
        .reduce<ReportedKinds>((reported, { kind }) => ({ ...reported, [kind]: true }), NOTHING_REPORTED),
    );
  }
}
