/**
 * Merges a contact's events, messages, and starts and ends of trips into one timeline. Pages are stable: each entry has
 * one position in the order, and a cursor encodes a position, whether or not its entry still exists.
 */
import { invalidFields } from '../../../kernel/domain-error.js';
import type { JsonObject } from '../../../kernel/json.js';
import { isUuid } from '../../../kernel/tenant-scope.js';

/** Ordered by causality, for entries with equal timestamps. */
export const ACTIVITY_KINDS = ['event', 'trip_started', 'email', 'trip_ended'] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** A position in the order; `recordId` is the id of the event, message or trip. */
export interface ActivityCursor {
  readonly at: Date;
  readonly kind: ActivityKind;
  readonly recordId: string;
}

export interface EventActivity extends ActivityCursor {
  readonly kind: 'event';
  readonly eventName: string;
  readonly attributes: JsonObject;
}

/** A message, at the time it was requested: it may be sent later, or never. */
export interface EmailActivity extends ActivityCursor {
  readonly kind: 'email';
  readonly subject: string | null;
  readonly status: string;
  readonly templateSlug: string;
  readonly suppressedReason: string | null;
  readonly errorCode: string | null;
  readonly sentAt: Date | null;
}

/** A trip in its current state, at the time of its start or end. */
export interface TripActivity extends ActivityCursor {
  readonly kind: 'trip_started' | 'trip_ended';
  readonly flowId: string;
  readonly flowName: string | null;
  readonly status: string;
  readonly endedReason: string | null;
}

export type Activity = EventActivity | EmailActivity | TripActivity;

/** Compares two entries: newest first; at equal timestamps, an effect comes before its cause. */
export function compareActivity(a: ActivityCursor, b: ActivityCursor): number {
  return (
    b.at.getTime() - a.at.getTime() ||
    rankOf(b.kind) - rankOf(a.kind) ||
    (a.recordId < b.recordId ? 1 : a.recordId > b.recordId ? -1 : 0)
  );
}

export function rankOf(kind: ActivityKind): number {
  return ACTIVITY_KINDS.indexOf(kind);
}

/** Merges the first entries of each source into the first entries overall. */
export function mergeActivity(sources: readonly (readonly Activity[])[], limit: number): Activity[] {
  return sources.flat().sort(compareActivity).slice(0, limit);
}

/** Encodes a position as an opaque string. */
export function encodeActivityCursor({ at, kind, recordId }: ActivityCursor): string {
  return Buffer.from(JSON.stringify([at.getTime(), kind, recordId])).toString('base64url');
}

/** The last moment that ISO 8601 writes with four digits. */
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Decodes a position.
 * @throws DomainError invalid_field for an invalid cursor.
 */
export function decodeActivityCursor(cursor: string): ActivityCursor {
  try {
    const [at, named, recordId] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const kind = ACTIVITY_KINDS.find((known) => known === named);
    if (kind && isUuid(recordId) && Number.isSafeInteger(at) && Math.abs(at as number) <= LATEST)
      return { at: new Date(at as number), kind, recordId: recordId.toLowerCase() };
  } catch {
    // Invalid JSON is answered below, like any other invalid cursor.
  }
  throw invalidFields([{ field: 'after', message: 'is not a cursor of this list' }]);
}
