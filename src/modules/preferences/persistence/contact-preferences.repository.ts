/** The stored choices of contacts for promotional mail. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { textArray, uuidArray } from '../../../platform/database/array-parameters.js';
import type { Transaction } from '../../../platform/database/database.js';
import { NO_PREFERENCES, type Preferences } from '../domain/preferences.js';

/** The contact that a message is for, and the message's topic. */
export interface TopicRecipient {
  readonly contactId: string;
  /** A topic's key; null for mail without a topic. */
  readonly topic: string | null;
}

/** The preferences of a contact that may prevent its message. */
export interface PreferenceState extends TopicRecipient {
  readonly isSubscribedByDefault: boolean;
  readonly choice: boolean | null;
  readonly pausedUntil: Date | null;
}

/** Serializes changes of a contact's preferences. Takes its `preferencesKey`. */
export const LOCK_PREFERENCES = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';

export function preferencesKey({ workspaceId }: TenantScope, contactId: string): string {
  return `preferences ${workspaceId} ${contactId}`;
}

@Injectable()
export class ContactPreferencesRepository {
  /** Serializes changes of the contact's preferences until the transaction ends. */
  async lock(tx: Transaction, scope: TenantScope, contactId: string): Promise<void> {
    await tx.query(LOCK_PREFERENCES, [preferencesKey(scope, contactId)]);
  }

  /** By contact; contacts that have chosen nothing are missing. */
  async find(
    tx: Transaction,
    scope: TenantScope,
    contactIds: readonly string[],
  ): Promise<ReadonlyMap<string, Preferences>> {
    const rows = await tx.query<Preferences & { readonly contactId: string }>(
      `SELECT contact_id AS "contactId", choices, paused_until AS "pausedUntil" FROM contact_preferences
       WHERE workspace_id = $1 AND environment = $2 AND contact_id = ANY ($3::uuid[])`,
      [scope.workspaceId, scope.environment, uuidArray(contactIds)],
      'contact-preferences-of',
    );
    return new Map(rows.map(({ contactId, ...preferences }) => [contactId, preferences]));
  }

  /** Those of the contacts that have chosen anything, or whose topic is off by default. */
  async states(
    tx: Transaction,
    scope: TenantScope,
    recipients: readonly TopicRecipient[],
  ): Promise<PreferenceState[]> {
    return tx.query<PreferenceState>(
      `SELECT a.contact_id AS "contactId", a.topic, coalesce(t.subscribed_by_default, true) AS "isSubscribedByDefault",
         (p.choices ->> a.topic)::boolean AS choice, p.paused_until AS "pausedUntil"
       FROM unnest($3::uuid[], $4::text[]) AS a(contact_id, topic)
       LEFT JOIN topics t ON t.workspace_id = $1 AND t.key = a.topic
       LEFT JOIN contact_preferences p
         ON p.workspace_id = $1 AND p.environment = $2 AND p.contact_id = a.contact_id
       WHERE p.contact_id IS NOT NULL OR NOT coalesce(t.subscribed_by_default, true)`,
      [
        scope.workspaceId,
        scope.environment,
        uuidArray(recipients.map(({ contactId }) => contactId)),
        textArray(recipients.map(({ topic }) => topic)),
      ],
      'contact-preferences-standings',
    );
  }

  /** Stores what a contact has chosen; preferences that equal the defaults leave no row. */
  async store(
    tx: Transaction,
    scope: TenantScope,
    contactId: string,
    { choices, pausedUntil }: Preferences,
    now: Date,
  ): Promise<void> {
    if (Object.keys(choices).length === 0 && pausedUntil === NO_PREFERENCES.pausedUntil) {
      await this.remove(tx, scope, contactId);
      return;
    }
    await tx.execute(
      `INSERT INTO contact_preferences (workspace_id, environment, contact_id, choices, paused_until, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (workspace_id, environment, contact_id) DO UPDATE
         SET choices = excluded.choices, paused_until = excluded.paused_until, updated_at = excluded.updated_at`,
      [scope.workspaceId, scope.environment, contactId, choices, pausedUntil, now],
    );
  }

  /**
   * @returns how many rows there were: one or none.
   */
  async remove(tx: Transaction, scope: TenantScope, contactId: string): Promise<number> {
    return tx.execute(
      'DELETE FROM contact_preferences WHERE workspace_id = $1 AND environment = $2 AND contact_id = $3',
      [scope.workspaceId, scope.environment, contactId],
    );
  }
}
