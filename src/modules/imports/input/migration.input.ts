/** Input of requests for migrations, and of queries for jobs and errors (section 4.9). */
import { isJsonObject, isStorableText } from '../../../kernel/json.js';
import { isLonger } from '../../../kernel/text-length.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import {
  Flag,
  Nested,
  OneOf,
  Read,
  SearchText,
  Text,
  Texts,
  Integer,
} from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import type { InputField } from '../../../platform/input/input-table.js';
import { Limit, Offset, PageArgs } from '../../../platform/input/page.input.js';
import { isFull, readInput, refuse, nestedContext } from '../../../platform/input/read-input.js';
import { textCheck } from '../../../platform/input/checks.js';
import {
  platformsRequiring,
  credentialsOf,
  EXTRA_FIELDS,
  EXTRA_FIELDS_DESCRIPTION,
} from '../domain/credential-fields.js';
import {
  MAX_CREDENTIAL_LENGTH,
  MAX_FIELD_NAME_LENGTH,
  MAX_CONTACT_TAG_LENGTH,
  MAX_STORED_ERRORS,
  MAX_JOBS_LIMIT,
  MAX_MAPPED_FIELDS,
  MAX_JOB_TAGS,
  DEFAULT_JOBS_LIMIT,
} from '../domain/import-bounds.js';
import { FIELD_TYPES, type FieldTypes } from '../domain/field-types.js';
import { STANDARD_FIELDS, type MappingTarget } from '../domain/import-job.js';
import type { ImportRequest } from '../domain/import-request.js';
import { PLATFORMS, type Credentials, type Platform } from '../domain/platform.js';

/** Maximum length of a file id or name, in characters; actual ids are shorter. */
const MAX_ID_LENGTH = 255;
const TARGETS: readonly string[] = ['external_id', ...STANDARD_FIELDS];
const ERROR_FORMATS = ['json', 'csv'] as const;

export const MigrationPlatformEnum = graphqlEnum('MigrationPlatform', PLATFORMS);

/** Checks that the name of a source's field can be stored, and can be a key of an object. */
function nameProblem(name: string): string | undefined {
  if (name === '' || isLonger(name, MAX_FIELD_NAME_LENGTH))
    return `must have names of 1 to ${MAX_FIELD_NAME_LENGTH} characters`;
  return isStorableText(name) && name !== '__proto__' ? undefined : 'contains a name that is not allowed';
}

/** Reads an object whose values must each be one of a few strings. */
const readEnumMap =
  (allowed: readonly string[]): InputField['read'] =>
  (value, position) => {
    if (!isJsonObject(value)) return refuse(position, 'must be an object');
    const pairs = Object.entries(value);
    if (pairs.length > MAX_MAPPED_FIELDS)
      return refuse(position, `must have at most ${MAX_MAPPED_FIELDS} fields`);
    for (const [name, target] of pairs) {
      if (isFull(position)) break;
      const problem = nameProblem(name);
      if (problem !== undefined) refuse(position, problem);
      else if (typeof target !== 'string' || !allowed.includes(target))
        refuse(nestedContext(position, name), `must be one of ${allowed.join(', ')}`);
    }
    return Object.fromEntries(pairs);
  };

const credentialCheck = textCheck(0, MAX_CREDENTIAL_LENGTH);

const readExtra: InputField['read'] = (value, position) => {
  if (!isJsonObject(value)) return refuse(position, 'must be an object');
  for (const [name, text] of Object.entries(value)) {
    if (isFull(position)) break;
    if (!EXTRA_FIELDS.includes(name)) {
      refuse(
        nameProblem(name) === undefined ? nestedContext(position, name) : position,
        'is not a known field',
      );
      continue;
    }
    const problem = credentialCheck(text);
    if (problem !== undefined) refuse(nestedContext(position, name), problem);
  }
  return value;
};

const SECRET = { optional: true, nullable: 'absent', max: MAX_CREDENTIAL_LENGTH } as const;

@Input({ rest: 'MigrationCredentialsBody', graphql: 'MigrationCredentialsInput' })
export class MigrationCredentialsInput {
  @Text({ ...SECRET, description: `Only for ${platformsRequiring('appId')}.` }) appId?: string;

  @Text({
    ...SECRET,
    description:
      'Required for every platform except file. Encrypted at rest, never returned, deleted when the job ends.',
  })
  apiKey?: string;

