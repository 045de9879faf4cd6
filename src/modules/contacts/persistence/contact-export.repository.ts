/** Exports contacts with COPY, oldest first, without deleted ones. */
import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { TEXT_FIELDS } from '../../../kernel/contact-fields.js';
import { snakeCase } from '../../../kernel/letter-case.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { escapeFormulaSql } from '../../../platform/database/escape-formula.js';
import { ReaderDatabase } from '../../../platform/database/reader-database.js';

/** Selects contacts: a condition on `c` for a read query, with its parameters. */
export interface ContactCondition {
  readonly sql: string;
  readonly values: readonly unknown[];
}

const ALL_CONTACTS: ContactCondition = { sql: 'true', values: [] };

function moment(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

const TEXT_COLUMNS = TEXT_FIELDS.map((field) => snakeCase(field));

const CSV_COLUMNS = [
  'c.id',
  ...TEXT_COLUMNS.map((name) => `${escapeFormulaSql(`c.${name}`)} AS ${name}`),
  `to_jsonb(c.tags) AS tags`,
  'c.properties',
  `${moment('c.created_at')} AS created_at`,
  `${moment('c.updated_at')} AS updated_at`,
].join(', ');

const JSON_RECORD = `json_build_object('id', c.id, ${TEXT_COLUMNS.map((name) => `'${name}', c.${name}`).join(', ')},
  'properties', c.properties, 'tags', c.tags, 'created_at', ${moment('c.created_at')}, 'updated_at', ${moment('c.updated_at')})`;

/**
 * Makes COPY write each JSON record unchanged on one line: JSON escapes the quote and delimiter characters used here.
 */
const PLAIN_LINES = `FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02'`;

@Injectable()
export class ContactExportRepository {
  constructor(private readonly reader: ReaderDatabase) {}

  /** The contacts as CSV with a header. */
  async csv(scope: TenantScope, condition: ContactCondition = ALL_CONTACTS): Promise<Readable> {
    const query = `SELECT ${CSV_COLUMNS} ${fromContacts(condition)}`;
    return this.reader.copy(scope, query, condition.values, 'FORMAT csv, HEADER true');
  }

  /** The contacts as JSON records, one per line. */
  async jsonLines(scope: TenantScope, condition: ContactCondition = ALL_CONTACTS): Promise<Readable> {
    return this.reader.copy(
      scope,
      `SELECT ${JSON_RECORD} ${fromContacts(condition)}`,
      condition.values,
      PLAIN_LINES,
    );
  }
}

function fromContacts({ sql }: ContactCondition): string {
  return `FROM {contacts} c WHERE c.subscription_status <> 'deleted' AND ${sql} ORDER BY c.id`;
}
