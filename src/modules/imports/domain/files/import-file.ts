/**
 * The description of a file from which contacts are read (section 4.9): its format, and suggestions for its columns.
 */
import type { JsonObject } from '../../../../kernel/json.js';
import { truncate } from '../../../../kernel/text-length.js';
import type { FieldTypes } from '../field-types.js';
import type { MappingTarget } from '../import-job.js';

export const FILE_FORMATS = ['csv', 'json', 'ndjson'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export const FILE_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'latin1'] as const;
export type FileEncoding = (typeof FILE_ENCODINGS)[number];

export const SEPARATORS = [',', ';', '\t', '|'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** Maximum size of an upload: 200 MB, in bytes. */
export const MAX_UPLOAD_BYTES = 209_715_200;
/** Maximum length of an uploaded file's name, in characters. */
const MAX_FILE_NAME_LENGTH = 255;

/** The name of an upload in the form that is stored. */
export function fileName(given: string): string {
  const name = truncate(given.replaceAll('\0', '').toWellFormed().trim(), MAX_FILE_NAME_LENGTH);
  return name === '' ? 'file' : name;
}

/** What was found by examining a file. */
export interface FileFormatInfo {
  readonly format: FileFormat;
  readonly encoding: FileEncoding;
  /** Between the cells of a line; null for other formats than CSV. */
  readonly separator: Separator | null;
  /** In order. A duplicate name has a suffix, such as `plan_2`. */
  readonly columns: readonly string[];
}

export interface DescribedFile extends FileFormatInfo {
  /** The first five records. */
  readonly sample: readonly JsonObject[];
  /** A suggestion for a job's `field_mapping`. Columns that are left out become properties. */
  readonly suggestedMapping: Readonly<Record<string, MappingTarget>>;
  /** A suggestion for a job's `field_types`: the types of columns that become properties. */
  readonly suggestedTypes: FieldTypes;
}

export interface ImportFile extends DescribedFile {
  readonly id: string;
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}
