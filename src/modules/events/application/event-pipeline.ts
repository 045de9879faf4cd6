/**
 * Processes accepted events, section 6.3, in batches and in the order of their arrival: creates or merges contacts,
 * stores the latest events, and calls the handlers. Each batch is one transaction, which marks the events at its end.
 * After a crash before that they are processed again. An event that fails permanently becomes a dead letter.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { MAX_BATCH_BYTES } from '../../../platform/database/byte-size.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import {
  ContactUpserts,
  type ChangesByContact,
  type UpsertOptions,
} from '../../contacts/application/contact-upserts.js';
import type { ContactChanges } from '../../contacts/domain/contact.js';
import { planOf } from '../../limits/domain/plan.js';
import { MonthlyUsage } from '../../limits/application/monthly-usage.js';
import { Batches } from '../../dead-letters/application/batches.js';
import type { BatchResult, ProcessBatch } from '../../dead-letters/application/work-queue.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import type { AcceptedEvent } from '../domain/accepted-event.js';
import { EventRepository, type StoredEvent } from '../persistence/event.repository.js';
import { LatestEventRepository } from '../persistence/latest-event.repository.js';
import { lockProcessing } from '../persistence/processing-lock.js';
import { AcceptedEventsListener } from './accepted-events.listener.js';
import { PendingEvents } from './event-queues.js';

const BATCH_SIZE = 500;

@Injectable()
export class EventPipeline {
  constructor(
    private readonly database: Database,
    private readonly batches: Batches,
    private readonly queue: PendingEvents,
    private readonly events: EventRepository,
    private readonly latest: LatestEventRepository,
    private readonly contacts: ContactUpserts,
    private readonly usage: MonthlyUsage,
    private readonly workspaces: WorkspaceService,
    private readonly listener: AcceptedEventsListener,
    private readonly metrics: Metrics,
    private readonly clock: Clock,
  ) {}

  /**
   * Processes the tenant's pending events until none is left or `mayContinue` returns false.
   * @returns whether pending events may be left.
   */
  async processPending(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    return this.batches.run(scope, this.queue, { size: BATCH_SIZE, mayContinue }, (limit, claim) =>
      this.processBatch(scope, limit, claim),
    );
  }

  private async processBatch(
    scope: TenantScope,
    ...[limit, claim]: Parameters<ProcessBatch>
  ): Promise<BatchResult> {
    const now = this.clock.now();
    const { caps } = planOf((await this.workspaces.get(scope)).plan);
    return this.database.inScope(scope, async (tx) => {
      // One worker at a time for each tenant: the order of events and the re-entry rules depend on it.
      await lockProcessing(tx, scope);
      const { events, more } = await this.events.pending(tx, scope, limit, MAX_BATCH_BYTES);
      if (events.length === 0) return { taken: 0, more: false };
      const ids = events.map(({ id }) => id);
      await claim(ids);
      const accepted = await this.withContacts(tx, scope, events, { now, maximum: caps.contacts });
      await this.latest.record(tx, scope, events);
      // Under a cap, events were already counted when they were accepted.
      if (caps.events === Number.POSITIVE_INFINITY) await this.usage.add(tx, scope, events.length, now);
      await this.listener.handle(tx, scope, accepted, now);
      await this.events.markProcessed(tx, scope, ids, now);
      return { taken: events.length, more };
    });
  }

  private async withContacts(
    tx: Transaction,
    scope: TenantScope,
    events: readonly StoredEvent[],
    options: UpsertOptions,
  ): Promise<AcceptedEvent[]> {
    const { contacts: upserted, beyondLimit } = await this.contacts.apply(
      tx,
      scope,
      changesOf(events),
      options,
    );
    tx.afterCommit(() => {
      this.metrics.contactsBeyondLimit.inc(beyondLimit.size);
      for (const { rejected: rejected } of upserted.values())
        this.metrics.contactChangesRefused.inc(rejected.size);
    });
    return events.map(({ id, externalId, eventName: name, attributes, occurredAt }): AcceptedEvent => {
      const contact = upserted.get(externalId)?.contact;
      const contactReachable = contact !== undefined && contact.subscriptionStatus !== 'deleted';
      return {
        id,
        name,
        attributes,
        occurredAt,
        externalId,
        contactId: contact?.id ?? null,
        contactReachable,
      };
    });
  }
}

/** The contact changes in events, in the events' order. */
function changesOf(events: readonly StoredEvent[]): ChangesByContact {
  const changes = new Map<string, ContactChanges[]>();
  for (const { externalId, contact } of events) {
    const earlier = changes.get(externalId) ?? [];
    if (contact) earlier.push(contact);
    changes.set(externalId, earlier);
  }
  return changes;
}
