/** Records on which days and in which weeks each contact was active, opened and clicked, as the events arrive. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { BeforeCommitWork, Transaction } from '../../../platform/database/database.js';
import type { Engagement } from '../../delivery/domain/engagement.js';
import { AcceptedEventsListener } from '../../events/application/accepted-events.listener.js';
import { hasContact, type AcceptedEvent } from '../../events/domain/accepted-event.js';
import {
  EmailEngagementListener,
  type EngagedMessage,
} from '../../feedback/application/email-engagement.listener.js';
import { ActivityRepository, type ActivityChange } from '../persistence/activity.repository.js';

interface TenantActivityChange {
  readonly scope: TenantScope;
  readonly change: ActivityChange;
}

@Injectable()
export class ContactActivity implements BeforeCommitWork<TenantActivityChange> {
  readonly name = 'contact activity';

  constructor(private readonly repository: ActivityRepository) {}

  add(tx: Transaction, scope: TenantScope, changes: readonly ActivityChange[]): void {
    if (changes.length > 0)
      tx.beforeCommit(
        this,
        changes.map((change) => ({ scope, change })),
      );
  }

  /** Events and engagement are processed in transactions that each belong to one environment. */
  async store(tx: Transaction, items: readonly TenantActivityChange[]): Promise<void> {
    const [first] = items;
    if (first)
      await this.repository.add(
        tx,
        first.scope,
        items.map(({ change }) => change),
      );
  }
}

/** Handles events. Events whose contact exceeded the plan belong to no contact, and are skipped. */
@Injectable()
export class EventActivityListener extends AcceptedEventsListener {
  constructor(private readonly activity: ContactActivity) {
    super();
  }

  override async handle(
    tx: Transaction,
    scope: TenantScope,
    events: readonly AcceptedEvent[],
  ): Promise<void> {
    const changes = events.filter(hasContact).map(({ contactId, occurredAt }) => ({
      contactId,
      at: occurredAt,
      events: 1,
      opened: 0,
      clicked: 0,
    }));
    this.activity.add(tx, scope, changes);
    await Promise.resolve();
  }
}

/** Handles opens and clicks. A later report may revoke a click, or show that it came earlier. */
@Injectable()
export class EngagementActivityListener extends EmailEngagementListener {
  constructor(private readonly activity: ContactActivity) {
    super();
  }

  override async handle(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly EngagedMessage[],
  ): Promise<void> {
    this.activity.add(tx, scope, messages.flatMap(changesOf));
    await Promise.resolve();
  }
}

function changesOf({ contactId, before, after }: EngagedMessage): ActivityChange[] {
  const change = (at: Date | null, kind: 'opened' | 'clicked', by: number): ActivityChange[] =>
    at ? [{ contactId, at, events: 0, opened: 0, clicked: 0, [kind]: by }] : [];
  return [
    ...deltasOf(openedAtOf(before), openedAtOf(after)).flatMap(([at, by]) => change(at, 'opened', by)),
    ...deltasOf(before.clickedAt, after.clickedAt).flatMap(([at, by]) => change(at, 'clicked', by)),
  ];
}

/** A click counts as an open, whether or not images were loaded. */
function openedAtOf({ openedAt, clickedAt }: Engagement): Date | null {
  return openedAt ?? clickedAt;
}

function deltasOf(from: Date | null, to: Date | null): (readonly [Date | null, number])[] {
  return from?.getTime() === to?.getTime() ? [] : [[from, -1] as const, [to, 1] as const];
}
