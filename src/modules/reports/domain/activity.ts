/**
 * What has happened around a contact, on one time line: events, messages, and trips when they began and ended. Pages
 * of it are stable: each entry has one place in the order, and a cursor names a place, whether or not its entry is
 * still there.
 */
import { invalidFields } from '../../../kernel/domain-error.js';
import type { JsonObject } from '../../../kernel/json.js';
import { isUuid } from '../../../kernel/tenant-scope.js';

/** In the order in which they follow from one another where moments are equal. */
export const ACTIVITY_KINDS = ['event', 'trip_started', 'email', 'trip_ended'] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** A place in the order; `recordId` is the event's, the message's or the trip's. */
export interface ActivityPlace {
  readonly at: Date;
  readonly kind: ActivityKind;
  readonly recordId: string;
}

export interface EventActivity extends ActivityPlace {
  readonly kind: 'event';
  readonly eventName: string;
  readonly attributes: JsonObject;
}

/** A message, at the moment at which it was asked for: sending may come later, or never. */
export interface EmailActivity extends ActivityPlace {
  readonly kind: 'email';
  readonly subject: string | null;
  readonly status: string;
  readonly templateSlug: string;
  readonly suppressedReason: string | null;
  readonly errorCode: string | null;
  readonly sentAt: Date | null;
}

/** A trip as it stands now, at the moment of its beginning or of its end. */
export interface TripActivity extends ActivityPlace {
  readonly kind: 'trip_started' | 'trip_ended';
  readonly flowId: string;
  readonly flowName: string | null;
  readonly status: string;
  readonly endedReason: string | null;
}

export type Activity = EventActivity | EmailActivity | TripActivity;

/** Whether an entry comes before another on the line: newest first, at equal moments what follows from the other. */
export function compareActivity(a: ActivityPlace, b: ActivityPlace): number {
  return (
    b.at.getTime() - a.at.getTime() ||
    rankOf(b.kind) - rankOf(a.kind) ||
    (a.recordId < b.recordId ? 1 : a.recordId > b.recordId ? -1 : 0)
  );
}

export function rankOf(kind: ActivityKind): number {
  return ACTIVITY_KINDS.indexOf(kind);
}

/** The first entries of all sources together, each source's own first entries given. */
export function mergedActivity(sources: readonly (readonly Activity[])[], limit: number): Activity[] {
  return sources.flat().sort(compareActivity).slice(0, limit);
}

/** A place as an opaque text. */
export function cursorOf({ at, kind, recordId }: ActivityPlace): string {
  return Buffer.from(JSON.stringify([at.getTime(), kind, recordId])).toString('base64url');
}

/** The last moment that ISO 8601 writes with four digits. */
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Reads a place again.
 * @throws DomainError invalid_field when it is none.
 */
export function placeOf(cursor: string): ActivityPlace {
  try {
    const [at, named, recordId] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const kind = ACTIVITY_KINDS.find((known) => known === named);
    if (kind && isUuid(recordId) && Number.isSafeInteger(at) && Math.abs(at as number) <= LATEST)
      return { at: new Date(at as number), kind, recordId: recordId.toLowerCase() };
  } catch {
    // No JSON: answered below, like everything else that is no cursor of ours.
  }
  throw invalidFields([{ field: 'after', message: 'is not a cursor of this list' }]);
}
