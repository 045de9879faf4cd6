/** An uploaded file in REST (section 4.9) and in GraphQL. */
import type { JsonObject } from '../../../kernel/json.js';
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import type { FieldTypes } from '../domain/field-types.js';
import { FILE_ENCODINGS, FILE_FORMATS } from '../domain/files/import-file.js';
import type { MappingTarget } from '../domain/import-job.js';

const TEXTS = { additionalProperties: { type: 'string' } } as const;

@Output({
  rest: 'ImportFileResponse',
  graphql: 'MigrationFile',
  description: 'An uploaded file and what was detected in it.',
})
export class ImportFileOutput {
  @Out('ID', {
    description: 'Pass this as the file ID in the configuration of a migration.',
    inRest: { name: 'fileId' },
  })
  id: string;
  @Out('String', { example: 'people.csv' }) name: string;
  @Out(oneOf(FILE_FORMATS), { description: 'csv, json or ndjson' }) format: string;
  @Out(oneOf(FILE_ENCODINGS)) encoding: string;
  @Out('Float', { description: 'Size in bytes.', api: { type: 'integer' } }) size: number;
  @Out(['String'], { description: 'A repeated name gets a suffix, for example `plan_2`.' })
  columns: readonly string[];
  @Out(['JSON'], { description: 'The first five records, with long values truncated.' })
  sample: readonly JsonObject[];
  @Out('JSON', {
    description: 'Suggested contact fields, based on column names; the field mapping of a migration.',
    example: { 'E-mail': 'email', Surname: 'last_name' },
    api: TEXTS,
  })
  suggestedMapping: Readonly<Record<string, MappingTarget>>;
  @Out('JSON', {
    description:
      'Suggested types of the other columns, based on the first thousand records; the field types of a migration.',
    example: { ltv: 'number', joined: 'date' },
    api: TEXTS,
  })
  suggestedTypes: FieldTypes;
  @Out('DateTime', { only: 'graphql' }) createdAt: Date;
  @Out('DateTime', {
    only: 'graphql',
    description: 'When the file is deleted. Migrations that use the file postpone this.',
  })
  expiresAt: Date;
}
