/**
 * The statements that store contacts. Only `contact-store.ts` may use them (a lint rule), since it announces the
 * changes.
 */
import { Injectable } from '@nestjs/common';
import { jsonText } from '../../../kernel/json-text.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import {
  jsonbArray,
  momentArray,
  textArray,
  uuidArray,
} from '../../../platform/database/array-parameters.js';
import type { Transaction } from '../../../platform/database/database.js';
import { mapCooperatively } from '../../../platform/threads/run-cooperatively.js';
import type { Contact } from '../domain/contact.js';
import { COLUMNS } from './contact.repository.js';

@Injectable()
export class ContactWritesRepository {
  /** Inserts contacts that do not exist yet. Returns the external_ids of the inserted ones. */
  async insert(tx: Transaction, scope: TenantScope, contacts: readonly Contact[]): Promise<Set<string>> {
    if (contacts.length === 0) return new Set();
    const sorted = [...contacts].sort((a, b) => (a.externalId < b.externalId ? -1 : 1));
    const rows = await tx.query<{ external_id: string }>(
      `INSERT INTO contacts (workspace_id, environment, ${COLUMNS})
       SELECT $1, $2, ${UNNESTED} FROM ${unnest(3)}
       ON CONFLICT (workspace_id, environment, external_id) DO NOTHING RETURNING external_id`,
      [scope.workspaceId, scope.environment, ...(await columnsOf(sorted))],
      'contacts-insert',
    );
    return new Set(rows.map((row) => row.external_id));
  }

  /** Stores contacts that were read under a lock. */
  async update(tx: Transaction, scope: TenantScope, contacts: readonly Contact[]): Promise<void> {
    if (contacts.length === 0) return;
    await tx.execute(
      `UPDATE contacts c SET email = u.email, phone = u.phone, first_name = u.first_name, last_name = u.last_name,
         product_type = u.product_type, timezone = u.timezone, subscription_status = u.subscription_status,
         locale = u.locale, properties = u.properties,
         tags = ARRAY(SELECT jsonb_array_elements_text(u.tags)), updated_at = u.updated_at
       FROM ${unnest(3)} WHERE c.workspace_id = $1 AND c.environment = $2 AND c.id = u.id`,
      [scope.workspaceId, scope.environment, ...(await columnsOf(contacts))],
      'contacts-update',
    );
  }

  /**
   * Removes all personal data from a contact that was read under a lock: it is deleted and gets another identifier.
   * The row stays, since other rows refer to it and it counts in statistics.
   */
  async anonymise(
    tx: Transaction,
    scope: TenantScope,
    { id, pseudonym }: { readonly id: string; readonly pseudonym: string },
    now: Date,
  ): Promise<void> {
    await tx.execute(
      `UPDATE contacts SET external_id = $4, email = NULL, phone = NULL, first_name = NULL, last_name = NULL,
         product_type = NULL, timezone = NULL, locale = NULL, properties = '{}', tags = '{}',
         subscription_status = 'deleted', updated_at = $5
       WHERE workspace_id = $1 AND environment = $2 AND id = $3`,
      [scope.workspaceId, scope.environment, id, pseudonym, now],
    );
  }
}

const UNNESTED = `u.id, u.external_id, u.email, u.phone, u.first_name, u.last_name, u.product_type,
  u.subscription_status, u.timezone, u.locale, u.properties, ARRAY(SELECT jsonb_array_elements_text(u.tags)),
  u.created_at, u.updated_at`;

/** The columns as one relation `u`, from array parameters starting at `first`. */
function unnest(first: number): string {
  const types = ['uuid', ...Array<string>(9).fill('text'), 'jsonb', 'jsonb', 'timestamptz', 'timestamptz'];
  const arrays = types.map((type, index) => `$${first + index}::${type}[]`).join(', ');
  return `unnest(${arrays}) AS u(${COLUMNS})`;
}

async function columnsOf(contacts: readonly Contact[]): Promise<Buffer[]> {
  const properties = await mapCooperatively(contacts, (contact) => jsonText(contact.properties));
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
    jsonbArray(properties),
    jsonbArray(contacts.map((c) => JSON.stringify(c.tags))),
    momentArray(contacts.map((c) => c.createdAt)),
    momentArray(contacts.map((c) => c.updatedAt)),
  ];
}
