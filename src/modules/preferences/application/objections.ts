/**
 * For modules that send: finds contacts that may not get promotional mail although they have not unsubscribed from
 * all of it.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { mayReceive, type Objection, type Preferences } from '../domain/preferences.js';
import {
  ContactPreferencesRepository,
  type AskedContact,
  type Standing,
} from '../persistence/contact-preferences.repository.js';

@Injectable()
export class Objections {
  constructor(private readonly preferences: ContactPreferencesRepository) {}

  /** What contacts have chosen, for many messages per query; contacts that have chosen nothing are missing. */
  async preferencesOf(
    tx: Transaction,
    scope: TenantScope,
    contactIds: readonly string[],
  ): Promise<ReadonlyMap<string, Preferences>> {
    return this.preferences.of(tx, scope, contactIds);
  }

  /**
   * Checks messages against preferences, as the open transaction sees them, in one query, or none if `asked` is
   * empty.
   * @param asked contacts, each with the topic of its message.
   * @returns for each of them, in the same order, the reason not to send, or null.
   */
  async against(
    tx: Transaction,
    scope: TenantScope,
    asked: readonly AskedContact[],
    now: Date,
  ): Promise<readonly (Objection | null)[]> {
    if (asked.length === 0) return [];
    const standings = await this.preferences.standings(tx, scope, asked);
    if (standings.length === 0) return asked.map(() => null);
    const found = new Map<string, Objection>();
    for (const standing of standings) {
      const objection = objectionOf(standing, now);
      if (objection) found.set(nameOf(standing), objection);
    }
    return asked.map((one) => found.get(nameOf(one)) ?? null);
  }
}

function nameOf({ contactId, topic }: AskedContact): string {
  return `${contactId} ${topic ?? ''}`;
}

function objectionOf(
  { topic: key, choice, isSubscribedByDefault, pausedUntil }: Standing,
  now: Date,
): Objection | null {
  const choices = key !== null && choice !== null ? { [key]: choice } : {};
  const topic = key === null ? null : { key, isSubscribedByDefault };
  const receiving = mayReceive({ choices, pausedUntil }, topic, now);
  return receiving.kind === 'no' ? receiving : null;
}
