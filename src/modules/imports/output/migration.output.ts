/** Migrations and their results in REST (sections 2.13 and 4.9) and in GraphQL. */
import { graphqlEnum } from '../../../platform/input/enums.js';
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { connection, restPage } from '../../../platform/output/pages.js';
import { totalOf } from '../domain/checkpoint.js';
import type { FieldTypes } from '../domain/field-types.js';
import {
  IMPORT_FAILURES,
  IMPORT_STATUSES,
  type ImportFailure,
  type ImportJob,
  type ImportStatus,
  type MappingTarget,
} from '../domain/import-job.js';
import { paceOf } from '../domain/import-pace.js';
import { ROW_OUTCOMES, type RowOutcome } from '../domain/import-row.js';
import { PLATFORMS, type Platform } from '../domain/platform.js';
import type { SourceAsset } from '../domain/source-record.js';
import { MigrationPlatformEnum } from '../input/migration.input.js';

const MigrationStatusEnum = graphqlEnum('MigrationStatus', IMPORT_STATUSES);
const MigrationRowOutcomeEnum = graphqlEnum('MigrationRowOutcome', ROW_OUTCOMES);

const TEXTS = { additionalProperties: { type: 'string' } } as const;
const STORED = { description: 'Only the first 10,000 are stored and counted.' } as const;
const ROW = { description: 'Number of the record, starting at 1.' } as const;
const CODE = { description: 'A stable code. New codes may be added.', example: 'invalid_email' } as const;

@Output({ rest: 'MigrationProgressResponse', graphql: 'MigrationProgress' })
class MigrationProgressOutput {
  @Out('Int', { description: 'Number of imported records.' }) imported: number;
  @Out('Int') failed: number;
  @Out('Int', {
    description:
      'Total number of records. An estimate if the platform does not report it; at the end, the sum of ' +
      'imported and failed.',
  })
  total: number;
  @Out('Float', { description: 'Never decreases.', example: 41.67, api: { minimum: 0, maximum: 100 } })
  percentComplete: number;
  @Out('Float', {
    nullable: true,
    only: 'graphql',
    description: 'Average so far. Null before any record was processed.',
  })
  recordsPerSecond: number | null;
  @Out('Int', {
    nullable: true,
    only: 'graphql',
    description:
      'Estimated time left at the average pace, in seconds. Null if it cannot be estimated or the migration ' +
      'has ended.',
  })
  secondsLeft: number | null;
}

@Output({ rest: 'MigrationErrorResponse', graphql: 'MigrationFailure' })
class MigrationFailureOutput {
  @Out(oneOf(IMPORT_FAILURES), { description: 'A stable code. New codes may be added.' }) code: ImportFailure;
  @Out('String') detail: string;
}

@Output({ rest: 'MigrationConfigResponse', graphql: 'MigrationConfig' })
class MigrationConfigOutput {
  @Out(['String']) tags: readonly string[];
  @Out('JSON', {
    description: 'Contact fields by source field name.',
    example: { 'E-mail': 'email' },
    api: TEXTS,
  })
  fieldMapping: Readonly<Record<string, MappingTarget>>;
  @Out('JSON', {
    description: 'text, number, boolean or date, by source field name.',
    example: { ltv: 'number' },
    api: TEXTS,
  })
  fieldTypes: FieldTypes;
  @Out('ID', { nullable: true }) fileId: string | null;
  @Out('Boolean') dryRun: boolean;
}

