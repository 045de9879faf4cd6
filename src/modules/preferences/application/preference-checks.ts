/**
 * For modules that send: finds contacts that may not get promotional mail although they have not unsubscribed from
 * all of it.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { mayReceive, type PreferenceBlock, type Preferences } from '../domain/preferences.js';
import {
  ContactPreferencesRepository,
  type TopicRecipient,
  type PreferenceState,
} from '../persistence/contact-preferences.repository.js';

@Injectable()
export class PreferenceChecks {
  constructor(private readonly preferences: ContactPreferencesRepository) {}

  /** What contacts have chosen, for many messages per query; contacts that have chosen nothing are missing. */
  async preferencesOf(
    tx: Transaction,
    scope: TenantScope,
    contactIds: readonly string[],
  ): Promise<ReadonlyMap<string, Preferences>> {
    return this.preferences.find(tx, scope, contactIds);
  }

  /**
   * Checks messages against preferences, as the open transaction sees them, in one query, or none if `recipients` is
   * empty.
   * @param recipients contacts, each with the topic of its message.
   * @returns for each of them, in the same order, the reason not to send, or null.
   */
  async check(
    tx: Transaction,
    scope: TenantScope,
    recipients: readonly TopicRecipient[],
    now: Date,
  ): Promise<readonly (PreferenceBlock | null)[]> {
    if (recipients.length === 0) return [];
    const states = await this.preferences.states(tx, scope, recipients);
    if (states.length === 0) return recipients.map(() => null);
    const found = new Map<string, PreferenceBlock>();
    for (const state of states) {
      const block = blockOf(state, now);
      if (block) found.set(keyOf(state), block);
    }
    return recipients.map((one) => found.get(keyOf(one)) ?? null);
  }
}

function keyOf({ contactId, topic }: TopicRecipient): string {
  return `${contactId} ${topic ?? ''}`;
}

function blockOf(
  { topic: key, choice, isSubscribedByDefault, pausedUntil }: PreferenceState,
  now: Date,
): PreferenceBlock | null {
  const choices = key !== null && choice !== null ? { [key]: choice } : {};
  const topic = key === null ? null : { key, isSubscribedByDefault };
  const decision = mayReceive({ choices, pausedUntil }, topic, now);
  return decision.kind === 'no' ? decision : null;
}
