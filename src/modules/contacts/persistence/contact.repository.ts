/** Reads sets of a tenant's contacts; `contact-writes.repository.ts` writes them. */
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.js';
import { byteSizeSql } from '../../../platform/database/byte-size.js';
import { camelCase, snakeCase } from '../../../kernel/letter-case.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Contact } from '../domain/contact.js';
import { spellingsOf } from '../domain/opt-out.js';

export const COLUMNS = `id, external_id, email, phone, first_name, last_name, product_type, subscription_status, timezone,
  locale, properties, tags, created_at, updated_at`;

/** The select list of contact records. @param row the query's name for the table. */
export function recordOf(row: string): string {
  return COLUMNS.split(/,\s*/)
    .map((column) => `${row}.${column} AS "${camelCase(column)}"`)
    .join(', ');
}

const RECORD = recordOf('c');

/** Maximum number of contacts per address whose messages are searched. */
const MAX_CONTACTS_PER_ADDRESS = 100;

type Key = 'id' | 'externalId';

/** What callers need to know about a contact before reading it. */
export interface ContactState {
  readonly isDeleted: boolean;
  /** Bytes to read; 0 if not requested. */
  readonly bytes: number;
}

@Injectable()
export class ContactRepository {
  /**
   * Reads contacts by id or external_id.
   * @param lock locks the rows against other writers until the transaction ends, always in the order of external_id,
   *   so that two transactions never deadlock.
   */
  async find(
    tx: Transaction,
    scope: TenantScope,
    key: Key,
    values: readonly string[],
    lock: boolean,
  ): Promise<Contact[]> {
    if (values.length === 0) return [];
    const type = key === 'id' ? 'uuid' : 'text';
    const column = snakeCase(key);
    return tx.query<Contact>(
      `SELECT ${RECORD} FROM contacts c
       WHERE workspace_id = $1 AND environment = $2 AND ${column} = ANY ($3::${type}[])
       ${lock ? 'ORDER BY external_id FOR NO KEY UPDATE' : ''}`,
      [scope.workspaceId, scope.environment, values],
      `contacts-by-${column}${lock ? '-locked' : ''}`,
    );
  }

