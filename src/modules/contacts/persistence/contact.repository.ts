/** Contacts of a tenant, read and written as sets. */
import { jsonText } from '../../../kernel/json-text.js';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Contact } from '../domain/contact.js';

export const COLUMNS = `id, external_id, email, phone, first_name, last_name, product_type, subscription_status, timezone,
  locale, properties, tags, created_at, updated_at`;

type Key = 'id' | 'external_id';

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
    return tx.query<Contact>(
      `SELECT ${COLUMNS} FROM contacts
       WHERE workspace_id = $1 AND environment = $2 AND ${key} = ANY ($3::${type}[])
       ${lock ? 'ORDER BY external_id FOR NO KEY UPDATE' : ''}`,
      [scope.workspaceId, scope.environment, values],
      `contacts-by-${key}${lock ? '-locked' : ''}`,
    );
  }

  /** Inserts contacts that do not exist yet; gives the external_ids of those that were inserted. */
  async insert(tx: Transaction, scope: TenantScope, contacts: readonly Contact[]): Promise<Set<string>> {
    if (contacts.length === 0) return new Set();
    const sorted = [...contacts].sort((a, b) => (a.external_id < b.external_id ? -1 : 1));
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

function columnsOf(contacts: readonly Contact[]): unknown[][] {
  return [
    contacts.map((c) => c.id),
    contacts.map((c) => c.external_id),
    contacts.map((c) => c.email),
    contacts.map((c) => c.phone),
    contacts.map((c) => c.first_name),
    contacts.map((c) => c.last_name),
    contacts.map((c) => c.product_type),
    contacts.map((c) => c.subscription_status),
    contacts.map((c) => c.timezone),
    contacts.map((c) => c.locale),
    contacts.map((c) => jsonText(c.properties)),
    contacts.map((c) => JSON.stringify(c.tags)),
    contacts.map((c) => c.created_at),
    contacts.map((c) => c.updated_at),
  ];
}
