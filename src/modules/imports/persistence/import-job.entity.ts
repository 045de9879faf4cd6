/** A migration job (sections 2.13, 3.6, 4.9): its source, its progress, and its results. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '../../../kernel/json.js';
import type { Environment } from '../../../kernel/tenant-scope.js';
import {
  moment,
  optionalMoment,
  optionalText,
  RECORD_ID,
  WORKSPACE_ID,
} from '../../../platform/database/tenant-columns.js';
import type { ImportConfig, ImportStatus } from '../domain/import-job.js';
import type { Platform } from '../domain/platform.js';

@Entity('import_jobs')
@Index('import_jobs_created', ['workspaceId', 'environment', 'createdAt', 'id'])
@Index('import_jobs_due', ['workspaceId', 'environment', 'dueAt'], { where: 'due_at IS NOT NULL' })
@Index('import_jobs_forget', ['workspaceId', 'environment', 'forgetAt'], { where: 'forget_at IS NOT NULL' })
@Index('import_jobs_of_file', ['workspaceId', 'fileId'], { where: 'file_id IS NOT NULL' })
export class ImportJobEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ type: 'text' }) environment: Environment;
  @Column({ type: 'text' }) platform: Platform;
  @Column({ type: 'text' }) status: ImportStatus;
  @Column({ type: 'jsonb' }) config: ImportConfig;
  /** Sealed, for this job only; null once the job has ended. */
  @Column(optionalText('credentials')) credentials: string | null;
  @Column({ name: 'file_id', type: 'uuid', nullable: true }) fileId: string | null;
  @Column({ name: 'dry_run', type: 'boolean' }) dryRun: boolean;
  /** The workspace's plan when the job was last claimed, whose limit of contacts applies. */
  @Column({ type: 'text' }) plan: string;
  /** Where its source continues. */
  @Column({ type: 'jsonb', nullable: true }) cursor: JsonObject | null;
  @Column({ type: 'integer', default: 0 }) imported: number;
  @Column({ type: 'integer', default: 0 }) failed: number;
  @Column({ type: 'integer', nullable: true }) total: number | null;
  @Column({ name: 'percent_complete', type: 'real', default: 0 }) percentComplete: number;
  @Column({ name: 'created_contacts', type: 'integer', default: 0 }) createdContacts: number;
  @Column({ name: 'updated_contacts', type: 'integer', default: 0 }) updatedContacts: number;
  @Column({ type: 'integer', default: 0 }) unsubscribed: number;
  /** Entries that it added to the suppression list. */
  @Column({ type: 'integer', default: 0 }) suppressed: number;
  /** Values that did not fit their field's type. */
  @Column({ type: 'integer', default: 0 }) mistyped: number;
  @Column({ name: 'errors_kept', type: 'integer', default: 0 }) errorsKept: number;
  @Column({ name: 'rows_kept', type: 'integer', default: 0 }) rowsKept: number;
  @Column(optionalText('error_code')) errorCode: string | null;
  @Column(optionalText('error_detail')) errorDetail: string | null;
  /** Consecutive attempts without progress. */
  @Column({ type: 'smallint', default: 0 }) attempts: number;
  /** Presence number of the process that works on it. */
  @Column({ type: 'integer', nullable: true }) worker: number | null;
  /** Milliseconds of work on it. */
  @Column({ name: 'worked_ms', type: 'bigint', default: 0 }) workedMs: string;
  /** When it is to be worked on, or checked by others; null once it has ended. */
  @Column(optionalMoment('due_at')) dueAt: Date | null;
  @Column({ name: 'created_by', type: 'text' }) createdBy: string;
  @Column(moment('created_at')) createdAt: Date;
  @Column(optionalMoment('started_at')) startedAt: Date | null;
  @Column(optionalMoment('completed_at')) completedAt: Date | null;
  /** When the seen keys of a failed job are deleted; null once they are. */
  @Column(optionalMoment('forget_at')) forgetAt: Date | null;
}
