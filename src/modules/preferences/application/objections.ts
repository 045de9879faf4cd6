/** Who may not be sent promotional mail though they have not unsubscribed from all of it; for modules that send. */
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

  /** What contacts have chosen, for whoever asks about many messages at once; who has chosen nothing is not in the answer. */
  async preferencesOf(
    tx: Transaction,
    scope: TenantScope,
    contactIds: readonly string[],
  ): Promise<ReadonlyMap<string, Preferences>> {
    return this.preferences.of(tx, scope, contactIds);
  }

  /**
   * What stands against messages, as the open transaction sees it: one query, and none when nothing is asked.
   * @param asked contacts with the topic of the message that is for them.
   * @returns for each that was asked, in that order, its objection, or null.
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
