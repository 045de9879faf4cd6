/** What a person has chosen to receive, and what follows from it for one message. */

export interface Preferences {
  /** By a topic's key: whether the person wants it. A topic that is missing has its default. */
  readonly choices: Readonly<Record<string, boolean>>;
  /** Until when promotional mail rests; null, or past, when it does not. */
  readonly pausedUntil: Date | null;
}

export const NO_PREFERENCES: Preferences = { choices: {}, pausedUntil: null };

/** As much of a topic as decides. */
export interface TopicRule {
  readonly key: string;
  readonly isSubscribedByDefault: boolean;
}

/** Why promotional mail may not go to a person who has not unsubscribed from all of it. */
export type Objection =
  | { readonly reason: 'unsubscribed_topic'; readonly topic: string }
  | { readonly reason: 'paused'; readonly until: Date };

export type Receiving = { readonly kind: 'yes' } | ({ readonly kind: 'no' } & Objection);

/**
 * Whether promotional mail may go to a person. What lasts is named before what passes.
 * @param topic null for mail that is of none.
 */
export function mayReceive(preferences: Preferences, topic: TopicRule | null, now: Date): Receiving {
  if (topic && !isSubscribedTo(preferences, topic))
    return { kind: 'no', reason: 'unsubscribed_topic', topic: topic.key };
  const until = pauseAt(preferences, now);
  return until ? { kind: 'no', reason: 'paused', until } : { kind: 'yes' };
}

/** What the person has chosen of a topic, or what holds without a choice. */
export function isSubscribedTo({ choices }: Preferences, { key, isSubscribedByDefault }: TopicRule): boolean {
  return choiceOf(choices, key) ?? isSubscribedByDefault;
}

/** What was chosen of a topic; undefined when nothing was. */
export function choiceOf(choices: Preferences['choices'], key: string): boolean | undefined {
  return Object.hasOwn(choices, key) ? choices[key] : undefined;
}

/** The end of the pause that is on at the moment; null when none is. */
export function pauseAt({ pausedUntil }: Preferences, now: Date): Date | null {
  return pausedUntil && pausedUntil > now ? pausedUntil : null;
}
