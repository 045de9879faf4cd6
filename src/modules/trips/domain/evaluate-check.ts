/** Evaluates a check of a condition or branch, and records which inputs it read. Section 2.3. */
import { matchesAttributes } from '../../../kernel/event-attributes.js';
import { parseDuration } from '../../../kernel/duration.js';
import type { JsonObject } from '../../../kernel/json.js';
import { valueAtPath } from '../../../kernel/key-path.js';
import type { Contact } from '../../contacts/domain/contact.js';
import { attributeTest, contactFilter, type Check, type LatestEventCheck } from '../../flows/domain/check.js';
import type { FilterCondition } from '../../segments/domain/filter.js';
import { matchesFilter, passes, valueAt, type DoneEvent } from '../../segments/domain/matches-filter.js';

/** The data about a trip's contact, as far as the steps ahead need it. */
export interface StepCheckInputs {
  /** Present if a check concerns the contact or segments. */
  readonly contact: Contact | undefined;
  /** The contact's latest event of each name that is checked. */
  readonly latestEvents: ReadonlyMap<string, LatestEventOfName>;
  /** Whether the contact, in the given state, is in a segment. */
  readonly isMember: (segmentId: string, contact: Contact) => boolean;
  /** Undefined if the event that started the trip is no longer stored. Then it counts as having no attributes. */
  readonly triggerAttributes: JsonObject | undefined;
}

/** An event that occurred, with its id if known. */
export interface LatestEventOfName extends DoneEvent {
  readonly eventId?: string;
}

export interface CheckResult {
  readonly holds: boolean;
  /** The basis of the answer, for explanations; contains no personal data. */
  readonly facts: JsonObject;
  /** The values of the contact or the event on which the answer is based. */
  readonly values?: JsonObject;
}

/** @throws DomainError, RangeError or TypeError for a check that was stored under other rules. */
export function evaluateCheck(check: Check, inputs: StepCheckInputs, now: Date): CheckResult {
  switch (check.source) {
    case 'latest_event':
      return evaluateLatestEvent(check, inputs, now);
    case 'segment': {
      const isMember = inputs.isMember(check.segmentId.toLowerCase(), contactOf(inputs));
      return { holds: isMember === check.member, facts: { segment_id: check.segmentId, member: isMember } };
    }
    case 'contact': {
      const contact = contactOf(inputs);
      const known = { contact, events: NO_EVENTS, filterOf: noSegment };
      const filter = contactFilter(check);
      const value = comparedValue(filter.conditions[0], contact);
      return { holds: matchesFilter(filter, known, now), facts: { field: check.field }, values: { value } };
    }
    case 'trigger_event': {
      const { path, test } = attributeTest(check);
      const value = valueAtPath(inputs.triggerAttributes ?? {}, path) ?? null;
      const known = { attribute: check.attribute, kept: inputs.triggerAttributes !== undefined };
      return { holds: passes(test, value, now), facts: known, values: { value } };
    }
    default:
      check satisfies never;
      throw new TypeError('A check has an unknown source.');
  }
}

const NO_EVENTS = new Map<string, never>();
const noSegment = (): undefined => undefined;

/** The value of the contact that a condition compares. */
function comparedValue(condition: FilterCondition | undefined, contact: Contact): unknown {
  if (condition?.kind === 'field') return valueAt(condition.fieldRef, contact) ?? null;
  return condition?.kind === 'tags' ? contact.tags : null;
}

function contactOf({ contact }: StepCheckInputs): Contact {
  if (!contact) throw new TypeError('A check uses a contact that was not loaded.');
  return contact;
}

function evaluateLatestEvent(
  check: LatestEventCheck,
  { latestEvents }: StepCheckInputs,
  now: Date,
): CheckResult {
  const latest = latestEvents.get(check.eventName);
  const within = check.within === undefined ? undefined : parseDuration(check.within);
  if (check.within !== undefined && within === undefined)
    throw new RangeError('A check has an invalid duration.');
  const isRecent = (event: DoneEvent): boolean =>
    within === undefined || event.occurredAt.getTime() >= now.getTime() - within;
  const matches = ({ attributes }: DoneEvent): boolean =>
    check.attributes === undefined || matchesAttributes(check.attributes, attributes);
  const exists = latest !== undefined && isRecent(latest) && matches(latest);
  return {
    holds: exists === check.exists,
    facts: {
      event_name: check.eventName,
      occurred_at: latest?.occurredAt.toISOString() ?? null,
      ...(latest?.eventId === undefined ? {} : { event_id: latest.eventId }),
    },
    ...(check.attributes && latest
      ? { values: { attributes: checkedAttributes(check.attributes, latest) } }
      : {}),
  };
}

/** The event's attributes that the check uses. */
function checkedAttributes(expected: JsonObject, { attributes }: DoneEvent): JsonObject {
  return Object.fromEntries(Object.keys(expected).map((name) => [name, attributes[name] ?? null]));
}
