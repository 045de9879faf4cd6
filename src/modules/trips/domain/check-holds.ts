/** Whether a check of a condition or branch holds, and what was seen of the world when it was asked. Section 2.3. */
import { matchesAttributes } from '../../../kernel/attribute-match.js';
import { parseDuration } from '../../../kernel/duration.js';
import type { JsonObject } from '../../../kernel/json.js';
import type { Contact } from '../../contacts/domain/contact.js';
import { attributeTest, contactFilter, type Check, type LatestEventCheck } from '../../flows/domain/check.js';
import { decide, passes, valueIn, type DoneEvent } from '../../segments/domain/decide.js';

/** What is known of a trip's contact, as far as the steps ahead ask about it. */
export interface CheckFacts {
  /** Given where a check asks about it, or about segments. */
  readonly contact: Contact | undefined;
  /** The contact's latest event of each name that is asked about. */
  readonly latestEvents: ReadonlyMap<string, DoneEvent>;
  /** Whether the contact is in a segment, as it is given. */
  readonly isMember: (segmentId: string, contact: Contact) => boolean;
  /** Undefined when the event that started the trip is kept no longer: then it has none of them. */
  readonly triggerAttributes: JsonObject | undefined;
}

export interface Answer {
  readonly holds: boolean;
  /** What the answer rests on, for people who ask why. */
  readonly saw: JsonObject;
}

/** @throws DomainError, RangeError or TypeError for a check that was stored under other rules. */
export function answer(check: Check, facts: CheckFacts, now: Date): Answer {
  switch (check.source) {
    case 'latest_event':
      return latestEventAnswer(check, facts, now);
    case 'segment': {
      const isMember = facts.isMember(check.segmentId.toLowerCase(), contactOf(facts));
      return { holds: isMember === check.member, saw: { segment_id: check.segmentId, member: isMember } };
    }
    case 'contact': {
      const known = { contact: contactOf(facts), events: NO_EVENTS, filterOf: noSegment };
      return { holds: decide(contactFilter(check), known, now), saw: { field: check.field } };
    }
    case 'trigger_event': {
      const { path, test } = attributeTest(check);
      const holds = passes(test, valueIn(facts.triggerAttributes ?? {}, path), now);
      return { holds, saw: { attribute: check.attribute, kept: facts.triggerAttributes !== undefined } };
    }
    default:
      throw new TypeError('A check of no source that is known.');
  }
}

const NO_EVENTS = new Map<string, never>();
const noSegment = (): undefined => undefined;

function contactOf({ contact }: CheckFacts): Contact {
  if (!contact) throw new TypeError('A contact is asked about that was not looked up.');
  return contact;
}

function latestEventAnswer(check: LatestEventCheck, { latestEvents }: CheckFacts, now: Date): Answer {
  const latest = latestEvents.get(check.eventName);
  const within = check.within === undefined ? undefined : parseDuration(check.within);
  if (check.within !== undefined && within === undefined) throw new RangeError('A check within no duration.');
  const isRecent = (event: DoneEvent): boolean =>
    within === undefined || event.occurredAt.getTime() >= now.getTime() - within;
  const matches = ({ attributes }: DoneEvent): boolean =>
    check.attributes === undefined || matchesAttributes(check.attributes, attributes);
  const isThere = latest !== undefined && isRecent(latest) && matches(latest);
  return {
    holds: isThere === check.exists,
    saw: { event_name: check.eventName, occurred_at: latest?.occurredAt.toISOString() ?? null },
  };
}
