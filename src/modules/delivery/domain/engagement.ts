/**
 * What became of a message after it left: delivered, opened, clicked, bounced, called spam (section 6.2). Words about it
 * come in any order, more than once, and late; so every rule here gives the same whatever the order: the earliest moment
 * of a kind stays, a stronger bounce takes the place of a weaker one, and nothing that was known is forgotten.
 */
import { keptDetail } from './kept-detail.js';

/** `hard` says that the address takes no mail; `soft` says it of this message, for now or for what it holds. */
export const BOUNCE_KINDS = ['soft', 'hard'] as const;
export type BounceKind = (typeof BOUNCE_KINDS)[number];

export interface Bounce {
  readonly kind: BounceKind;
  /** Enhanced status code, such as 5.1.1; null where none was told. */
  readonly code: string | null;
  /** What the receiving server said, at most 500 characters; null where nothing was told. */
  readonly detail: string | null;
}

/** One click, as much of it as telling people from scanners needs. */
export interface ClickMark {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Tells links apart. */
  readonly link: string;
  /** By what asked for it; a burst of clicks is told by the marks together. */
  readonly isMachine: boolean;
}

export interface Engagement {
  /** Any word that the message came to its mailbox says so, opens and clicks of machines too. */
  readonly deliveredAt: Date | null;
  /** By a person: machines are counted apart, and do not open. */
  readonly openedAt: Date | null;
  readonly opens: number;
  readonly machineOpens: number;
  readonly clickedAt: Date | null;
  readonly clicks: number;
  readonly machineClicks: number;
  /** The first clicks, by time; those beyond MOST_MARKS are counted by themselves. */
  readonly clickMarks: readonly ClickMark[];
  readonly bouncedAt: Date | null;
  readonly bounceKind: BounceKind | null;
  readonly bounceCode: string | null;
  readonly bounceDetail: string | null;
  readonly complainedAt: Date | null;
}

export const NO_ENGAGEMENT: Engagement = {
  deliveredAt: null,
  openedAt: null,
  opens: 0,
  machineOpens: 0,
  clickedAt: null,
  clicks: 0,
  machineClicks: 0,
  clickMarks: [],
  bouncedAt: null,
  bounceKind: null,
  bounceCode: null,
  bounceDetail: null,
  complainedAt: null,
};

/** What is heard of a message. */
export type Word =
  | { readonly kind: 'sent'; readonly at: Date }
  | { readonly kind: 'delivered'; readonly at: Date }
  | { readonly kind: 'opened'; readonly at: Date; readonly isMachine: boolean }
  | { readonly kind: 'clicked'; readonly at: Date; readonly isMachine: boolean; readonly link: string }
  | { readonly kind: 'bounced'; readonly at: Date; readonly bounce: Bounce }
  | { readonly kind: 'complained'; readonly at: Date };

/** Clicks of one message that are remembered one by one. */
export const MOST_MARKS = 50;
/** So many links of one message within so many milliseconds are followed by a scanner. */
const BURST_LINKS = 3;
const BURST = 5_000;

/** The engagement after one word more. */
export function withWord(known: Engagement, word: Word): Engagement {
  switch (word.kind) {
    case 'sent':
      return known;
    case 'delivered':
      return arrived(known, word.at);
    case 'opened': {
      const before = arrived(known, word.at);
      return word.isMachine
        ? { ...before, machineOpens: before.machineOpens + 1 }
        : { ...before, openedAt: earliest(before.openedAt, word.at), opens: before.opens + 1 };
    }
    case 'clicked':
      return withClick(arrived(known, word.at), {
        at: word.at.getTime(),
        link: word.link,
        isMachine: word.isMachine,
      });
    case 'bounced':
      return withBounce(known, word.at, word.bounce);
    case 'complained':
      return { ...arrived(known, word.at), complainedAt: earliest(known.complainedAt, word.at) };
  }
}

function arrived(known: Engagement, at: Date): Engagement {
  return { ...known, deliveredAt: earliest(known.deliveredAt, at) };
}

function withBounce(known: Engagement, at: Date, { kind, code, detail }: Bounce): Engagement {
  const rank = (of: BounceKind | null): number => (of === null ? -1 : BOUNCE_KINDS.indexOf(of));
  const isStronger = rank(kind) > rank(known.bounceKind);
  const isEarlier = kind === known.bounceKind && (known.bouncedAt === null || at < known.bouncedAt);
  if (!isStronger && !isEarlier) return known;
  return {
    ...known,
    bouncedAt: at,
    bounceKind: kind,
    bounceCode: code,
    bounceDetail: detail === null ? null : keptDetail(detail),
  };
}

/** Clicks are judged together, since the second and third of a burst say what the first one was. */
function withClick(known: Engagement, mark: ClickMark): Engagement {
  const all = [...known.clickMarks, mark].sort(
    (one, other) => one.at - other.at || (one.link < other.link ? -1 : one.link > other.link ? 1 : 0),
  );
  const marks = all.slice(0, MOST_MARKS);
  const was = judged(known.clickMarks);
  const is = judged(marks);
  const [beyond] = all.slice(MOST_MARKS);
  const beyondPeople = known.clicks - was.people.length + (beyond?.isMachine === false ? 1 : 0);
  const beyondMachines = known.machineClicks - was.machines + (beyond?.isMachine === true ? 1 : 0);
  const [first] = is.people;
  return {
    ...known,
    clickMarks: marks,
    clicks: beyondPeople + is.people.length,
    machineClicks: beyondMachines + is.machines,
    clickedAt: first ? new Date(first.at) : beyondPeople > 0 ? (known.clickedAt ?? new Date(mark.at)) : null,
  };
}

/** The clicks of people, and how many are of machines: by what asked for them, or as part of a burst. */
function judged(marks: readonly ClickMark[]): {
  readonly people: readonly ClickMark[];
  readonly machines: number;
} {
  const inBurst = new Set<ClickMark>();
  for (const [start, first] of marks.entries()) {
    const near = marks.slice(start).filter(({ at }) => at - first.at <= BURST);
    if (new Set(near.map(({ link }) => link)).size >= BURST_LINKS) for (const mark of near) inBurst.add(mark);
  }
  const people = marks.filter((mark) => !mark.isMachine && !inBurst.has(mark));
  return { people, machines: marks.length - people.length };
}

function earliest(known: Date | null, at: Date): Date {
  return known !== null && known <= at ? known : at;
}

/** What one message adds to figures: each 0 or 1, so that no rate is above 100 %. Machines alone add nothing to opens and clicks. */
export interface EngagementFigures {
  readonly delivered: number;
  readonly opened: number;
  readonly clicked: number;
  readonly bounced: number;
  readonly hardBounced: number;
  readonly complained: number;
}

/** A click is an open, whether images were shown or not; a soft bounce that was followed by a delivery is none. */
export function figuresOf(engagement: Engagement): EngagementFigures {
  const { deliveredAt, openedAt, clickedAt, bouncedAt, bounceKind, complainedAt } = engagement;
  const isBounced =
    bouncedAt !== null && (bounceKind === 'hard' || deliveredAt === null || deliveredAt < bouncedAt);
  const one = (is: boolean): number => (is ? 1 : 0);
  return {
    delivered: one(deliveredAt !== null),
    opened: one(openedAt !== null || clickedAt !== null),
    clicked: one(clickedAt !== null),
    bounced: one(isBounced),
    hardBounced: one(isBounced && bounceKind === 'hard'),
    complained: one(complainedAt !== null),
  };
}
