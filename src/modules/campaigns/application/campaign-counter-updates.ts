/** Counts the outcomes of campaign messages. Runs last before the commit, because all batches update the same rows. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { BeforeCommitWork, Transaction } from '../../../platform/database/database.js';
import { SettledMessagesListener } from '../../delivery/application/settled-messages.listener.js';
import type { MessageState } from '../../delivery/domain/email-log.js';
import {
  EmailEngagementListener,
  type EngagedMessage,
} from '../../feedback/application/email-engagement.listener.js';
import { PreferenceChangesListener } from '../../preferences/application/preference-changes.listener.js';
import { optOutsByLink, type PreferenceChange } from '../../preferences/domain/preference-change.js';
import {
  isZero,
  deltasOfEngagement,
  deltasOfStatus,
  deltasOfUnsubscribe,
  type CounterDelta,
} from '../domain/campaign-counters.js';
import { CampaignRecipientRepository } from '../persistence/campaign-recipient.repository.js';
import { CampaignCounterRepository } from '../persistence/campaign-counter.repository.js';

interface TenantDelta {
  readonly scope: TenantScope;
  readonly change: CounterDelta;
}

@Injectable()
export class CampaignCounterUpdates implements BeforeCommitWork<TenantDelta> {
  readonly name = 'campaign tallies';

  constructor(private readonly counters: CampaignCounterRepository) {}

  add(tx: Transaction, scope: TenantScope, deltas: readonly CounterDelta[]): void {
    const nonZero = deltas.filter(({ deltas: counts }) => !isZero(counts));
    if (nonZero.length > 0)
      tx.beforeCommit(
        this,
        nonZero.map((change) => ({ scope, change })),
      );
  }

  /** Outcomes and engagement of messages arrive in transactions that each belong to one environment. */
  async store(tx: Transaction, items: readonly TenantDelta[]): Promise<void> {
    const [first] = items;
    if (first)
      await this.counters.add(
        tx,
        first.scope,
        items.map(({ change }) => change),
      );
  }
}

/** Handles messages that have reached a final status or have left one. */
@Injectable()
export class CountSettledMessages extends SettledMessagesListener {
  constructor(private readonly counters: CampaignCounterUpdates) {
    super();
  }

  override async handle(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly MessageState[],
  ): Promise<void> {
    const deltas = messages.flatMap((message) =>
      message.origin === 'campaign'
        ? [
            {
              instanceId: message.originId,
              contactId: message.contactId,
              tracked: message.tracked,
              deltas: deltasOfStatus(message),
            },
          ]
        : [],
    );
    this.counters.add(tx, scope, deltas);
    await Promise.resolve();
  }
}

/** Handles unsubscribes through a campaign's link, before the message is marked, so that each message counts once. */
@Injectable()
export class CountUnsubscribes extends PreferenceChangesListener {
  constructor(
    private readonly counters: CampaignCounterUpdates,
    private readonly recipients: CampaignRecipientRepository,
  ) {
    super();
  }

  override async handle(
    tx: Transaction,
    scope: TenantScope,
    changes: readonly PreferenceChange[],
  ): Promise<void> {
    const byLink = optOutsByLink(changes);
    if (byLink.length === 0) return;
    const found = await this.recipients.ofMessages(tx, scope, byLink);
    this.counters.add(
      tx,
      scope,
      found.map((of) => ({ ...of, tracked: 0, deltas: deltasOfUnsubscribe() })),
    );
  }
}

/** Handles the engagement that follows: delivery reports, opens and clicks. */
@Injectable()
export class CountEngagement extends EmailEngagementListener {
  constructor(private readonly counters: CampaignCounterUpdates) {
    super();
  }

  override async handle(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly EngagedMessage[],
  ): Promise<void> {
    const deltas = messages.flatMap(({ origin, originId, contactId, tracked, before, after }) =>
      origin === 'campaign'
        ? [{ instanceId: originId, contactId, tracked, deltas: deltasOfEngagement(before, after) }]
        : [],
    );
    this.counters.add(tx, scope, deltas);
    await Promise.resolve();
  }
}
