/** Events of a tenant: stored in batches, claimed in the order in which they came. */
import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../../kernel/json.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { earliestId } from '../../../kernel/uuid.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { IncomingEvent } from '../domain/read-event.js';

/** An event that is to be stored. */
export interface NewEvent extends IncomingEvent {
  readonly id: string;
}

/** An event that was stored. */
export interface StoredEvent {
  readonly id: string;
  readonly externalId: string;
  readonly eventName: string;
  readonly attributes: JsonObject;
  readonly contact: JsonObject | null;
  readonly occurredAt: Date;
}

const INSERT = `
  INSERT INTO events (workspace_id, environment, id, external_id, event_name, attributes, contact, occurred_at, received_at)
  SELECT $1, $2, u.*, $9 FROM unnest($3::uuid[], $4::text[], $5::text[], $6::jsonb[], $7::jsonb[], $8::timestamptz[]) AS u`;

/**
 * Takes the keys that are free and stores the events whose keys they are, with those that have none, in one statement.
 * Keys go in by their order, so that two batches never wait for each other.
 */
const INSERT_KEYED = `
  WITH posted AS (
    SELECT * FROM unnest($3::uuid[], $4::text[], $5::text[], $6::jsonb[], $7::jsonb[], $8::timestamptz[], $10::text[])
      AS u(id, external_id, event_name, attributes, contact, occurred_at, key)),
  taken AS (
    INSERT INTO idempotency_keys AS k (workspace_id, environment, key, event_id, expires_at)
    SELECT $1, $2, key, id, $11 FROM posted WHERE key IS NOT NULL ORDER BY key
    ON CONFLICT (workspace_id, environment, key) DO UPDATE
      SET event_id = excluded.event_id, expires_at = excluded.expires_at WHERE k.expires_at <= $9
    RETURNING event_id)
  INSERT INTO events (workspace_id, environment, id, external_id, event_name, attributes, contact, occurred_at, received_at)
  SELECT $1, $2, id, external_id, event_name, attributes, contact, occurred_at, $9 FROM posted
  WHERE key IS NULL OR id IN (SELECT event_id FROM taken) RETURNING id`;

function insertValues(scope: TenantScope, events: readonly NewEvent[], now: Date): unknown[] {
  return [
    scope.workspaceId,
    scope.environment,
    events.map((event) => event.id),
    events.map((event) => event.externalId),
    events.map((event) => event.eventName),
    events.map((event) => event.attributes),
    events.map((event) => event.contact),
    events.map((event) => event.occurredAt.toISOString()),
    now,
  ];
}

@Injectable()
export class EventRepository {
  constructor(private readonly database: Database) {}

  /**
   * Takes the idempotency keys that are free: not used before, or used so long ago that they have expired.
   * @returns the events' ids whose key is now theirs.
   */
  async takeKeys(
    tx: Transaction,
    scope: TenantScope,
    events: readonly NewEvent[],
    now: Date,
    expiry: Date,
  ): Promise<Set<string>> {
    const sorted = [...events].sort((a, b) => ((a.idempotencyKey ?? '') < (b.idempotencyKey ?? '') ? -1 : 1));
    const rows = await tx.query<{ event_id: string }>(
      `INSERT INTO idempotency_keys AS k (workspace_id, environment, key, event_id, expires_at)
       SELECT $1, $2, u.key, u.id, $5 FROM unnest($3::text[], $4::uuid[]) AS u(key, id)
       ON CONFLICT (workspace_id, environment, key) DO UPDATE
         SET event_id = excluded.event_id, expires_at = excluded.expires_at WHERE k.expires_at <= $6
       RETURNING event_id`,
      [
        scope.workspaceId,
        scope.environment,
        sorted.map((event) => event.idempotencyKey),
        sorted.map((event) => event.id),
        expiry,
        now,
      ],
      'idempotency-keys-take',
    );
    return new Set(rows.map((row) => row.event_id));
  }

  /** Gives back the keys of events that are not stored after all, taken in the same transaction. */
  async releaseKeys(tx: Transaction, scope: TenantScope, events: readonly NewEvent[]): Promise<void> {
    const keys = events.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
    if (keys.length === 0) return;
    await tx.execute(
      'DELETE FROM idempotency_keys WHERE workspace_id = $1 AND environment = $2 AND key = ANY ($3::text[])',
      [scope.workspaceId, scope.environment, keys],
    );
  }

  /** Deletes the tenant's oldest processed events that were received before the moment; gives their number. */
  async deleteBefore(tx: Transaction, scope: TenantScope, moment: Date, limit: number): Promise<number> {
    return tx.execute(
      `DELETE FROM events WHERE workspace_id = $1 AND id = ANY (ARRAY(
         SELECT id FROM events WHERE workspace_id = $1 AND environment = $2 AND id < $3 AND processed_at IS NOT NULL
         ORDER BY id LIMIT $4))`,
      [scope.workspaceId, scope.environment, earliestId(moment), limit],
    );
  }

  /** Forgets idempotency keys that have expired; gives their number. */
  async forgetKeys(tx: Transaction, scope: TenantScope, now: Date, limit: number): Promise<number> {
    return tx.execute(
      `DELETE FROM idempotency_keys WHERE workspace_id = $1 AND environment = $2 AND key = ANY (ARRAY(
         SELECT key FROM idempotency_keys WHERE workspace_id = $1 AND environment = $2 AND expires_at <= $3
         ORDER BY expires_at LIMIT $4 FOR UPDATE SKIP LOCKED)) AND expires_at <= $3`,
      [scope.workspaceId, scope.environment, now, limit],
    );
  }

  /** Stores events as a transaction of their own, in one round trip. */
  async insertAlone(scope: TenantScope, events: readonly NewEvent[], now: Date): Promise<void> {
    await this.database.once(scope, INSERT, insertValues(scope, events, now), 'events-insert');
  }

  /**
   * As `insertAlone`, for events of which some carry idempotency keys, each key once.
   * @returns the ids of those that were stored: the others' keys were used before, and have not expired.
   */
  async insertKeyedAlone(
    scope: TenantScope,
    events: readonly NewEvent[],
    now: Date,
    expiry: Date,
  ): Promise<Set<string>> {
    const keys = events.map((event) => event.idempotencyKey);
    const values = [...insertValues(scope, events, now), keys, expiry];
    const rows = await this.database.once<{ id: string }>(scope, INSERT_KEYED, values, 'events-insert-keyed');
    return new Set(rows.map(({ id }) => id));
  }

  /** Stores events. */
  async insert(tx: Transaction, scope: TenantScope, events: readonly NewEvent[], now: Date): Promise<void> {
    await tx.execute(INSERT, insertValues(scope, events, now), 'events-insert');
  }

  /** The tenant's oldest events that have not been processed. */
  async pending(tx: Transaction, scope: TenantScope, limit: number): Promise<StoredEvent[]> {
    return tx.query<StoredEvent>(
      `SELECT id, external_id AS "externalId", event_name AS "eventName", attributes, contact,
         occurred_at AS "occurredAt" FROM events
       WHERE workspace_id = $1 AND environment = $2 AND processed_at IS NULL ORDER BY id LIMIT $3`,
      [scope.workspaceId, scope.environment, limit],
      'events-pending',
    );
  }

  async markProcessed(tx: Transaction, scope: TenantScope, ids: readonly string[], now: Date): Promise<void> {
    await tx.execute(
      `UPDATE events SET processed_at = $4 WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[])`,
      [scope.workspaceId, scope.environment, ids, now],
      'events-processed',
    );
  }
}
