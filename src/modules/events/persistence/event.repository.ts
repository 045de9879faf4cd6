/** Events of a tenant: stored in batches, claimed in the order of their arrival. */
import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../../kernel/json.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { earliestId } from '../../../kernel/uuid.js';
import {
  jsonbArray,
  momentArray,
  textArray,
  uuidArray,
} from '../../../platform/database/array-parameters.js';
import { byteSizeSql } from '../../../platform/database/byte-size.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { ContactEvent } from '../domain/accepted-event.js';
import type { IncomingEvent } from '../domain/read-event.js';

/** An event to be stored. */
export interface NewEvent extends IncomingEvent {
  readonly id: string;
}

/** A stored event. */
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
 * Takes the free keys and stores their events, together with the events that have no key, in one statement. Keys are
 * inserted in sorted order, so two batches never wait for each other.
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

/** Whether retention may delete a row: not while it is a dead letter. */
function notDeadLetter(workspaceId: string, eventId: string): string {
  return `NOT EXISTS (SELECT FROM set_aside_work s
    WHERE s.workspace_id = ${workspaceId} AND s.kind = 'retention' AND s.subject_id = ${eventId})`;
}

/**
 * The oldest events, cut off where their bytes plus those of their contacts (each read once) exceed the fourth
 * parameter. The number of waiting events is counted up to the limit, to distinguish a batch that was cut off from the
 * last one.
 */
const PENDING = `
  WITH waiting AS MATERIALIZED (
    SELECT id, external_id, event_name, attributes, contact, occurred_at FROM events
    WHERE workspace_id = $1 AND environment = $2 AND processed_at IS NULL ORDER BY id LIMIT $3),
  contacts_read AS MATERIALIZED (
    SELECT first.id, c.bytes
    FROM (SELECT DISTINCT ON (external_id) external_id, id FROM waiting ORDER BY external_id, id) AS first
    CROSS JOIN LATERAL (
      SELECT ${byteSizeSql('properties')} + ${byteSizeSql('tags')} AS bytes FROM contacts
      WHERE workspace_id = $1 AND environment = $2 AND external_id = first.external_id LIMIT 1) AS c),
  weighed AS (
    SELECT w.*, row_number() OVER by_age AS place, count(*) OVER () AS waiting,
      sum(${byteSizeSql('w.attributes')} + ${byteSizeSql('w.contact')} + coalesce(c.bytes, 0)) OVER by_age AS bytes
    FROM waiting w LEFT JOIN contacts_read c ON c.id = w.id
    WINDOW by_age AS (ORDER BY w.id))
  SELECT id, external_id AS "externalId", event_name AS "eventName", attributes, contact,
    occurred_at AS "occurredAt", waiting::int FROM weighed
  WHERE place = 1 OR bytes <= $4 ORDER BY id`;

function insertValues(scope: TenantScope, events: readonly NewEvent[], now: Date): unknown[] {
  return [
    scope.workspaceId,
    scope.environment,
    uuidArray(events.map((event) => event.id)),
    textArray(events.map((event) => event.externalId)),
    textArray(events.map((event) => event.eventName)),
    jsonbArray(events.map((event) => event.attributes)),
    jsonbArray(events.map((event) => event.contact)),
    momentArray(events.map((event) => event.occurredAt)),
    now,
  ];
}

@Injectable()
export class EventRepository {
  constructor(private readonly database: Database) {}

