/** Migrations as the dashboard sees them: with their pace, and what came of them beside contacts. */
import { Field, Float, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import type { JsonObject } from '../../../kernel/json.js';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { JsonScalar } from '../../../platform/input/json.scalar.js';
import { totalOf } from '../domain/checkpoint.js';
import type { ImportFile } from '../domain/files/import-file.js';
import type { FieldTypes } from '../domain/field-types.js';
import type { ForeignThing } from '../domain/foreign-contact.js';
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
  @Field(() => Int, { description: 'Records.' }) imported: number;
  @Field(() => Int) failed: number;
  @Field(() => Int, {
    description: 'An estimate where the platform does not tell; imported and failed together at the end.',
  })
  total: number;
  @Field(() => Float, { description: 'Never falls.' }) percentComplete: number;
  @Field(() => Float, {
    nullable: true,
    description: 'Of all that was worked so far; null before anything was done.',
  })
  recordsPerSecond: number | null;
  @Field(() => Int, {
    nullable: true,
    description: 'At this pace; null where it cannot be told, and of a job that has ended.',
  })
  secondsLeft: number | null;
}

@ObjectType('MigrationFailure')
class MigrationFailureType {
  @Field(() => String, { description: 'Stable; more may be added.' }) code: ImportFailure;
  @Field() detail: string;
}

@ObjectType('MigrationConfig')
class MigrationConfigType {
  @Field(() => [String]) tags: readonly string[];
  @Field(() => JsonScalar, { description: "Contact fields by names of the source's." })
  fieldMapping: Readonly<Record<string, MappingTarget>>;
  @Field(() => JsonScalar, { description: "text, number, boolean or date, by names of the source's fields." })
  fieldTypes: FieldTypes;
  @Field(() => ID, { nullable: true }) fileId: string | null;
  @Field() dryRun: boolean;
}

@ObjectType('Migration', { description: 'A job that brings contacts over.' })
export class MigrationType {
  @Field(() => ID) id: string;
  @Field(() => MigrationPlatformEnum) platform: Platform;
  @Field(() => MigrationStatusEnum) status: ImportStatus;
  @Field(() => MigrationProgressType) progress: MigrationProgressType;
  @Field(() => Int) createdContacts: number;
  @Field(() => Int) updatedContacts: number;
  @Field(() => Int, { description: 'Contacts that came in as unsubscribed.' }) unsubscribed: number;
  @Field(() => Int, { description: 'Entries of the suppression list that came of it.' }) suppressed: number;
  @Field(() => Int, { description: 'Values that stayed as they were, since they do not fit fieldTypes.' })
  mistyped: number;
  @Field({ description: 'Whether it has failed: it goes on from its last checkpoint.' }) canResume: boolean;
  @Field(() => MigrationFailureType, { nullable: true, description: 'Why it failed.' })
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

@ObjectType('MigrationError', { description: 'What was wrong with one record.' })
export class MigrationErrorType {
  @Field(() => Int, { description: 'Among the records, from 1.' }) row: number;
  @Field(() => String, { nullable: true }) externalId: string | null;
  @Field({ description: 'Stable; more may be added.' }) code: string;
  @Field() detail: string;
}

@ObjectType('MigrationErrorEdge')
class MigrationErrorEdgeType extends edge<MigrationErrorType>(() => MigrationErrorType) {}

@ObjectType('MigrationErrorConnection')
export class MigrationErrorConnectionType extends connection(() => MigrationErrorEdgeType) {
  @Field(() => Int, { description: 'Of those that are kept: the first 10,000.' }) totalCount: number;
}

@ObjectType('MigrationRow', { description: 'What a dry run would do with one record.' })
export class MigrationRowType {
  @Field(() => Int, { description: 'Among the records, from 1.' }) row: number;
  @Field(() => String, { nullable: true }) externalId: string | null;
  @Field(() => MigrationRowOutcomeEnum, {
    description: 'merged: an earlier record of the same contact tells what becomes of it.',
  })
  outcome: RowOutcome;
  @Field(() => [String], { description: 'Fields of a known contact that would be others than they are.' })
  updatedFields: readonly string[];
  @Field({ description: 'Whether the source says that the person refuses mail.' }) optsOut: boolean;
  @Field(() => String, { nullable: true, description: 'Of what is wrong with it, as in migrationErrors.' })
  code: string | null;
}

@ObjectType('MigrationRowEdge')
class MigrationRowEdgeType extends edge<MigrationRowType>(() => MigrationRowType) {}

@ObjectType('MigrationRowConnection')
export class MigrationRowConnectionType extends connection(() => MigrationRowEdgeType) {
  @Field(() => Int, { description: 'Of those that are kept: the first 10,000.' }) totalCount: number;
}

@ObjectType('MigrationFinding', {
  description: 'Something that is not brought over, by name, so that people can plan.',
})
export class MigrationFindingType implements ForeignThing {
  @Field(() => String, { description: 'list, segment, tag, template, automation or campaign' })
  kind: ForeignThing['kind'];
  @Field() name: string;
  @Field(() => String, { nullable: true }) detail: string | null;
}

@ObjectType('MigrationFile', { description: 'An uploaded file, and what was found out of it.' })
export class MigrationFileType {
  @Field(() => ID) id: string;
  @Field() name: string;
  @Field({ description: 'csv, json or ndjson' }) format: string;
  @Field() encoding: string;
  @Field(() => Float, { description: 'In bytes.' }) size: number;
  @Field(() => [String]) columns: readonly string[];
  @Field(() => [JsonScalar], { description: 'The first five records.' }) sample: readonly JsonObject[];
  @Field(() => JsonScalar, { description: 'For fieldMapping.' })
  suggestedMapping: Readonly<Record<string, MappingTarget>>;
  @Field(() => JsonScalar, { description: 'For fieldTypes.' }) suggestedTypes: FieldTypes;
  @Field(() => GraphQLISODateTime) createdAt: Date;
  @Field(() => GraphQLISODateTime, { description: 'Jobs that read it put it off.' }) expiresAt: Date;
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
