/**
 * Whether a provider tells what becomes of messages: nothing says so but what it has told. Around a day of whose messages it told
 * some, it would have told of the others too.
 */
import { DAY } from '../../../kernel/duration.js';
import { TRACKED } from '../../tracking/domain/tracking-settings.js';

const TOLD_KINDS = ['delivered', 'opened', 'clicked'] as const;
export type ToldKind = (typeof TOLD_KINDS)[number];

/** Days on either side of one of which it told. */
export const TOLD_AROUND_DAYS = 30;

/** A day of UTC, as YYYY-MM-DD, on which a message was sent of which it told. */
export interface ToldDay {
  readonly kind: ToldKind;
  readonly day: string;
}

export interface ToldSpan {
  readonly from: Date;
  readonly until: Date;
}

/** What it tells. */
export type Told = Readonly<Record<ToldKind, boolean>>;

export const NOTHING_TOLD_OF: Told = { delivered: false, opened: false, clicked: false };

/** Where messages of the span were sent, the days that tell of them. */
export function aroundSpan({ from, until }: ToldSpan): ToldSpan {
  const around = TOLD_AROUND_DAYS * DAY;
  return { from: new Date(from.getTime() - around), until: new Date(until.getTime() + around) };
}

/**
 * The kind of which a word tells that the provider measures it; undefined where it tells nothing of the kind: words of the
 * message's own image and links, and such as may be due to these.
 * @param type as the source calls the word.
 * @param tracked what the message bore.
 */
export function toldKind(type: string, kind: string | null, tracked: number): ToldKind | undefined {
  if (type.startsWith('tracked.')) return undefined;
  const told = TOLD_KINDS.find((one) => one === kind);
  if (told === 'opened' && (tracked & TRACKED.opens) !== 0) return undefined;
  return told === 'clicked' && (tracked & TRACKED.clicks) !== 0 ? undefined : told;
}
