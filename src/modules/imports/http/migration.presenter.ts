/** REST representation of migrations (sections 2.13 and 4.9), and their classes for the OpenAPI document. */
import { ApiProperty } from '@nestjs/swagger';
import type { OffsetPage } from '../application/imports.service.js';
import { totalOf } from '../domain/checkpoint.js';
import type { FieldTypes } from '../domain/field-types.js';
import type { ImportError } from '../domain/import-error.js';
import { IMPORT_FAILURES, IMPORT_STATUSES, type ImportJob } from '../domain/import-job.js';
import { PLATFORMS } from '../domain/platform.js';

export class MigrationProgressResponse {
  @ApiProperty({ type: 'integer', description: 'Number of imported records.' }) imported: number;
  @ApiProperty({ type: 'integer' }) failed: number;
  @ApiProperty({
    type: 'integer',
    description: 'An estimate if the platform does not report it; at the end, imported + failed.',
  })
  total: number;
  @ApiProperty({ type: Number, minimum: 0, maximum: 100, example: 41.67, description: 'Never decreases.' })
  percent_complete: number;
}

export class MigrationErrorResponse {
  @ApiProperty({ enum: IMPORT_FAILURES }) code: string;
  @ApiProperty() detail: string;
}

export class MigrationConfigResponse {
  @ApiProperty({ type: [String] }) tags: readonly string[];
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { 'E-mail': 'email' },
  })
  field_mapping: Readonly<Record<string, string>>;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, example: { ltv: 'number' } })
  field_types: FieldTypes;
  @ApiProperty({ type: String, format: 'uuid', nullable: true }) file_id: string | null;
  @ApiProperty() dry_run: boolean;
}

/** A migration job. */
export class MigrationResponse {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ enum: PLATFORMS }) platform: string;
  @ApiProperty({ enum: IMPORT_STATUSES }) status: string;
  @ApiProperty({ type: MigrationProgressResponse }) progress: MigrationProgressResponse;
  @ApiProperty({ type: 'integer' }) created_contacts: number;
  @ApiProperty({ type: 'integer' }) updated_contacts: number;
  @ApiProperty({
    type: 'integer',
    description: 'Values kept unchanged because they do not match `field_types`.',
  })
  mistyped_values: number;
  @ApiProperty({ type: 'integer', description: 'Contacts imported as unsubscribed.' })
  unsubscribed: number;
  @ApiProperty({ description: 'Whether the migration failed and can be resumed from its last checkpoint.' })
  can_resume: boolean;
  @ApiProperty({
    type: MigrationErrorResponse,
    nullable: true,
    description: 'Why the migration failed. Null otherwise.',
  })
  error: MigrationErrorResponse | null;
  @ApiProperty() dry_run: boolean;
  @ApiProperty({ type: MigrationConfigResponse }) config: MigrationConfigResponse;
  @ApiProperty() created_by: string;
  @ApiProperty({ format: 'date-time' }) created_at: Date;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) started_at: Date | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) completed_at: Date | null;
}

export class MigrationListResponse {
  @ApiProperty({ type: [MigrationResponse] }) migrations: MigrationResponse[];
  @ApiProperty({ type: 'integer' }) total: number;
  @ApiProperty({ type: 'integer' }) limit: number;
  @ApiProperty({ type: 'integer' }) offset: number;
}

/** What was wrong with one record. */
export class MigrationRowErrorResponse {
  @ApiProperty({ type: 'integer', description: 'Number of the record, starting at 1.' }) row: number;
  @ApiProperty({ type: String, nullable: true }) external_id: string | null;
  @ApiProperty({ example: 'invalid_email', description: 'A stable code. New codes may be added.' })
  code: string;
  @ApiProperty() detail: string;
}

export class MigrationErrorListResponse {
  @ApiProperty({ type: [MigrationRowErrorResponse] }) errors: MigrationRowErrorResponse[];
  @ApiProperty({ type: 'integer', description: 'Only the first 10,000 are stored and counted.' })
  total: number;
  @ApiProperty({ type: 'integer' }) limit: number;
  @ApiProperty({ type: 'integer' }) offset: number;
}

export function presentMigration(job: ImportJob): MigrationResponse {
  const { progress, config, error } = job;
  return {
    id: job.id,
    platform: job.platform,
    status: job.status,
    progress: {
      imported: progress.imported,
      failed: progress.failed,
      total: totalOf(job),
      percent_complete: shownPercent(progress.percentComplete),
    },
    created_contacts: job.createdContacts,
    updated_contacts: job.updatedContacts,
    unsubscribed: job.unsubscribed,
    mistyped_values: job.mistyped,
    can_resume: job.status === 'failed',
    error: error && { code: error.code, detail: error.detail },
    dry_run: config.dryRun,
    config: {
      tags: config.tags,
      field_mapping: config.fieldMapping,
      field_types: config.fieldTypes ?? {},
      file_id: config.fileId,
      dry_run: config.dryRun,
    },
    created_by: job.createdBy,
    created_at: job.createdAt,
    started_at: job.startedAt,
    completed_at: job.completedAt,
  };
}

/** With two decimals; never rounded up to 100 before the end. */
export function shownPercent(percent: number): number {
  return Math.floor(percent * 100) / 100;
}

export function presentMigrations(
  { jobs, total }: { readonly jobs: readonly ImportJob[]; readonly total: number },
  { limit, offset }: OffsetPage,
): MigrationListResponse {
  return { migrations: jobs.map(presentMigration), total, limit, offset };
}

export function presentErrors(
  { errors, total }: { readonly errors: readonly ImportError[]; readonly total: number },
  { limit, offset }: OffsetPage,
): MigrationErrorListResponse {
  const shown = errors.map(({ row, externalId, code, detail }) => ({
    row,
    external_id: externalId,
    code,
    detail,
  }));
  return { errors: shown, total, limit, offset };
}
