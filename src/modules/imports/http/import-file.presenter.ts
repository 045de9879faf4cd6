/** REST representation of an uploaded file (section 4.9), and its class for the OpenAPI document. */
import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '../../../kernel/json.js';
import { FILE_ENCODINGS, FILE_FORMATS, type ImportFile } from '../domain/files/import-file.js';
import type { FieldTypes } from '../domain/field-types.js';
import type { MappingTarget } from '../domain/import-job.js';

export class ImportFileResponse {
  @ApiProperty({ format: 'uuid', description: 'Pass this as `config.file_id` of a migration.' })
  file_id: string;
  @ApiProperty({ example: 'people.csv' }) name: string;
  @ApiProperty({ enum: FILE_FORMATS }) format: string;
  @ApiProperty({ enum: FILE_ENCODINGS }) encoding: string;
  @ApiProperty({ type: 'integer', description: 'Size in bytes.' }) size: number;
  @ApiProperty({ type: [String], description: 'A repeated name gets a suffix, for example `plan_2`.' })
  columns: readonly string[];
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'The first five records, with long values truncated.',
  })
  sample: readonly JsonObject[];
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { 'E-mail': 'email', Surname: 'last_name' },
    description: 'Suggested contact fields, based on column names; a value for `config.field_mapping`.',
  })
  suggested_mapping: Readonly<Record<string, MappingTarget>>;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { ltv: 'number', joined: 'date' },
    description:
      'Suggested types of the other columns, based on the first thousand records; a value for ' +
      '`config.field_types`.',
  })
  suggested_types: FieldTypes;
}

export function presentFile(file: ImportFile): ImportFileResponse {
  const { id, name, format, encoding, size, columns, sample, suggestedMapping, suggestedTypes } = file;
  return {
    file_id: id,
    name,
    format,
    encoding,
    size,
    columns,
    sample,
    suggested_mapping: suggestedMapping,
    suggested_types: suggestedTypes,
  };
}
