/**
 * Lists and searches over all contacts of a tenant. Read outside of the row policies, since under them a substring
 * search could use no index; deleted contacts are left out.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Survey } from '../../../platform/database/survey.js';
import type { ContactOrder, ContactPlace } from '../domain/contact-order.js';
import type { Contact } from '../domain/contact.js';
import { COLUMNS } from './contact.repository.js';

const KEPT = `c.subscription_status <> 'deleted'`;

/** To the letter the expression of the index contacts_search. */
const SEARCHED = `lower(c.external_id || chr(10) || coalesce(c.email, '') || chr(10) || coalesce(c.first_name, '') || chr(10) || coalesce(c.last_name, ''))`;

/** What each order sorts by before the id; the ids of contacts grow with their creation. */
const KEYS: Readonly<Record<ContactOrder['by'], string | null>> = {
  created_at: null,
  updated_at: 'c.updated_at',
  email: `lower(coalesce(c.email, ''))`,
  external_id: 'lower(c.external_id)',
  first_name: `lower(coalesce(c.first_name, ''))`,
  last_name: `lower(coalesce(c.last_name, ''))`,
};

export interface ContactWindow {
  readonly search: string | null;
  readonly order: ContactOrder;
  readonly limit: number;
  readonly offset: number;
  /** The page begins behind this place. */
  readonly after: ContactPlace | null;
}

@Injectable()
export class ContactSearchRepository {
  constructor(private readonly survey: Survey) {}

  /** The contacts of a window. */
  async find(scope: TenantScope, { search, order, limit, offset, after }: ContactWindow): Promise<Contact[]> {
    const key = KEYS[order.by];
    const direction = order.order === 'asc' ? 'ASC' : 'DESC';
    const values: unknown[] = [limit, offset];
    const parameter = (value: unknown): string => `$${values.push(value)}`;
    const where = [KEPT];
    if (search !== null) where.push(`${SEARCHED} LIKE lower(${parameter(patternOf(search))}::text)`);
    if (after) {
      const beyond = order.order === 'asc' ? '>' : '<';
      const id = `${parameter(after.id)}::uuid`;
      const own = (): string =>
        order.by === 'updated_at'
          ? `${parameter(after.key)}::timestamptz`
          : `lower(${parameter(after.key)}::text)`;
      where.push(key === null ? `c.id ${beyond} ${id}` : `(${key}, c.id) ${beyond} (${own()}, ${id})`);
    }
    return this.survey.query<Contact>(
      scope,
      `SELECT ${COLUMNS} FROM {contacts} c WHERE ${where.join(' AND ')}
       ORDER BY ${key === null ? '' : `${key} ${direction}, `}c.id ${direction} LIMIT $1 OFFSET $2`,
      values,
    );
  }

  /**
   * The newest contact of each email.
   * @param emails in lower case.
   */
  async newestByEmail(scope: TenantScope, emails: readonly string[]): Promise<Contact[]> {
    return this.survey.query<Contact>(
      scope,
      `SELECT DISTINCT ON (lower(c.email)) ${COLUMNS} FROM {contacts} c
       WHERE lower(c.email) = ANY ($1::text[]) AND ${KEPT} ORDER BY lower(c.email), c.id DESC`,
      [emails],
    );
  }

  /** How many contacts a search finds. */
  async count(scope: TenantScope, search: string): Promise<number> {
    const [row] = await this.survey.query<{ total: number }>(
      scope,
      `SELECT count(*)::int AS total FROM {contacts} c WHERE ${KEPT} AND ${SEARCHED} LIKE lower($1::text)`,
      [patternOf(search)],
    );
    return row?.total ?? 0;
  }
}

/** A pattern that finds the text anywhere. It becomes lower case in SQL, where the contacts' texts do: by one rule. */
function patternOf(search: string): string {
  return `%${search.replace(/[\\%_]/g, '\\$&')}%`;
}
