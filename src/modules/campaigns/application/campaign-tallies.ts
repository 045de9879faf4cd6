/** Counts the outcomes of campaign messages. Runs last before the commit, because all batches update the same rows. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { LastWork, Transaction } from '../../../platform/database/database.js';
import { SettledMessagesListener } from '../../delivery/application/settled-messages.listener.js';
import type { MessageState } from '../../delivery/domain/email-log.js';
import {
  EmailEngagementListener,
  type EngagedMessage,
} from '../../feedback/application/email-engagement.listener.js';
import { PreferenceChangesListener } from '../../preferences/application/preference-changes.listener.js';
import { optOutsByLink, type PreferenceChange } from '../../preferences/domain/preference-change.js';
import {
  isNothing,
  tallyOfEngagement,
  tallyOfStatus,
  tallyOfUnsubscription,
  type TallyChange,
} from '../domain/campaign-tally.js';
import { CampaignRecipientRepository } from '../persistence/campaign-recipient.repository.js';
import { CampaignTallyRepository } from '../persistence/campaign-tally.repository.js';

interface OfTenant {
  readonly scope: TenantScope;
  readonly change: TallyChange;
}

@Injectable()
export class CampaignTallies implements LastWork<OfTenant> {
  readonly name = 'campaign tallies';

  constructor(private readonly tallies: CampaignTallyRepository) {}

  add(tx: Transaction, scope: TenantScope, changes: readonly TallyChange[]): void {
    const some = changes.filter(({ tally }) => !isNothing(tally));
    if (some.length > 0)
      tx.beforeCommit(
        this,
        some.map((change) => ({ scope, change })),
      );
  }

  /** Outcomes and engagement of messages arrive in transactions that each belong to one environment. */
  async store(tx: Transaction, items: readonly OfTenant[]): Promise<void> {
    const [first] = items;
    if (first)
      await this.tallies.add(
        tx,
        first.scope,
        items.map(({ change }) => change),
      );
  }
}

/** Handles messages that have reached a final status or have left one. */
@Injectable()
export class TallySettledMessages extends SettledMessagesListener {
  constructor(private readonly tallies: CampaignTallies) {
    super();
  }

  override async hear(tx: Transaction, scope: TenantScope, messages: readonly MessageState[]): Promise<void> {
    const changes = messages.flatMap((message) =>
      message.origin === 'campaign'
        ? [
            {
              instanceId: message.originId,
              contactId: message.contactId,
              tracked: message.tracked,
              tally: tallyOfStatus(message),
            },
          ]
        : [],
    );
    this.tallies.add(tx, scope, changes);
    await Promise.resolve();
  }
}

/** Handles unsubscribes through a campaign's link, before the message is marked, so that each message counts once. */
@Injectable()
export class TallyUnsubscriptions extends PreferenceChangesListener {
  constructor(
    private readonly tallies: CampaignTallies,
    private readonly recipients: CampaignRecipientRepository,
  ) {
    super();
  }

  override async hear(
    tx: Transaction,
    scope: TenantScope,
    changes: readonly PreferenceChange[],
  ): Promise<void> {
    const byLink = optOutsByLink(changes);
    if (byLink.length === 0) return;
    const found = await this.recipients.ofMessages(tx, scope, byLink);
    this.tallies.add(
      tx,
      scope,
      found.map((of) => ({ ...of, tracked: 0, tally: tallyOfUnsubscription() })),
    );
  }
}

/** Handles the engagement that follows: delivery reports, opens and clicks. */
@Injectable()
export class TallyEngagement extends EmailEngagementListener {
  constructor(private readonly tallies: CampaignTallies) {
    super();
  }

  override async hear(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly EngagedMessage[],
  ): Promise<void> {
    const changes = messages.flatMap(({ origin, originId, contactId, tracked, before, after }) =>
      origin === 'campaign'
        ? [{ instanceId: originId, contactId, tracked, tally: tallyOfEngagement(before, after) }]
        : [],
    );
    this.tallies.add(tx, scope, changes);
    await Promise.resolve();
  }
}
