/**
 * Decides when soft bounces show that an address is dead: three messages in a row bounced, at least three days lie
 * between the first and the last, and there was no sign of life in between. It uses the messages themselves, so the
 * order in which feedback arrives makes no difference.
 */
import { DAY } from '../../../kernel/duration.js';
import { engagementCountsOf, NO_ENGAGEMENT, type Engagement } from '../../delivery/domain/engagement.js';

export interface HistoryMessage extends Pick<
  Engagement,
  'deliveredAt' | 'openedAt' | 'clickedAt' | 'bouncedAt' | 'bounceKind' | 'complainedAt'
> {
  readonly sentAt: Date;
}

const MIN_CONSECUTIVE_BOUNCES = 3;
const MIN_BOUNCE_SPAN_MS = 3 * DAY;
/** Number of a person's messages that are checked, including those without feedback. */
export const MAX_HISTORY_MESSAGES = 20;

/**
 * @param history messages to one address, latest first; those without feedback are neutral.
 */
export function isDeadBySoftBounces(history: readonly HistoryMessage[]): boolean {
  const reported = history
    .filter(({ deliveredAt, bouncedAt }) => deliveredAt !== null || bouncedAt !== null)
    .toSorted((one, other) => other.sentAt.getTime() - one.sentAt.getTime());
  const alive = reported.findIndex(
    (message) => engagementCountsOf({ ...NO_ENGAGEMENT, ...message }).bounced === 0,
  );
  const bounces = alive === -1 ? reported : reported.slice(0, alive);
  const [last, first] = [bounces.at(0), bounces.at(-1)];
  return (
    bounces.length >= MIN_CONSECUTIVE_BOUNCES &&
    !!last &&
    !!first &&
    last.sentAt.getTime() - first.sentAt.getTime() >= MIN_BOUNCE_SPAN_MS
  );
}
