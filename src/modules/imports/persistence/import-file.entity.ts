/**
 * A file from which contacts are read: an upload, or a job's download. Its bytes are in a separate table of pieces.
 */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '../../../kernel/json.js';
import type { Environment } from '../../../kernel/tenant-scope.js';
import { moment, optionalText, RECORD_ID, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';
import type { FieldTypes } from '../domain/field-types.js';
import type { MappingTarget } from '../domain/import-job.js';

@Entity('import_files')
@Index('import_files_expiry', ['workspaceId', 'environment', 'expiresAt'])
export class ImportFileEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ type: 'text' }) environment: Environment;
  @Column({ type: 'text' }) name: string;
  /** Whether it is complete. */
  @Column({ name: 'is_ready', type: 'boolean' }) isReady: boolean;
  @Column(optionalText('format')) format: string | null;
  @Column(optionalText('encoding')) encoding: string | null;
  @Column(optionalText('separator')) separator: string | null;
  /** Size in bytes. */
  @Column({ type: 'bigint', default: 0 }) size: string;
  @Column({ type: 'integer', default: 0 }) pieces: number;
  @Column({ type: 'jsonb', nullable: true }) columns: readonly string[] | null;
  @Column({ type: 'jsonb', nullable: true }) sample: readonly JsonObject[] | null;
  @Column({ name: 'suggested_mapping', type: 'jsonb', nullable: true }) suggestedMapping: Readonly<
    Record<string, MappingTarget>
  > | null;
  @Column({ name: 'suggested_types', type: 'jsonb', nullable: true }) suggestedTypes: FieldTypes | null;
  /** The job that downloaded it; null for an upload. */
  @Column({ name: 'job_id', type: 'uuid', nullable: true }) jobId: string | null;
  @Column({ name: 'created_by', type: 'text' }) createdBy: string;
  @Column(moment('created_at')) createdAt: Date;
  @Column(moment('expires_at')) expiresAt: Date;
}
