/**
 * Exports contacts, section 4.10: PostgreSQL writes the file, and it flows to the reader at the reader's pace, so that
 * a million contacts need no more memory than a hundred.
 */
import { Injectable } from '@nestjs/common';
import { pipeline, Transform, type Readable } from 'node:stream';
import { TEXT_FIELDS } from '../../../kernel/contact-fields.js';
import { snakeCase } from '../../../kernel/letter-case.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { guarded } from '../../../platform/database/csv.js';
import { Survey } from '../../../platform/database/survey.js';
import type { ExportFormat } from '../domain/export-format.js';

/** Which contacts: a condition on `c` as a survey takes it, with its parameters. */
export interface ExportedContacts {
  readonly sql: string;
  readonly values: readonly unknown[];
}

export const EVERYBODY: ExportedContacts = { sql: 'true', values: [] };

function moment(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

const TEXT_COLUMNS = TEXT_FIELDS.map((field) => snakeCase(field));

const CSV_COLUMNS = [
  'c.id',
  ...TEXT_COLUMNS.map((name) => `${guarded(`c.${name}`)} AS ${name}`),
  `to_jsonb(c.tags) AS tags`,
  'c.properties',
  `${moment('c.created_at')} AS created_at`,
  `${moment('c.updated_at')} AS updated_at`,
].join(', ');

const JSON_RECORD = `json_build_object('id', c.id, ${TEXT_COLUMNS.map((name) => `'${name}', c.${name}`).join(', ')},
  'properties', c.properties, 'tags', c.tags, 'created_at', ${moment('c.created_at')}, 'updated_at', ${moment('c.updated_at')})`;

/** How COPY writes one JSON record a line as it is: the quote and the delimiter are characters that JSON escapes. */
const PLAIN_LINES = `FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02'`;

@Injectable()
export class ContactExportService {
  constructor(private readonly survey: Survey) {}

  /** The contacts that are not deleted, oldest first, as one file. */
  async stream(
    scope: TenantScope,
    format: ExportFormat,
    { sql, values }: ExportedContacts,
  ): Promise<Readable> {
    const from = `FROM {contacts} c WHERE c.subscription_status <> 'deleted' AND ${sql} ORDER BY c.id`;
    if (format === 'csv')
      return this.survey.copy(scope, `SELECT ${CSV_COLUMNS} ${from}`, values, 'FORMAT csv, HEADER true');
    const lines = await this.survey.copy(scope, `SELECT ${JSON_RECORD} ${from}`, values, PLAIN_LINES);
    return pipeline(lines, new JsonList(), () => undefined);
  }
}

const NEWLINE = 0x0a;

/** Lines of JSON as one JSON list. A record has no line break of its own: JSON escapes them. */
class JsonList extends Transform {
  private started = false;
  private betweenRecords = false;

  override _transform(chunk: Buffer, _: BufferEncoding, done: (error: null, data: Buffer) => void): void {
    const endsRecord = chunk.at(-1) === NEWLINE;
    const records = endsRecord ? chunk.subarray(0, -1) : chunk;
    // Bytes as characters: only line breaks are looked for, and they stand for nothing else in UTF-8.
    const text = records.toString('latin1').replaceAll('\n', ',\n');
    const before = this.started ? (this.betweenRecords ? ',\n' : '') : '[';
    this.started = true;
    this.betweenRecords = endsRecord;
    done(null, Buffer.from(before + text, 'latin1'));
  }

  override _flush(done: (error: null, data: string) => void): void {
    done(null, this.started ? ']\n' : '[]\n');
  }
}
