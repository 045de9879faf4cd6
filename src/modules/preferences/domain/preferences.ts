/** What a contact has chosen to receive, and whether it may get a given message. */

export interface Preferences {
  /** By topic key: whether the contact wants it. A missing topic has its default. */
  readonly choices: Readonly<Record<string, boolean>>;
  /** The end of a pause of promotional mail; null or past if there is none. */
  readonly pausedUntil: Date | null;
}

export const NO_PREFERENCES: Preferences = { choices: {}, pausedUntil: null };

/** The fields of a topic that decide whether it is sent. */
export interface TopicRule {
  readonly key: string;
  readonly isSubscribedByDefault: boolean;
}

/** Why promotional mail may not be sent to a contact that has not unsubscribed from all of it. */
export type PreferenceBlock =
  | { readonly reason: 'unsubscribed_topic'; readonly topic: string }
  | { readonly reason: 'paused'; readonly until: Date };

export type ReceiveDecision = { readonly kind: 'yes' } | ({ readonly kind: 'no' } & PreferenceBlock);

/**
 * Whether promotional mail may be sent to a contact. A permanent reason takes precedence over a temporary one.
 * @param topic null for mail without a topic.
 */
export function mayReceive(preferences: Preferences, topic: TopicRule | null, now: Date): ReceiveDecision {
  if (topic && !isSubscribedTo(preferences, topic))
    return { kind: 'no', reason: 'unsubscribed_topic', topic: topic.key };
  const until = pauseAt(preferences, now);
  return until ? { kind: 'no', reason: 'paused', until } : { kind: 'yes' };
}

/** What the contact has chosen for a topic, or the topic's default. */
export function isSubscribedTo({ choices }: Preferences, { key, isSubscribedByDefault }: TopicRule): boolean {
  return choiceOf(choices, key) ?? isSubscribedByDefault;
}

/** What was chosen for a topic; undefined if nothing was. */
export function choiceOf(choices: Preferences['choices'], key: string): boolean | undefined {
  return Object.hasOwn(choices, key) ? choices[key] : undefined;
}

/** The end of the current pause; null if there is none. */
export function pauseAt({ pausedUntil }: Preferences, now: Date): Date | null {
  return pausedUntil && pausedUntil > now ? pausedUntil : null;
}