  /**
   * Locks those of the contacts that no other transaction has locked, without waiting.
   * @returns the ids of the others.
   */
  async lockAvailable(tx: Transaction, scope: TenantScope, ids: readonly string[]): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `WITH free AS MATERIALIZED (
         SELECT id FROM contacts WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[])
         FOR NO KEY UPDATE SKIP LOCKED)
       SELECT id FROM contacts WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[])
       EXCEPT SELECT id FROM free`,
      [scope.workspaceId, scope.environment, ids],
      'contacts-lock-free',
    );
    return rows.map(({ id }) => id);
  }

  /** Locks a contact, after waiting for other locks on it. */
  async lockOne(tx: Transaction, scope: TenantScope, id: string): Promise<void> {
    await tx.query(
      `SELECT FROM contacts WHERE workspace_id = $1 AND environment = $2 AND id = $3 FOR NO KEY UPDATE`,
      [scope.workspaceId, scope.environment, id],
    );
  }

  /** Those of the contacts that exist, with whether they are deleted, and with their bytes if requested. */
  async states(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    withBytes: boolean,
  ): Promise<Map<string, ContactState>> {
    if (ids.length === 0) return new Map();
    const rows = await tx.query<ContactState & { id: string }>(
      `SELECT id, subscription_status = 'deleted' AS "isDeleted",
         CASE WHEN $4::boolean THEN ${byteSizeSql('properties')} + ${byteSizeSql('tags')} ELSE 0 END AS bytes
       FROM contacts WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[])`,
      [scope.workspaceId, scope.environment, ids, withBytes],
      'contacts-standings',
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Those of the contacts that exist, in any status, with the bytes it takes to read each. */
  async weigh(tx: Transaction, scope: TenantScope, ids: readonly string[]): Promise<Map<string, number>> {
    if (ids.length === 0) return new Map();
    const rows = await tx.query<{ id: string; bytes: number }>(
      `SELECT id, ${byteSizeSql('properties')} + ${byteSizeSql('tags')} AS bytes FROM contacts
       WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[])`,
      [scope.workspaceId, scope.environment, ids],
      'contacts-weigh',
    );
    return new Map(rows.map(({ id, bytes }) => [id, bytes]));
  }

  /** Locks contacts as `find` does. Returns the bytes it takes to read each, by external_id and in locking order. */
  async lockWithSizes(
    tx: Transaction,
    scope: TenantScope,
    externalIds: readonly string[],
  ): Promise<Map<string, number>> {
    const rows = await tx.query<{ external_id: string; bytes: number }>(
      `SELECT external_id, ${byteSizeSql('properties')} + ${byteSizeSql('tags')} AS bytes FROM contacts
       WHERE workspace_id = $1 AND environment = $2 AND external_id = ANY ($3::text[])
       ORDER BY external_id FOR NO KEY UPDATE`,
      [scope.workspaceId, scope.environment, externalIds],
      'contacts-lock-weighed',
    );
    return new Map(rows.map(({ external_id: id, bytes }) => [id, bytes]));
  }

  /** The external_ids of contacts that have one of the addresses in either spelling, without deleted contacts. */
  async externalIdsWithAddress(
    tx: Transaction,
    scope: TenantScope,
    addresses: readonly string[],
    limit: number,
  ): Promise<string[]> {
    const rows = await tx.query<{ external_id: string }>(
      `SELECT external_id FROM contacts
       WHERE workspace_id = $1 AND environment = $2 AND email IS NOT NULL AND lower(email) = ANY ($3::text[])
         AND subscription_status <> 'deleted' LIMIT $4`,
      [scope.workspaceId, scope.environment, addresses.flatMap(spellingsOf), limit],
      'contacts-bearers',
    );
    return rows.map(({ external_id: id }) => id);
  }

  /** Those of the external_ids that belong to a contact that is not deleted. */
  async existingAmong(
    tx: Transaction,
    scope: TenantScope,
    externalIds: readonly string[],
  ): Promise<string[]> {
    const rows = await tx.query<{ external_id: string }>(
      `SELECT external_id FROM contacts
       WHERE workspace_id = $1 AND environment = $2 AND external_id = ANY ($3::text[]) AND subscription_status <> 'deleted'`,
      [scope.workspaceId, scope.environment, externalIds],
      'contacts-present',
    );
    return rows.map(({ external_id: id }) => id);
  }

  /** The id of the contact with the external_id, deleted or not, if there is one. */
  async idsWithExternalId(tx: Transaction, scope: TenantScope, externalId: string): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      'SELECT id FROM contacts WHERE workspace_id = $1 AND environment = $2 AND external_id = $3',
      [scope.workspaceId, scope.environment, externalId],
    );
    return rows.map(({ id }) => id);
  }

  /** The ids of contacts that currently have one of the lower-case addresses; the newest 100. */
  async idsWithAddress(tx: Transaction, scope: TenantScope, spellings: readonly string[]): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM contacts
       WHERE workspace_id = $1 AND environment = $2 AND email IS NOT NULL AND lower(email) = ANY ($3::text[])
       ORDER BY id DESC LIMIT ${MAX_CONTACTS_PER_ADDRESS}`,
      [scope.workspaceId, scope.environment, spellings],
    );
    return rows.map(({ id }) => id);
  }

  /** The status and address of contacts, by external_id. */
  async reachability(
    tx: Transaction,
    scope: TenantScope,
    externalIds: readonly string[],
  ): Promise<Map<string, Pick<Contact, 'email' | 'subscriptionStatus'>>> {
    const rows = await tx.query<Pick<Contact, 'externalId' | 'email' | 'subscriptionStatus'>>(
      `SELECT external_id AS "externalId", email, subscription_status AS "subscriptionStatus" FROM contacts
       WHERE workspace_id = $1 AND environment = $2 AND external_id = ANY ($3::text[])`,
      [scope.workspaceId, scope.environment, externalIds],
      'contacts-reachability',
    );
    return new Map(rows.map((row) => [row.externalId, row]));
  }

  /** The external_ids of contacts, by id. */
  async externalIds(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
  ): Promise<Map<string, string>> {
    const rows = await tx.query<{ id: string; external_id: string }>(
      'SELECT id, external_id FROM contacts WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[])',
      [scope.workspaceId, scope.environment, ids],
    );
    return new Map(rows.map((row) => [row.id, row.external_id]));
  }
}
