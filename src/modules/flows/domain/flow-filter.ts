/** Which flows a list shows, section 4.2. */
import type { ContentType } from '../../../kernel/email-settings.js';
import { invalidFields, type FieldError } from '../../../kernel/domain-error.js';
import { EARLIEST, LATEST, readIsoMoment } from '../../../kernel/iso-moment.js';
import { isStorableText } from '../../../kernel/json.js';
import type { Flow, FlowStatus } from './flow.js';
import type { Place } from '../../../kernel/place.js';
import { refused } from './reading.js';

export const DEFAULT_LIMIT = 50;
export const LARGEST_LIMIT = 200;
const LARGEST_OFFSET = 2_147_483_647;

/** An absent member does not filter. Bounds in time are inclusive. */
export interface FlowFilter {
  /** Part of the name, in any letter case. */
  readonly search?: string | undefined;
  readonly status?: FlowStatus | undefined;
  readonly contentType?: ContentType | undefined;
  readonly tag?: string | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  readonly updatedAfter?: Date | undefined;
  readonly updatedBefore?: Date | undefined;
}

export interface Page {
  readonly limit: number;
  readonly offset: number;
  /** The page begins behind this place. */
  readonly after?: Place | null;
}

/** What a flow's trips in the caller's environment came to. */
export interface TripFigures {
  readonly tripsStarted: number;
  readonly tripsCompleted: number;
}

export type ListedFlow = Flow & TripFigures;

/** Flows by status, as far as the other filters let them through. Archived ones are not in `all`. */
export interface FlowCounts {
  readonly all: number;
  readonly active: number;
  readonly paused: number;
  readonly draft: number;
  readonly stopped: number;
}

/** @throws DomainError invalid_field for a page or a text that cannot be asked for. */
export function assertListable({ search, tag }: FlowFilter, { limit, offset }: Page): void {
  const errors: FieldError[] = [];
  if (!(limit >= 1 && limit <= LARGEST_LIMIT))
    errors.push(refused('limit', `must be from 1 to ${LARGEST_LIMIT}`));
  if (!(offset >= 0 && offset <= LARGEST_OFFSET)) errors.push(refused('offset', 'must be 0 or more'));
  if (!isStorableText(search ?? '')) errors.push(refused('search', 'must not hold NUL or half characters'));
  if (!isStorableText(tag ?? '')) errors.push(refused('tag', 'must not hold NUL or half characters'));
  if (errors.length > 0) throw invalidFields(errors);
}

/**
 * Reads a moment in ISO 8601; without a zone it is UTC, a date alone is its first moment.
 * @throws DomainError invalid_field.
 */
export function readMoment(field: string, text: string): Date {
  const moment = readIsoMoment(text);
  if (!moment || moment.start < EARLIEST || moment.start > LATEST)
    throw invalidFields([refused(field, 'must be a moment in ISO 8601, such as 2026-03-02T09:00:00Z')]);
  return new Date(moment.start);
}
