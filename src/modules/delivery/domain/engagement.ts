/**
 * Engagement with a message after it left: delivered, opened, clicked, bounced, reported as spam (section 6.2). Reports
 * arrive in any order, more than once, and late. So each rule here gives the same result in any order: the earliest
 * time of each kind is kept, a stronger bounce replaces a weaker one, and nothing known is lost.
 */
import { storableDetail } from './storable-detail.js';

/** `hard`: the address accepts no mail. `soft`: only this message was refused, for now or for its content. */
export const BOUNCE_KINDS = ['soft', 'hard'] as const;
export type BounceKind = (typeof BOUNCE_KINDS)[number];

export interface Bounce {
  readonly kind: BounceKind;
  /** Enhanced status code, such as 5.1.1; null if none was reported. */
  readonly code: string | null;
  /** What the receiving server said, at most 500 characters; null if nothing was reported. */
  readonly detail: string | null;
}

/** One click, with only the data needed to distinguish people from scanners. */
export interface ClickMark {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Distinguishes links. */
  readonly link: string;
  /** As judged from the client. Bursts of clicks are judged from all marks together. */
  readonly isMachine: boolean;
}

export interface Engagement {
  /** Set by any report that shows that the message arrived, including opens and clicks by machines. */
  readonly deliveredAt: Date | null;
  /** The first open by a person. Opens by machines are counted separately. */
  readonly openedAt: Date | null;
  readonly opens: number;
  readonly machineOpens: number;
  readonly clickedAt: Date | null;
  readonly clicks: number;
  readonly machineClicks: number;
  /** The first clicks, by time. Clicks beyond MAX_CLICK_MARKS are only counted. */
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

/** A report about a message. */
export type EngagementReport =
  | { readonly kind: 'sent'; readonly at: Date }
  | { readonly kind: 'delivered'; readonly at: Date }
  | { readonly kind: 'opened'; readonly at: Date; readonly isMachine: boolean }
  | { readonly kind: 'clicked'; readonly at: Date; readonly isMachine: boolean; readonly link: string }
  | { readonly kind: 'bounced'; readonly at: Date; readonly bounce: Bounce }
  | { readonly kind: 'complained'; readonly at: Date };

/** How many clicks of one message are stored individually. */
export const MAX_CLICK_MARKS = 50;
/** A scanner is assumed when this many links of one message are followed within this many milliseconds. */
const MIN_BURST_LINKS = 3;
const BURST_MS = 5_000;

/** The engagement after one more report. */
export function withReport(known: Engagement, report: EngagementReport): Engagement {
  switch (report.kind) {
    case 'sent':
      return known;
    case 'delivered':
      return arrived(known, report.at);
    case 'opened': {
      const before = arrived(known, report.at);
      return report.isMachine
        ? { ...before, machineOpens: before.machineOpens + 1 }
        : { ...before, openedAt: earliest(before.openedAt, report.at), opens: before.opens + 1 };
    }
    case 'clicked':
      return withClick(arrived(known, report.at), {
        at: report.at.getTime(),
        link: report.link,
        isMachine: report.isMachine,
      });
    case 'bounced':
      return withBounce(known, report.at, report.bounce);
    case 'complained':
      return { ...arrived(known, report.at), complainedAt: earliest(known.complainedAt, report.at) };
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
    bounceDetail: detail === null ? null : storableDetail(detail),
  };
}

/** Clicks are judged together: the second and third click of a burst show that the first one was part of it. */
function withClick(known: Engagement, mark: ClickMark): Engagement {
  const all = [...known.clickMarks, mark].sort(
    (one, other) => one.at - other.at || (one.link < other.link ? -1 : one.link > other.link ? 1 : 0),
  );
  const marks = all.slice(0, MAX_CLICK_MARKS);
  const was = judged(known.clickMarks);
  const is = judged(marks);
  const [beyond] = all.slice(MAX_CLICK_MARKS);
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

/** The clicks by people, and the number of clicks by machines: judged from the client, or part of a burst. */
function judged(marks: readonly ClickMark[]): {
  readonly people: readonly ClickMark[];
  readonly machines: number;
} {
  const inBurst = new Set<ClickMark>();
  for (const [start, first] of marks.entries()) {
    const near = marks.slice(start).filter(({ at }) => at - first.at <= BURST_MS);
    if (new Set(near.map(({ link }) => link)).size >= MIN_BURST_LINKS)
      for (const mark of near) inBurst.add(mark);
  }
  const people = marks.filter((mark) => !mark.isMachine && !inBurst.has(mark));
  return { people, machines: marks.length - people.length };
}

function earliest(known: Date | null, at: Date): Date {
  return known !== null && known <= at ? known : at;
}

/**
 * What one message adds to metrics: each 0 or 1, so that no rate exceeds 100 %. Machines alone add nothing to opens and
 * clicks.
 */
export interface EngagementCounts {
  readonly delivered: number;
  readonly opened: number;
  readonly clicked: number;
  readonly bounced: number;
  readonly hardBounced: number;
  readonly complained: number;
}

/** A click counts as an open, even if images were not shown. A soft bounce followed by a delivery does not count. */
export function engagementCountsOf(engagement: Engagement): EngagementCounts {
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
