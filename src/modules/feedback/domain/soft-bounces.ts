/**
 * When soft bounces say together that an address is dead: three messages in a row that came back, the first and the last
 * sent three days apart or more, with no sign of life in between. Told by the messages themselves, so that the order in
 * which word of them comes makes no difference.
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
/** So many of a person's messages are looked at, those of which no word came among them. */
export const STORY_LENGTH = 20;

/** @param story messages to one address, the latest first; those of which no word has come say nothing. */
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
