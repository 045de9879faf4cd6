/** An uploaded file as REST shows it (section 4.9), and the class that describes it in the OpenAPI document. */
import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '../../../kernel/json.js';
import { FILE_ENCODINGS, FILE_FORMATS, type ImportFile } from '../domain/files/import-file.js';
import type { FieldTypes } from '../domain/field-types.js';
import type { MappingTarget } from '../domain/import-job.js';

export class ImportFileResponse {
  @ApiProperty({ format: 'uuid', description: 'For `config.file_id` of a migration.' }) file_id: string;
  @ApiProperty({ example: 'people.csv' }) name: string;
  @ApiProperty({ enum: FILE_FORMATS }) format: string;
  @ApiProperty({ enum: FILE_ENCODINGS }) encoding: string;
  @ApiProperty({ type: 'integer', description: 'In bytes.' }) size: number;
  @ApiProperty({ type: [String], description: 'A name that stands twice has a suffix, as `plan_2`.' })
  columns: readonly string[];
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'The first five records, their long values cut.',
  })
  sample: readonly JsonObject[];
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { 'E-mail': 'email', Surname: 'last_name' },
    description: 'What columns are probably for, by their names; for `config.field_mapping`.',
  })
  suggested_mapping: Readonly<Record<string, MappingTarget>>;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { ltv: 'number', joined: 'date' },
    description: 'What the other columns hold, by the first thousand records; for `config.field_types`.',
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
