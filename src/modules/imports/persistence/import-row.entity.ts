/** The result of a dry run for a record; the first 10,000 are stored. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Environment } from '../../../kernel/tenant-scope.js';
import { optionalText, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';
import type { RowOutcome } from '../domain/import-row.js';

@Entity('import_rows')
export class ImportRowEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @Column({ type: 'text' }) environment: Environment;
  @PrimaryColumn({ name: 'job_id', type: 'uuid' }) jobId: string;
  /** From 1, in the order of their occurrence. */
  @PrimaryColumn({ type: 'integer' }) number: number;
  /** Number of the record, from 1. */
  @Column({ type: 'integer' }) row: number;
  @Column(optionalText('external_id')) externalId: string | null;
  @Column({ type: 'text' }) outcome: RowOutcome;
  /** Names of the contact's fields, separated by commas. */
  @Column({ name: 'updated_fields', type: 'text' }) updatedFields: string;
  @Column({ name: 'opts_out', type: 'boolean' }) optsOut: boolean;
  @Column(optionalText('code')) code: string | null;
}
