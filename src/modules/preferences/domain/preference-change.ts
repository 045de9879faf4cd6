/** What persons decide about promotional mail, as it is written down and announced. */
import { DAY } from '../../../kernel/duration.js';
import { choiceOf, isSubscribedTo, pauseAt, type Preferences, type TopicRule } from './preferences.js';

/**
 * - `page`: on the page that a link of an email opens.
 * - `one_click`: in a mail program, RFC 8058.
 * - `api`: told by the workspace's application or people.
 * - `provider`: told by the mail provider, such as a complaint.
 */
export const CHANGE_WAYS = ['page', 'one_click', 'api', 'provider'] as const;
export type ChangeWay = (typeof CHANGE_WAYS)[number];

export const CHANGE_KINDS = ['opted_out', 'opted_in', 'paused', 'resumed'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Where a change comes from. */
export interface ChangeSource {
  readonly way: ChangeWay;
  /** The email whose link was used; null where none was, or nobody knows. */
  readonly messageId: string | null;
  /** A member or an API key, as in `created_by` of flows; null where the person did it. */
  readonly actor: string | null;
}

export interface Decision {
  readonly kind: ChangeKind;
  /** Null where all promotional mail is meant. */
  readonly topic: string | null;
  /** The end of a pause; null of every other kind. */
  readonly until: Date | null;
}

export interface PreferenceChange extends Decision, ChangeSource {
  readonly id: string;
  readonly contactId: string;
  readonly changedAt: Date;
}

/** A person's wish for no more mail, by the link of a message. */
export type OptOutByLink = PreferenceChange & { readonly messageId: string };

/** Those of the changes that say so; what the provider tells is no wish of the person's. */
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
export const PAUSE = 30 * DAY;

/**
 * How many changes of a person are taken within a day: a link opens a page without a limit of requests, and each change
 * is kept. Refusing all mail is taken always.
 */
export const MOST_CHANGES_A_DAY = 100;

export const OPTED_OUT: Decision = { kind: 'opted_out', topic: null, until: null };
export const OPTED_IN: Decision = { kind: 'opted_in', topic: null, until: null };

/** What choosing topics changes: those that are chosen as they were change nothing. @param chosen by key. */
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

/** What asking for a pause changes: nothing while one is on. */
export function pauseDecision(preferences: Preferences, now: Date): Decision | undefined {
  if (pauseAt(preferences, now)) return undefined;
  return { kind: 'paused', topic: null, until: new Date(now.getTime() + PAUSE) };
}

/** What asking for mail before the pause ends changes: nothing while none is on. */
export function resumeDecision(preferences: Preferences, now: Date): Decision | undefined {
  return pauseAt(preferences, now) ? { kind: 'resumed', topic: null, until: null } : undefined;
}

/** The preferences that follow. Coming back to all mail ends a pause. */
export function afterDecisions(preferences: Preferences, decisions: readonly Decision[]): Preferences {
  const choices: Record<string, boolean> = { ...preferences.choices };
  let { pausedUntil } = preferences;
  for (const { kind, topic, until } of decisions)
    if (topic !== null) choices[topic] = kind === 'opted_in';
    else if (kind !== 'opted_out') pausedUntil = until;
  return { choices, pausedUntil };
}

/** Whether the person has refused a topic by a choice, which the person alone takes back. */
export function hasRefused({ choices }: Preferences, key: string): boolean {
  return choiceOf(choices, key) === false;
}
