/** Contacts of a tenant, read and written as sets. */
import { Injectable } from '@nestjs/common';
import { jsonText } from '../../../kernel/json-text.js';
import type { Transaction } from '../../../platform/database/database.js';
import {
  jsonbArray,
  momentArray,
  textArray,
  uuidArray,
} from '../../../platform/database/array-parameters.js';
import { weight } from '../../../platform/database/weight.js';
import { camelCase, snakeCase } from '../../../kernel/letter-case.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Contact } from '../domain/contact.js';

const COLUMNS = `id, external_id, email, phone, first_name, last_name, product_type, subscription_status, timezone,
  locale, properties, tags, created_at, updated_at`;

/** What a query selects to give contacts' records. @param row the name under which the query knows the table. */
export function recordOf(row: string): string {
  return COLUMNS.split(/,\s*/)
    .map((column) => `${row}.${column} AS "${camelCase(column)}"`)
    .join(', ');
}

const RECORD = recordOf('c');

type Key = 'id' | 'externalId';

@Injectable()
export class ContactRepository {
  /**
   * Reads contacts by id or external_id.
   * @param lock locks the rows against other writers until the transaction ends, always in the order of
   *   external_id, so that two transactions never wait for each other.
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

  /** Those of the contacts that exist, whatever their status. */
  async existing(tx: Transaction, scope: TenantScope, ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await tx.query<{ id: string }>(
      'SELECT id FROM contacts WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[])',
      [scope.workspaceId, scope.environment, ids],
      'contacts-existing',
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Those of the contacts that exist, whatever their status, with the bytes that reading each would cost. */
  async weigh(tx: Transaction, scope: TenantScope, ids: readonly string[]): Promise<Map<string, number>> {
    if (ids.length === 0) return new Map();
    const rows = await tx.query<{ id: string; bytes: number }>(
      `SELECT id, ${weight('properties')} AS bytes FROM contacts
       WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[])`,
      [scope.workspaceId, scope.environment, ids],
      'contacts-weigh',
    );
    return new Map(rows.map(({ id, bytes }) => [id, bytes]));
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

  /** Inserts contacts that do not exist yet; gives the external_ids of those that were inserted. */
  async insert(tx: Transaction, scope: TenantScope, contacts: readonly Contact[]): Promise<Set<string>> {
    if (contacts.length === 0) return new Set();
    const sorted = [...contacts].sort((a, b) => (a.externalId < b.externalId ? -1 : 1));
    const rows = await tx.query<{ external_id: string }>(
      `INSERT INTO contacts (workspace_id, environment, ${COLUMNS})
       SELECT $1, $2, ${UNNESTED} FROM ${unnest(3)}
       ON CONFLICT (workspace_id, environment, external_id) DO NOTHING RETURNING external_id`,
      [scope.workspaceId, scope.environment, ...columnsOf(sorted)],
      'contacts-insert',
    );
    return new Set(rows.map((row) => row.external_id));
  }

  /** Stores contacts that were read with a lock. */
  async update(tx: Transaction, scope: TenantScope, contacts: readonly Contact[]): Promise<void> {
    if (contacts.length === 0) return;
    await tx.execute(
      `UPDATE contacts c SET email = u.email, phone = u.phone, first_name = u.first_name, last_name = u.last_name,
         product_type = u.product_type, timezone = u.timezone, subscription_status = u.subscription_status,
         locale = u.locale, properties = u.properties,
         tags = ARRAY(SELECT jsonb_array_elements_text(u.tags)), updated_at = u.updated_at
       FROM ${unnest(3)} WHERE c.workspace_id = $1 AND c.environment = $2 AND c.id = u.id`,
      [scope.workspaceId, scope.environment, ...columnsOf(contacts)],
      'contacts-update',
    );
  }
}

const UNNESTED = `u.id, u.external_id, u.email, u.phone, u.first_name, u.last_name, u.product_type,
  u.subscription_status, u.timezone, u.locale, u.properties, ARRAY(SELECT jsonb_array_elements_text(u.tags)),
  u.created_at, u.updated_at`;

/** The columns as one relation `u`, from arrays that start at the given parameter. */
function unnest(first: number): string {
  const types = ['uuid', ...Array<string>(9).fill('text'), 'jsonb', 'jsonb', 'timestamptz', 'timestamptz'];
  const arrays = types.map((type, index) => `$${first + index}::${type}[]`).join(', ');
  return `unnest(${arrays}) AS u(${COLUMNS})`;
}

function columnsOf(contacts: readonly Contact[]): Buffer[] {
  return [
    uuidArray(contacts.map((c) => c.id)),
    textArray(contacts.map((c) => c.externalId)),
    textArray(contacts.map((c) => c.email)),
    textArray(contacts.map((c) => c.phone)),
    textArray(contacts.map((c) => c.firstName)),
    textArray(contacts.map((c) => c.lastName)),
    textArray(contacts.map((c) => c.productType)),
    textArray(contacts.map((c) => c.subscriptionStatus)),
    textArray(contacts.map((c) => c.timezone)),
    textArray(contacts.map((c) => c.locale)),
    jsonbArray(contacts.map((c) => jsonText(c.properties))),
    jsonbArray(contacts.map((c) => JSON.stringify(c.tags))),
    momentArray(contacts.map((c) => c.createdAt)),
    momentArray(contacts.map((c) => c.updatedAt)),
  ];
}
