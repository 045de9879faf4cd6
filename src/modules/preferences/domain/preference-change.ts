/** Decisions on promotional mail, as they are recorded and announced. */
import { DAY } from '../../../kernel/duration.js';
import { choiceOf, isSubscribedTo, pauseAt, type Preferences, type TopicRule } from './preferences.js';

/**
 * - `page`: on the page that a link in an email opens.
 * - `one_click`: in a mail client, RFC 8058.
 * - `api`: reported by the workspace's application or members.
 * - `provider`: reported by the mail provider, such as a complaint.
 */
export const CHANGE_CHANNELS = ['page', 'one_click', 'api', 'provider'] as const;
export type ChangeChannel = (typeof CHANGE_CHANNELS)[number];

export const CHANGE_KINDS = ['opted_out', 'opted_in', 'paused', 'resumed'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Where a change comes from. */
export interface ChangeSource {
  readonly way: ChangeChannel;
  /** The email whose link was used; null if none was used, or it is unknown. */
  readonly messageId: string | null;
  /** A member or an API key, as in `created_by` of flows; null if the contact made the change. */
  readonly actor: string | null;
}

export interface Decision {
  readonly kind: ChangeKind;
  /** Null for all promotional mail. */
  readonly topic: string | null;
  /** The end of a pause; null for every other kind. */
  readonly until: Date | null;
}

export interface PreferenceChange extends Decision, ChangeSource {
  readonly id: string;
  readonly contactId: string;
  readonly changedAt: Date;
}

/** An opt-out through the link of a message. */
export type OptOutByLink = PreferenceChange & { readonly messageId: string };

/**
 * Those of the changes that are opt-outs through a link; a report of the provider is not a decision of the contact.
 */
export function optOutsByLink(changes: readonly PreferenceChange[]): OptOutByLink[] {
  return changes.filter(
    (change): change is OptOutByLink =>
      change.kind === 'opted_out' &&
      change.topic === null &&
      change.way !== 'provider' &&
      change.messageId !== null,
  );
}

/** How long a pause lasts. */
export const PAUSE_MS = 30 * DAY;

/**
 * Maximum number of changes of one contact per day. The link opens a page without a rate limit, and each change is
 * retained. An opt-out of all mail is always accepted.
 */
export const MAX_CHANGES_PER_DAY = 100;

export const OPTED_OUT: Decision = { kind: 'opted_out', topic: null, until: null };
export const OPTED_IN: Decision = { kind: 'opted_in', topic: null, until: null };

/** The decisions that result from choosing topics; unchanged choices result in none. @param chosen by key. */
export function topicDecisions(
  preferences: Preferences,
  topics: readonly TopicRule[],
  chosen: ReadonlyMap<string, boolean>,
): Decision[] {
  return topics.flatMap((topic) => {
    const choice = chosen.get(topic.key);
    if (choice === undefined || choice === isSubscribedTo(preferences, topic)) return [];
    return [{ kind: choice ? 'opted_in' : 'opted_out', topic: topic.key, until: null } as const];
  });
}

/** The decision to pause; undefined if a pause is already active. */
export function pauseDecision(preferences: Preferences, now: Date): Decision | undefined {
  if (pauseAt(preferences, now)) return undefined;
  return { kind: 'paused', topic: null, until: new Date(now.getTime() + PAUSE_MS) };
}

/** The decision to end a pause; undefined if none is active. */
export function resumeDecision(preferences: Preferences, now: Date): Decision | undefined {
  return pauseAt(preferences, now) ? { kind: 'resumed', topic: null, until: null } : undefined;
}

/** The preferences after the decisions. An opt-in to all mail ends a pause. */
export function afterDecisions(preferences: Preferences, decisions: readonly Decision[]): Preferences {
  const choices: Record<string, boolean> = { ...preferences.choices };
  let { pausedUntil } = preferences;
  for (const { kind, topic, until } of decisions)
    if (topic !== null) choices[topic] = kind === 'opted_in';
    else if (kind !== 'opted_out') pausedUntil = until;
  return { choices, pausedUntil };
}

/** Whether the contact has opted out of a topic; only the contact can reverse this. */
export function hasOptedOutOf({ choices }: Preferences, key: string): boolean {
  return choiceOf(choices, key) === false;
}
