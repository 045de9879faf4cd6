/** Finds the events that an A/B test counts as conversions. */
import { matchesAttributes } from '../../../kernel/attribute-match.js';
import { hasContact, type AcceptedEvent } from '../../events/domain/accepted-event.js';
import type { CampaignInstance } from './instance.js';

/** A contact's event that the test of an instance may count, with its time. */
export interface GoalMatch {
  readonly instanceId: string;
  readonly contactId: string;
  readonly at: Date;
}

/** Matches events to the tests of instances, without checking their time windows. */
export function goalMatches(
  events: readonly AcceptedEvent[],
  instances: readonly CampaignInstance[],
): GoalMatch[] {
  return events.filter(hasContact).flatMap(({ name, attributes, contactId, occurredAt: at }) =>
    instances
      .filter(({ content: { abTest } }) => {
        const goal = abTest?.goal;
        return goal?.eventName === name && matchesAttributes(goal.eventFilters, attributes);
      })
      .map(({ id: instanceId }) => ({ instanceId, contactId, at })),
  );
}
