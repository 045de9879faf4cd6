/** Lets PostgreSQL produce the file of exported flows, section 4.2, most recently updated first. */
import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { escapeFormulaSql } from '../../../platform/database/escape-formula.js';
import { ReaderDatabase } from '../../../platform/database/reader-database.js';
import type { FlowFilter } from '../domain/flow-filter.js';

function isoTimestamp(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

const COLUMNS = `${escapeFormulaSql('f.name')} AS "Name", f.trigger_event AS "Trigger Event", f.content_type AS "Content Type",
  f.status AS "Status", f.version AS "Version", jsonb_array_length(f.steps) AS "Steps",
  ${escapeFormulaSql(`array_to_string(f.tags, ', ')`)} AS "Tags", ${isoTimestamp('f.created_at')} AS "Created",
  ${isoTimestamp('f.updated_at')} AS "Updated"`;

@Injectable()
export class FlowExportRepository {
  constructor(private readonly reader: ReaderDatabase) {}

  /** The flows as CSV with a header; archived ones only if their status is requested. */
  async csv(
    scope: TenantScope,
    { search, status, contentType }: Pick<FlowFilter, 'search' | 'status' | 'contentType'>,
  ): Promise<Readable> {
    return this.reader.copy(
      scope,
      `SELECT ${COLUMNS} FROM {flows} f
       WHERE ($1::text IS NULL OR strpos(lower(f.name), lower($1)) > 0)
         AND (CASE WHEN $2::text IS NULL THEN f.status <> 'archived' ELSE f.status = $2 END)
         AND ($3::text IS NULL OR f.content_type = $3)
       ORDER BY f.updated_at DESC, f.id DESC`,
      [search ?? null, status ?? null, contentType ?? null],
      'FORMAT csv, HEADER true',
    );
  }
}