@Output({
  rest: 'MigrationResponse',
  graphql: 'Migration',
  description: 'A job that imports contacts.',
})
export class MigrationOutput {
  @Out('ID') id: string;
  @Out(oneOf(PLATFORMS, MigrationPlatformEnum)) platform: Platform;
  @Out(oneOf(IMPORT_STATUSES, MigrationStatusEnum)) status: ImportStatus;
  @Out(MigrationProgressOutput) progress: MigrationProgressOutput;
  @Out('Int') createdContacts: number;
  @Out('Int') updatedContacts: number;
  @Out('Int', { description: 'Contacts imported as unsubscribed.' }) unsubscribed: number;
  @Out('Int', { only: 'graphql', description: 'Addresses added to the suppression list.' })
  suppressed: number;
  @Out('Int', {
    description: 'Values kept unchanged because they do not match the field types.',
    inRest: { name: 'mistypedValues' },
  })
  mistyped: number;
  @Out('Boolean', {
    description: 'Whether the migration failed and can be resumed from its last checkpoint.',
  })
  canResume: boolean;
  @Out(MigrationFailureOutput, {
    nullable: true,
    description: 'Why the migration failed. Null otherwise.',
  })
  error: MigrationFailureOutput | null;
  @Out('Boolean') dryRun: boolean;
  @Out(MigrationConfigOutput) config: MigrationConfigOutput;
  @Out('String') createdBy: string;
  @Out('DateTime') createdAt: Date;
  @Out('DateTime', { nullable: true }) startedAt: Date | null;
  @Out('DateTime', { nullable: true }) completedAt: Date | null;
}

export const MigrationConnection = connection('Migration', MigrationOutput);

@Output({ rest: 'MigrationListResponse' })
export class MigrationListOutput extends restPage('MigrationListResponse', 'migrations', MigrationOutput) {}

@Output({
  rest: 'MigrationRowErrorResponse',
  graphql: 'MigrationError',
  description: 'An error in one record.',
})
export class MigrationErrorOutput {
  @Out('Int', ROW) row: number;
  @Out('String', { nullable: true }) externalId: string | null;
  @Out('String', CODE) code: string;
  @Out('String') detail: string;
}

export const MigrationErrorConnection = connection('MigrationError', MigrationErrorOutput, {
  counted: STORED,
});

@Output({ rest: 'MigrationErrorListResponse' })
export class MigrationErrorListOutput extends restPage(
  'MigrationErrorListResponse',
  'errors',
  MigrationErrorOutput,
) {
  @Out('Int', STORED) override readonly total: number;
}

@Output({ graphql: 'MigrationRow', description: 'What a dry run would do with one record.' })
export class MigrationRowOutput {
  @Out('Int', ROW) row: number;
  @Out('String', { nullable: true }) externalId: string | null;
  @Out(oneOf(ROW_OUTCOMES, MigrationRowOutcomeEnum), {
    description: 'merged: an earlier record of the same contact determines the outcome.',
  })
  outcome: RowOutcome;
  @Out(['String'], { description: 'Fields of an existing contact that would change.' })
  updatedFields: readonly string[];
  @Out('Boolean', { description: 'Whether the source marks the contact as opted out.' }) optsOut: boolean;
  @Out('String', {
    nullable: true,
    description: 'Error code of the record, as in migrationErrors. Null if the record is valid.',
  })
  code: string | null;
}

export const MigrationRowConnection = connection('MigrationRow', MigrationRowOutput, { counted: STORED });

@Output({
  graphql: 'MigrationFinding',
  description: 'Something on the source platform that is not migrated, listed by name for planning.',
})
export class MigrationFindingOutput implements SourceAsset {
  @Out('String', { description: 'list, segment, tag, template, automation or campaign' })
  kind: SourceAsset['kind'];
  @Out('String') name: string;
  @Out('String', { nullable: true }) detail: string | null;
}

export function migrationOutput(job: ImportJob): MigrationOutput {
  return {
    ...job,
    config: { ...job.config, fieldTypes: job.config.fieldTypes ?? {} },
    progress: { ...job.progress, total: totalOf(job), ...paceOf(job) },
    canResume: job.status === 'failed',
    dryRun: job.config.dryRun,
  };
}

/** In REST, the percentage has at most two decimals and is never rounded up. */
export function migrationInRest(job: ImportJob): MigrationOutput {
  const { progress, ...migration } = migrationOutput(job);
  const percentComplete = Math.floor(progress.percentComplete * 100) / 100;
  return { ...migration, progress: { ...progress, percentComplete } };
}
