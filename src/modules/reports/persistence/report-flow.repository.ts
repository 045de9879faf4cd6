/** The flows in analyses, with name and tags. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidArray } from '../../../platform/database/array-parameters.js';
import { ReaderDatabase } from '../../../platform/database/reader-database.js';

export interface AnalysedFlow {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly isArchived: boolean;
}

const FIELDS = `f.id, f.name, f.tags, f.status = 'archived' AS "isArchived"`;

@Injectable()
export class ReportFlowRepository {
  constructor(private readonly reader: ReaderDatabase) {}

  /** Returns the given flows that exist; archived flows are not included. */
  async existing(scope: TenantScope, ids: readonly string[]): Promise<AnalysedFlow[]> {
    return this.reader.query(
      scope,
      `SELECT ${FIELDS} FROM {flows} AS f WHERE f.id = ANY ($1::uuid[]) AND f.status <> 'archived'`,
      [uuidArray(ids)],
    );
  }

  /** Returns all flows, including archived ones; with tags, only flows that have one of them. */
  async all(scope: TenantScope, tags: readonly string[] | null): Promise<AnalysedFlow[]> {
    return this.reader.query(
      scope,
      `SELECT ${FIELDS} FROM {flows} AS f WHERE $1::text[] IS NULL OR f.tags && $1::text[] ORDER BY f.id`,
      [tags],
    );
  }
}
