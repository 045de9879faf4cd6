/** The error of a record of a job; the first 10,000 are stored. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Environment } from '../../../kernel/tenant-scope.js';
import { optionalText, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('import_errors')
export class ImportErrorEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @Column({ type: 'text' }) environment: Environment;
  @PrimaryColumn({ name: 'job_id', type: 'uuid' }) jobId: string;
  /** From 1, in the order of their occurrence. */
  @PrimaryColumn({ type: 'integer' }) number: number;
  /** Number of the record, from 1. */
  @Column({ type: 'integer' }) row: number;
  @Column(optionalText('external_id')) externalId: string | null;
  @Column({ type: 'text' }) code: string;
  @Column({ type: 'text' }) detail: string;
}
