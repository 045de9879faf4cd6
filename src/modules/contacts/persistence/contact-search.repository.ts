/**
 * Lists and searches all contacts of a tenant, without deleted ones. It bypasses the row policies, because a
 * substring search could use no index under them.
 */
import { Injectable } from '@nestjs/common';
import type { PageCursor } from '../../../kernel/page-cursor.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { ReaderDatabase } from '../../../platform/database/reader-database.js';
import type { ContactOrder } from '../domain/contact-order.js';
import type { Contact } from '../domain/contact.js';
import { recordOf } from './contact.repository.js';

const NOT_DELETED = `c.subscription_status <> 'deleted'`;

/** Must be exactly the expression of the index contacts_search. */
const SEARCHED = `lower(c.external_id || chr(10) || coalesce(c.email, '') || chr(10) || coalesce(c.first_name, '') || chr(10) || coalesce(c.last_name, ''))`;

/**
 * Requires that a single field contains the text; needed for texts that may match across the join of two fields in
 * the index.
 */
const IN_ONE_FIELD = ['external_id', 'email', 'first_name', 'last_name']
  .map((field) => `lower(c.${field}) LIKE lower($1::text)`)
  .join(' OR ');

/** The sort key of each order, before the id; ids of contacts increase with their creation. */
const KEYS: Readonly<Record<ContactOrder['by'], string | null>> = {
  createdAt: null,
  updatedAt: 'c.updated_at',
  email: `lower(coalesce(c.email, ''))`,
  externalId: 'lower(c.external_id)',
  firstName: `lower(coalesce(c.first_name, ''))`,
  lastName: `lower(coalesce(c.last_name, ''))`,
};

const RECORD = recordOf('c');

export interface ContactWindow {
  readonly order: ContactOrder;
  readonly limit: number;
  readonly offset: number;
  /** The page begins after this position. */
  readonly after: PageCursor | null;
}

@Injectable()
export class ContactSearchRepository {
  constructor(private readonly reader: ReaderDatabase) {}

  /** The contacts of a window on all contacts. */
  async list(scope: TenantScope, window: ContactWindow): Promise<Contact[]> {
    const values: unknown[] = [];
    const key = KEYS[window.order.by];
    const afterCondition = afterCursor(window, key, 'c.id', values);
    return this.reader.query<Contact>(
      scope,
      `SELECT ${RECORD} FROM {contacts} c WHERE ${NOT_DELETED} AND ${afterCondition} ${orderAndLimit(window, key, 'c.id', values)}`,
      values,
    );
  }

  /** The contacts of a window on the search results, and the total number of results, in one query. */
  async search(
    scope: TenantScope,
    text: string,
    window: ContactWindow,
  ): Promise<{ contacts: Contact[]; total: number }> {
    const values: unknown[] = [patternOf(text)];
    const key = KEYS[window.order.by];
    const sortKey = key === null ? null : 'f.key';
    const afterCondition = afterCursor(window, sortKey, 'f.id', values);
    const inOneField = text.includes('\n') ? `AND (${IN_ONE_FIELD})` : '';
    const rows = await this.reader.query<Contact & { total: number; place: number | null }>(
      scope,
      `WITH found AS MATERIALIZED (
         SELECT c.id${key === null ? '' : `, ${key} AS key`} FROM {contacts} c
         WHERE ${NOT_DELETED} AND ${SEARCHED} LIKE lower($1::text) ${inOneField}),
       page AS (
         SELECT id, row_number() OVER () AS place FROM (
           SELECT f.id FROM found f WHERE ${afterCondition} ${orderAndLimit(window, sortKey, 'f.id', values)}) AS ordered)
       SELECT counted.total, shown.* FROM (SELECT count(*)::int AS total FROM found) AS counted
       LEFT JOIN (SELECT p.place, ${RECORD} FROM page p JOIN {contacts} c ON c.id = p.id) AS shown ON true
       ORDER BY shown.place`,
      values,
    );
    return {
      // An empty page has one row with only the total.
      contacts: rows.flatMap(({ total: _total, place, ...contact }) => (place === null ? [] : [contact])),
      total: rows[0]?.total ?? 0,
    };
  }

  /**
   * The newest contact of each email.
   * @param emails in lower case.
   */
  async newestByEmail(scope: TenantScope, emails: readonly string[]): Promise<Contact[]> {
    return this.reader.query<Contact>(
      scope,
      `SELECT DISTINCT ON (lower(c.email)) ${RECORD} FROM {contacts} c
       WHERE lower(c.email) = ANY ($1::text[]) AND ${NOT_DELETED} ORDER BY lower(c.email), c.id DESC`,
      [emails],
    );
  }
}

/** The condition that a row comes after the window's position; sort key and id are those of the query. */
function afterCursor(
  { order, after }: ContactWindow,
  key: string | null,
  id: string,
  values: unknown[],
): string {
  if (!after) return 'true';
  const comparison = order.order === 'asc' ? '>' : '<';
  const parameter = (value: string): string => `$${values.push(value)}`;
  if (key === null) return `${id} ${comparison} ${parameter(after.id)}::uuid`;
  const sortKey =
    order.by === 'updatedAt'
      ? `${parameter(after.key)}::timestamptz`
      : `lower(${parameter(after.key)}::text)`;
  return `(${key}, ${id}) ${comparison} (${sortKey}, ${parameter(after.id)}::uuid)`;
}

function orderAndLimit(
  { order, limit, offset }: ContactWindow,
  key: string | null,
  id: string,
  values: unknown[],
): string {
  const direction = order.order === 'asc' ? 'ASC' : 'DESC';
  const by = [...(key === null ? [] : [key]), id].map((column) => `${column} ${direction}`).join(', ');
  return `ORDER BY ${by} LIMIT $${values.push(limit)} OFFSET $${values.push(offset)}`;
}

/**
 * A pattern that finds the text anywhere. SQL lower-cases it, as it does the contacts' texts, so both follow one
 * rule.
 */
function patternOf(search: string): string {
  return `%${search.replace(/[\\%_]/g, '\\$&')}%`;
}