  @Read(readExtra, {
    optional: true,
    nullable: 'absent',
    example: { data_center: 'us21' },
    description: `${EXTRA_FIELDS_DESCRIPTION}.`,
  })
  extra?: Readonly<Record<string, string>>;
}

const tagsProblem = (tags: readonly string[]): string | undefined =>
  tags.every((tag) => tag !== '' && !isLonger(tag, MAX_CONTACT_TAG_LENGTH) && isStorableText(tag))
    ? undefined
    : `must contain strings of 1 to ${MAX_CONTACT_TAG_LENGTH} characters`;

@Input({ rest: 'MigrationConfigBody', graphql: 'MigrationConfigInput' })
export class MigrationConfigInput {
  @Texts({
    fallback: [],
    max: MAX_JOB_TAGS,
    check: tagsProblem,
    description: 'Added to every contact; existing tags are kept.',
  })
  tags: readonly string[];

  @Read(readEnumMap(TARGETS), {
    optional: true,
    nullable: 'absent',
    example: { 'E-mail': 'email', plan: 'product_type' },
    description: `Contact fields by source field name: ${TARGETS.join(', ')}. Unmapped fields become properties.`,
  })
  fieldMapping?: Readonly<Record<string, MappingTarget>>;

  @Read(readEnumMap(FIELD_TYPES), {
    optional: true,
    nullable: 'absent',
    example: { ltv: 'number', joined: 'date' },
    description:
      `Types of the fields that become properties: ${FIELD_TYPES.join(', ')}. A value that does not match is ` +
      'kept unchanged and counted.',
  })
  fieldTypes?: FieldTypes;

  @SearchText({
    optional: true,
    nullable: 'absent',
    format: 'uuid',
    isId: true,
    max: MAX_ID_LENGTH,
    description:
      'The ID returned by POST /v1/migrations/files. Only valid, and required, for the platform file.',
  })
  fileId?: string;

  @Flag({ fallback: false, description: 'Reports what the migration would do without changing any contact.' })
  dryRun: boolean;
}

@Input({ rest: 'StartMigrationBody', graphql: 'StartMigrationInput' })
export class StartMigrationInput {
  @OneOf(PLATFORMS, { enumType: MigrationPlatformEnum }) platform: Platform;

  @Nested(MigrationCredentialsInput, { optional: true, nullable: 'absent' })
  credentials?: MigrationCredentialsInput;

  @Nested(MigrationConfigInput, { optional: true, nullable: 'absent' }) config?: MigrationConfigInput;
}

export function importRequestOf({ platform, credentials, config }: StartMigrationInput): ImportRequest {
  const { tags = [], fieldMapping = {}, fieldTypes = {}, fileId = null, dryRun = false } = config ?? {};
  return {
    platform,
    credentials: credentialsOf(credentials),
    config: { tags: [...new Set(tags)], fieldMapping, fieldTypes, fileId, dryRun },
  };
}

/** A request in the form of REST; the body may be missing. @throws DomainError validation_error, invalid_field. */
export function readImportRequest(body: unknown): ImportRequest {
  return importRequestOf(readInput(StartMigrationInput, body, 'body'));
}

@Input({ rest: 'ResumeMigrationBody', graphql: 'ResumeMigrationInput' }, { mayBeAbsent: true })
export class ResumeMigrationInput {
  @Nested(MigrationCredentialsInput, {
    optional: true,
    nullable: 'absent',
    description:
      'Required for every platform except file, because the job’s credentials were deleted when it ended.',
  })
  credentials?: MigrationCredentialsInput;
}

export function resumeCredentialsOf({ credentials }: ResumeMigrationInput): Credentials | null {
  return credentialsOf(credentials);
}

@Input({ rest: 'CancelMigrationBody' }, { mayBeAbsent: true })
export class CancelMigrationInput {}

@Input({})
export class MigrationListQuery {
  @Limit(DEFAULT_JOBS_LIMIT, MAX_JOBS_LIMIT) limit: number;
  @Offset() offset: number;
}

@Input({})
export class MigrationErrorsQuery {
  @OneOf(ERROR_FORMATS, { only: 'rest', fallback: 'json' }) format: (typeof ERROR_FORMATS)[number];

  @Integer({
    only: 'rest',
    optional: true,
    min: 1,
    max: MAX_STORED_ERRORS,
    description: 'Defaults to 100 in JSON and to all in CSV.',
  })
  limit?: number;

  @Offset() offset: number;
}

@Arguments()
export class MigrationResultsArgs extends PageArgs {
  @SearchText({ isId: true }) migrationId: string;
}
