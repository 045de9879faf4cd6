/** How what became of messages is counted: by what had them sent, and by the hour in which they were sent. */
import { HOUR } from '../../../kernel/duration.js';
import { figuresOf, type Engagement, type EngagementFigures } from '../../delivery/domain/engagement.js';

/** What is to be added to a source's figures of one hour; it may be taken away, too. */
export interface EngagementChange extends EngagementFigures {
  /** The nil UUID of messages that are of no flow and no campaign. */
  readonly sourceId: string;
  /** The beginning of the hour. */
  readonly hour: Date;
}

export const NO_SOURCE = '00000000-0000-0000-0000-000000000000';

interface Counted {
  readonly sourceId: string | null;
  readonly sentAt: Date;
  readonly before: Engagement;
  readonly after: Engagement;
}

/**
 * What messages add, one change a source and hour, without those that add nothing; in the order in which all transactions
 * store them, so that none waits for another that waits for it.
 */
export function summedChanges(messages: readonly Counted[]): EngagementChange[] {
  const sums = new Map<string, EngagementChange>();
  for (const { sourceId, sentAt, before, after } of messages) {
    const hour = new Date(Math.floor(sentAt.getTime() / HOUR) * HOUR);
    const source = sourceId ?? NO_SOURCE;
    const key = `${source} ${hour.toISOString()}`;
    const change = difference(figuresOf(after), figuresOf(before));
    const sum = sums.get(key);
    sums.set(key, { sourceId: source, hour, ...(sum ? added(sum, change) : change) });
  }
  return [...sums]
    .filter(([, { sourceId: _source, hour: _hour, ...figures }]) =>
      Object.values(figures).some((figure) => figure !== 0),
    )
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, change]) => change);
}

function difference(one: EngagementFigures, other: EngagementFigures): EngagementFigures {
  return combined(one, other, (a, b) => a - b);
}

function added(one: EngagementFigures, other: EngagementFigures): EngagementFigures {
  return combined(one, other, (a, b) => a + b);
}

function combined(
  one: EngagementFigures,
  other: EngagementFigures,
  of: (one: number, other: number) => number,
): EngagementFigures {
  return {
    delivered: of(one.delivered, other.delivered),
    opened: of(one.opened, other.opened),
    clicked: of(one.clicked, other.clicked),
    bounced: of(one.bounced, other.bounced),
    hardBounced: of(one.hardBounced, other.hardBounced),
    complained: of(one.complained, other.complained),
  };
}
