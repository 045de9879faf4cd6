/**
 * Decides when soft bounces show that an address is dead: three messages in a row bounced, at least three days lie
 * between the first and the last, and there was no sign of life in between. It uses the messages themselves, so the
 * order in which feedback arrives makes no difference.
 */
import { DAY } from '../../../kernel/duration.js';
import { figuresOf, NO_ENGAGEMENT, type Engagement } from '../../delivery/domain/engagement.js';

export interface StoryMessage extends Pick<
  Engagement,
  'deliveredAt' | 'openedAt' | 'clickedAt' | 'bouncedAt' | 'bounceKind' | 'complainedAt'
> {
  readonly sentAt: Date;
}

const IN_A_ROW = 3;
const APART = 3 * DAY;
/** Number of a person's messages that are checked, including those without feedback. */
export const STORY_LENGTH = 20;

/**
 * @param story messages to one address, latest first; those without feedback are neutral.
 */
export function isDeadBySoftBounces(story: readonly StoryMessage[]): boolean {
  const told = story
    .filter(({ deliveredAt, bouncedAt }) => deliveredAt !== null || bouncedAt !== null)
    .toSorted((one, other) => other.sentAt.getTime() - one.sentAt.getTime());
  const alive = told.findIndex((message) => figuresOf({ ...NO_ENGAGEMENT, ...message }).bounced === 0);
  const row = alive === -1 ? told : told.slice(0, alive);
  const [last, first] = [row.at(0), row.at(-1)];
  return (
    row.length >= IN_A_ROW && !!last && !!first && last.sentAt.getTime() - first.sentAt.getTime() >= APART
  );
}
