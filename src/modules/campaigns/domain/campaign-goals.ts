/** Which events a test of variants counts. */
import { matchesAttributes } from '../../../kernel/attribute-match.js';
import { hasContact, type AcceptedEvent } from '../../events/domain/accepted-event.js';
import type { CampaignInstance } from './instance.js';

/** Somebody did at a moment what the test of an instance counts. */
export interface CountedDoing {
  readonly instanceId: string;
  readonly contactId: string;
  readonly at: Date;
}

/** What events are to the tests of instances; when their windows are is not looked at. */
export function countedDoings(
  events: readonly AcceptedEvent[],
  instances: readonly CampaignInstance[],
): CountedDoing[] {
  return events.filter(hasContact).flatMap(({ name, attributes, contactId, occurredAt: at }) =>
    instances
      .filter(({ content: { abTest } }) => {
        const goal = abTest?.goal;
        return goal?.eventName === name && matchesAttributes(goal.eventFilters, attributes);
      })
      .map(({ id: instanceId }) => ({ instanceId, contactId, at })),
  );
}
