/** Whether a provider tells what becomes of the messages of a time. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { aroundSpan, NOTHING_TOLD_OF, type Told, type ToldSpan } from '../domain/told-days.js';
import { ProviderEventDayRepository } from '../persistence/provider-event-day.repository.js';

@Injectable()
export class ProviderEventDays {
  constructor(private readonly days: ProviderEventDayRepository) {}

  /** What it tells of messages that were sent within each of the spans. */
  async told(tx: Transaction, scope: TenantScope, spans: readonly ToldSpan[]): Promise<Told[]> {
    const found = await this.days.within(tx, scope, spans.map(aroundSpan));
    return spans.map((_, at) =>
      found
        .filter(({ index }) => index === at)
        .reduce<Told>((told, { kind }) => ({ ...told, [kind]: true }), NOTHING_TOLD_OF),
    );
  }
}