  /**
   * Takes the free idempotency keys: those never used, or expired.
   * @returns the ids of events that got their key.
   */
  async claimKeys(
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
        textArray(sorted.map((event) => event.idempotencyKey)),
        uuidArray(sorted.map((event) => event.id)),
        expiry,
        now,
      ],
      'idempotency-keys-take',
    );
    return new Set(rows.map((row) => row.event_id));
  }

  /** Releases the keys of events that are not stored after all. They were taken in the same transaction. */
  async releaseKeys(tx: Transaction, scope: TenantScope, events: readonly NewEvent[]): Promise<void> {
    const keys = events.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
    if (keys.length === 0) return;
    await tx.execute(
      'DELETE FROM idempotency_keys WHERE workspace_id = $1 AND environment = $2 AND key = ANY ($3::text[])',
      [scope.workspaceId, scope.environment, keys],
    );
  }

  /** A person's latest events of a name, newest first, from the latest 5,000 of any name. */
  async latestOfName(
    tx: Transaction,
    scope: TenantScope,
    externalId: string,
    eventName: string,
    limit: number,
  ): Promise<ContactEvent[]> {
    return tx.query<ContactEvent>(
      `SELECT id, attributes, occurred_at AS "occurredAt", received_at AS "receivedAt", processed_at AS "processedAt"
       FROM (SELECT * FROM events WHERE workspace_id = $1 AND environment = $2 AND external_id = $3
         ORDER BY occurred_at DESC LIMIT 5000) AS latest
       WHERE event_name = $4 ORDER BY occurred_at DESC LIMIT $5`,
      [scope.workspaceId, scope.environment, externalId, eventName, limit],
    );
  }

  /** The tenant's oldest processed events that were received before the given time and are not dead letters. */
  async expired(tx: Transaction, scope: TenantScope, moment: Date, limit: number): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM events WHERE workspace_id = $1 AND environment = $2 AND id < $3 AND processed_at IS NOT NULL
         AND ${notDeadLetter('events.workspace_id', 'events.id')} ORDER BY id LIMIT $4`,
      [scope.workspaceId, scope.environment, earliestId(moment), limit],
    );
    return rows.map(({ id }) => id);
  }

  async delete(tx: Transaction, scope: TenantScope, ids: readonly string[]): Promise<void> {
    await tx.execute(
      'DELETE FROM events WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[])',
      [scope.workspaceId, scope.environment, ids],
    );
  }

  /** Expired idempotency keys that are not dead letters, with their events. They stay locked. */
  async expiredKeys(
    tx: Transaction,
    scope: TenantScope,
    now: Date,
    limit: number,
  ): Promise<{ key: string; eventId: string }[]> {
    return tx.query(
      `SELECT key, event_id AS "eventId" FROM idempotency_keys k
       WHERE workspace_id = $1 AND environment = $2 AND expires_at <= $3
         AND ${notDeadLetter('k.workspace_id', 'k.event_id')} ORDER BY expires_at LIMIT $4 FOR UPDATE SKIP LOCKED`,
      [scope.workspaceId, scope.environment, now, limit],
    );
  }

  async deleteKeys(tx: Transaction, scope: TenantScope, keys: readonly string[]): Promise<void> {
    await tx.execute(
      'DELETE FROM idempotency_keys WHERE workspace_id = $1 AND environment = $2 AND key = ANY ($3::text[])',
      [scope.workspaceId, scope.environment, keys],
    );
  }

  /** Stores events in their own transaction, in one round trip. */
  async insertInOwnTransaction(scope: TenantScope, events: readonly NewEvent[], now: Date): Promise<void> {
    await this.database.runStatement(scope, INSERT, insertValues(scope, events, now), 'events-insert');
  }

  /**
   * Like `insertInOwnTransaction`, for events of which some have idempotency keys, each key once.
   * @returns the ids of the stored events. The keys of the others were used before and have not expired.
   */
  async insertKeyedInOwnTransaction(
    scope: TenantScope,
    events: readonly NewEvent[],
    now: Date,
    expiry: Date,
  ): Promise<Set<string>> {
    const keys = textArray(events.map((event) => event.idempotencyKey));
    const values = [...insertValues(scope, events, now), keys, expiry];
    const rows = await this.database.runStatement<{ id: string }>(
      scope,
      INSERT_KEYED,
      values,
      'events-insert-keyed',
    );
    return new Set(rows.map(({ id }) => id));
  }

  async insert(tx: Transaction, scope: TenantScope, events: readonly NewEvent[], now: Date): Promise<void> {
    await tx.execute(INSERT, insertValues(scope, events, now), 'events-insert');
  }

  /**
   * The tenant's oldest events that were not processed, as many as fit, but at least one.
   * @param limit maximum number of events.
   * @param bytes maximum bytes of the events and, for each of them, of its contact.
   */
  async pending(
    tx: Transaction,
    scope: TenantScope,
    limit: number,
    bytes: number,
  ): Promise<{ events: StoredEvent[]; more: boolean }> {
    const rows = await tx.query<StoredEvent & { waiting: number }>(
      PENDING,
      [scope.workspaceId, scope.environment, limit, bytes],
      'events-pending',
    );
    const waiting = rows[0]?.waiting ?? 0;
    const events = rows.map(({ waiting: _waiting, ...event }) => event);
    return { events, more: waiting === limit || waiting > events.length };
  }

  /** Marks an unprocessed event as processed. Returns whether it was waiting. */
  async removePending(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    const count = await tx.execute(
      `UPDATE events SET processed_at = $4
       WHERE workspace_id = $1 AND environment = $2 AND id = $3 AND processed_at IS NULL`,
      [scope.workspaceId, scope.environment, id, now],
    );
    return count > 0;
  }

  /** Marks an event as unprocessed again. Returns whether it exists. */
  async requeue(tx: Transaction, scope: TenantScope, id: string): Promise<boolean> {
    const count = await tx.execute(
      'UPDATE events SET processed_at = NULL WHERE workspace_id = $1 AND environment = $2 AND id = $3',
      [scope.workspaceId, scope.environment, id],
    );
    return count > 0;
  }

  async markProcessed(tx: Transaction, scope: TenantScope, ids: readonly string[], now: Date): Promise<void> {
    await tx.execute(
      `UPDATE events SET processed_at = $4 WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[])`,
      [scope.workspaceId, scope.environment, ids, now],
      'events-processed',
    );
  }
}
