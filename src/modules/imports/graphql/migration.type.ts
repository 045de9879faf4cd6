/** GraphQL types for migrations, their pace, and their results other than contacts. */
import { Field, Float, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import type { JsonObject } from '../../../kernel/json.js';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { JsonScalar } from '../../../platform/input/json.scalar.js';
import { totalOf } from '../domain/checkpoint.js';
import type { ImportFile } from '../domain/files/import-file.js';
import type { FieldTypes } from '../domain/field-types.js';
import type { SourceAsset } from '../domain/source-record.js';
import type { ImportError } from '../domain/import-error.js';
import {
  IMPORT_STATUSES,
  type ImportFailure,
  type ImportJob,
  type ImportStatus,
  type MappingTarget,
} from '../domain/import-job.js';
import { paceOf } from '../domain/import-pace.js';
import { ROW_OUTCOMES, type ImportRow, type RowOutcome } from '../domain/import-row.js';
import type { Platform } from '../domain/platform.js';
import { MigrationPlatformEnum } from '../input/migration.input.js';

const MigrationStatusEnum = graphqlEnum('MigrationStatus', IMPORT_STATUSES);
const MigrationRowOutcomeEnum = graphqlEnum('MigrationRowOutcome', ROW_OUTCOMES);

@ObjectType('MigrationProgress')
class MigrationProgressType {
  @Field(() => Int, { description: 'Number of imported records.' }) imported: number;
  @Field(() => Int) failed: number;
  @Field(() => Int, {
    description:
      'Total number of records. An estimate if the platform does not report it; at the end, the sum of ' +
      'imported and failed.',
  })
  total: number;
  @Field(() => Float, { description: 'Never decreases.' }) percentComplete: number;
  @Field(() => Float, {
    nullable: true,
    description: 'Average so far. Null before any record was processed.',
  })
  recordsPerSecond: number | null;
  @Field(() => Int, {
    nullable: true,
    description:
      'Estimated time left at the average pace, in seconds. Null if it cannot be estimated or the migration ' +
      'has ended.',
  })
  secondsLeft: number | null;
}

@ObjectType('MigrationFailure')
class MigrationFailureType {
  @Field(() => String, { description: 'A stable code. New codes may be added.' }) code: ImportFailure;
  @Field() detail: string;
}

@ObjectType('MigrationConfig')
class MigrationConfigType {
  @Field(() => [String]) tags: readonly string[];
  @Field(() => JsonScalar, { description: 'Contact fields by source field name.' })
  fieldMapping: Readonly<Record<string, MappingTarget>>;
  @Field(() => JsonScalar, { description: 'text, number, boolean or date, by source field name.' })
  fieldTypes: FieldTypes;
  @Field(() => ID, { nullable: true }) fileId: string | null;
  @Field() dryRun: boolean;
}

@ObjectType('Migration', { description: 'A job that imports contacts.' })
export class MigrationType {
  @Field(() => ID) id: string;
  @Field(() => MigrationPlatformEnum) platform: Platform;
  @Field(() => MigrationStatusEnum) status: ImportStatus;
  @Field(() => MigrationProgressType) progress: MigrationProgressType;
  @Field(() => Int) createdContacts: number;
  @Field(() => Int) updatedContacts: number;
  @Field(() => Int, { description: 'Contacts imported as unsubscribed.' }) unsubscribed: number;
  @Field(() => Int, { description: 'Addresses added to the suppression list.' }) suppressed: number;
  @Field(() => Int, { description: 'Values kept unchanged because they do not match fieldTypes.' })
  mistyped: number;
  @Field({ description: 'Whether the migration failed and can be resumed from its last checkpoint.' })
  canResume: boolean;
  @Field(() => MigrationFailureType, {
    nullable: true,
    description: 'Why the migration failed. Null otherwise.',
  })
  error: MigrationFailureType | null;
  @Field() dryRun: boolean;
  @Field(() => MigrationConfigType) config: MigrationConfigType;
  @Field() createdBy: string;
  @Field(() => GraphQLISODateTime) createdAt: Date;
  @Field(() => GraphQLISODateTime, { nullable: true }) startedAt: Date | null;
  @Field(() => GraphQLISODateTime, { nullable: true }) completedAt: Date | null;
}

@ObjectType('MigrationEdge')
class MigrationEdgeType extends edge<MigrationType>(() => MigrationType) {}

@ObjectType('MigrationConnection')
export class MigrationConnectionType extends connection(() => MigrationEdgeType) {}

@ObjectType('MigrationError', { description: 'An error in one record.' })
export class MigrationErrorType {
  @Field(() => Int, { description: 'Number of the record, starting at 1.' }) row: number;
  @Field(() => String, { nullable: true }) externalId: string | null;
  @Field({ description: 'A stable code. New codes may be added.' }) code: string;
  @Field() detail: string;
}

@ObjectType('MigrationErrorEdge')
class MigrationErrorEdgeType extends edge<MigrationErrorType>(() => MigrationErrorType) {}

@ObjectType('MigrationErrorConnection')
export class MigrationErrorConnectionType extends connection(() => MigrationErrorEdgeType) {
  @Field(() => Int, { description: 'Only the first 10,000 are stored and counted.' }) totalCount: number;
}

@ObjectType('MigrationRow', { description: 'What a dry run would do with one record.' })
export class MigrationRowType {
  @Field(() => Int, { description: 'Number of the record, starting at 1.' }) row: number;
  @Field(() => String, { nullable: true }) externalId: string | null;
  @Field(() => MigrationRowOutcomeEnum, {
    description: 'merged: an earlier record of the same contact determines the outcome.',
  })
  outcome: RowOutcome;
  @Field(() => [String], { description: 'Fields of an existing contact that would change.' })
  updatedFields: readonly string[];
  @Field({ description: 'Whether the source marks the contact as opted out.' }) optsOut: boolean;
  @Field(() => String, {
    nullable: true,
    description: 'Error code of the record, as in migrationErrors. Null if the record is valid.',
  })
  code: string | null;
}

@ObjectType('MigrationRowEdge')
class MigrationRowEdgeType extends edge<MigrationRowType>(() => MigrationRowType) {}

@ObjectType('MigrationRowConnection')
export class MigrationRowConnectionType extends connection(() => MigrationRowEdgeType) {
  @Field(() => Int, { description: 'Only the first 10,000 are stored and counted.' }) totalCount: number;
}

@ObjectType('MigrationFinding', {
  description: 'Something on the source platform that is not migrated, listed by name for planning.',
})
export class MigrationFindingType implements SourceAsset {
  @Field(() => String, { description: 'list, segment, tag, template, automation or campaign' })
  kind: SourceAsset['kind'];
  @Field() name: string;
  @Field(() => String, { nullable: true }) detail: string | null;
}

@ObjectType('MigrationFile', { description: 'An uploaded file and what was detected in it.' })
export class MigrationFileType {
  @Field(() => ID) id: string;
  @Field() name: string;
  @Field({ description: 'csv, json or ndjson' }) format: string;
  @Field() encoding: string;
  @Field(() => Float, { description: 'Size in bytes.' }) size: number;
  @Field(() => [String]) columns: readonly string[];
  @Field(() => [JsonScalar], { description: 'The first five records.' }) sample: readonly JsonObject[];
  @Field(() => JsonScalar, { description: 'A suggested value for fieldMapping.' })
  suggestedMapping: Readonly<Record<string, MappingTarget>>;
  @Field(() => JsonScalar, { description: 'A suggested value for fieldTypes.' }) suggestedTypes: FieldTypes;
  @Field(() => GraphQLISODateTime) createdAt: Date;
  @Field(() => GraphQLISODateTime, {
    description: 'When the file is deleted. Migrations that use the file postpone this.',
  })
  expiresAt: Date;
}

export function migrationTypeOf(job: ImportJob): MigrationType {
  return {
    ...job,
    config: { ...job.config, fieldTypes: job.config.fieldTypes ?? {} },
    progress: { ...job.progress, total: totalOf(job), ...paceOf(job) },
    canResume: job.status === 'failed',
    dryRun: job.config.dryRun,
  };
}

export function migrationErrorTypeOf({ row, externalId, code, detail }: ImportError): MigrationErrorType {
  return { row, externalId, code, detail };
}

export function migrationRowTypeOf({ number: _, ...row }: ImportRow): MigrationRowType {
  return row;
}

export function migrationFileTypeOf(file: ImportFile): MigrationFileType {
  return file;
}
