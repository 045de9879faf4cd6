/** Counts the conversions of a test's groups, in the transaction that processes the events. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { AcceptedEventsListener } from '../../events/application/accepted-events.listener.js';
import type { AcceptedEvent } from '../../events/domain/accepted-event.js';
import { countedDoings } from '../domain/campaign-goals.js';
import { tallyOfConversion } from '../domain/campaign-tally.js';
import { CampaignInstanceRepository } from '../persistence/campaign-instance.repository.js';
import { CampaignRecipientRepository } from '../persistence/campaign-recipient.repository.js';
import { CampaignTallies } from './campaign-tallies.js';

@Injectable()
export class CampaignConversions extends AcceptedEventsListener {
  constructor(
    private readonly instances: CampaignInstanceRepository,
    private readonly recipients: CampaignRecipientRepository,
    private readonly tallies: CampaignTallies,
  ) {
    super();
  }

  override async hear(tx: Transaction, scope: TenantScope, events: readonly AcceptedEvent[]): Promise<void> {
    if (events.length === 0) return;
    const names = [...new Set(events.map(({ name }) => name))];
    const earliest = new Date(Math.min(...events.map(({ occurredAt }) => occurredAt.getTime())));
    const counting = await this.instances.counting(tx, scope, names, earliest);
    const doings = countedDoings(events, counting);
    if (doings.length === 0) return;
    const converted = await this.recipients.convert(tx, scope, doings);
    this.tallies.add(
      tx,
      scope,
      converted.map((of) => ({ ...of, tracked: 0, tally: tallyOfConversion() })),
    );
  }
}
