/**
 * Converts trips by the outcomes of their flow's messages (delivered, opened, clicked, bounced, complained of),
 * section 2.5.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import {
  EmailEngagementListener,
  type EngagedMessage,
} from '../../feedback/application/email-engagement.listener.js';
import { GoalsOfFlow } from '../../flows/application/goals-of-flow.js';
import { ENGAGEMENT_EVENTS, engagementEvents } from '../domain/engagement-events.js';
import { Conversions } from './conversions.js';

const ENGAGEMENT_EVENT_NAMES: ReadonlySet<string> = new Set(ENGAGEMENT_EVENTS);

@Injectable()
export class EngagementGoals extends EmailEngagementListener {
  constructor(
    private readonly goals: GoalsOfFlow,
    private readonly contacts: KnownContacts,
    private readonly conversions: Conversions,
  ) {
    super();
  }

  override async handle(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly EngagedMessage[],
    now: Date,
  ): Promise<void> {
    const sources = [...new Set(messages.flatMap(({ sourceId }) => sourceId ?? []))];
    const goals = (await this.goals.ofFlows(tx, scope, sources)).filter(({ eventName }) =>
      ENGAGEMENT_EVENT_NAMES.has(eventName),
    );
    const flowIds = [...new Set(goals.map(({ flowId }) => flowId))].sort();
    const counted = messages.filter(({ sourceId }) => sourceId !== null && flowIds.includes(sourceId));
    if (counted.length === 0) return;
    const contactIds = [...new Set(counted.map(({ contactId }) => contactId))];
    const contactStates = await this.contacts.states(tx, scope, contactIds, false);
    for (const flowId of flowIds) {
      const events = counted
        .filter(({ sourceId }) => sourceId === flowId)
        .flatMap((message) =>
          engagementEvents(message, contactStates.get(message.contactId)?.isDeleted === false),
        );
      if (events.length === 0) continue;
      const own = goals.filter((goal) => goal.flowId === flowId);
      await this.conversions.record(tx, scope, events, own, now);
    }
  }
}
