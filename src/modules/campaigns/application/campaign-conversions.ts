/** Counts the conversions of a test's groups, in the transaction that processes the events. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { AcceptedEventsListener } from '../../events/application/accepted-events.listener.js';
import type { AcceptedEvent } from '../../events/domain/accepted-event.js';
import { goalMatches } from '../domain/ab-phases.js';
import { deltasOfConversion } from '../domain/campaign-counters.js';
import { CampaignInstanceRepository } from '../persistence/campaign-instance.repository.js';
import { CampaignRecipientRepository } from '../persistence/campaign-recipient.repository.js';
import { CampaignCounterUpdates } from './campaign-counter-updates.js';

@Injectable()
export class CampaignConversions extends AcceptedEventsListener {
  constructor(
    private readonly instances: CampaignInstanceRepository,
    private readonly recipients: CampaignRecipientRepository,
    private readonly counters: CampaignCounterUpdates,
  ) {
    super();
  }

  override async handle(
    tx: Transaction,
    scope: TenantScope,
    events: readonly AcceptedEvent[],
  ): Promise<void> {
    if (events.length === 0) return;
    const names = [...new Set(events.map(({ name }) => name))];
    const earliest = new Date(Math.min(...events.map(({ occurredAt }) => occurredAt.getTime())));
    const instances = await this.instances.counting(tx, scope, names, earliest);
    const matches = goalMatches(events, instances);
    if (matches.length === 0) return;
    const converted = await this.recipients.convert(tx, scope, matches);
    this.counters.add(
      tx,
      scope,
      converted.map((of) => ({ ...of, tracked: 0, deltas: deltasOfConversion() })),
    );
  }
}
