/** A file that contacts are read from (section 4.9), as it is told of: what it is, and what its columns are for. */
import type { JsonObject } from '../../../../kernel/json.js';
import { beginningOf } from '../../../../kernel/text-length.js';
import type { FieldTypes } from '../field-types.js';
import type { MappingTarget } from '../import-job.js';

export const FILE_FORMATS = ['csv', 'json', 'ndjson'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export const FILE_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'latin1'] as const;
export type FileEncoding = (typeof FILE_ENCODINGS)[number];

export const SEPARATORS = [',', ';', '\t', '|'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** What an upload may have: 200 MB, in bytes. */
export const LARGEST_UPLOAD = 209_715_200;
/** Of an uploaded file's name, in characters. */
const LONGEST_FILE_NAME = 255;

/** The name of an upload as it is kept. */
export function fileName(given: string): string {
  const name = beginningOf(given.replaceAll('\0', '').toWellFormed().trim(), LONGEST_FILE_NAME);
  return name === '' ? 'file' : name;
}

/** What was found out of a file by looking at it. */
export interface FileFacts {
  readonly format: FileFormat;
  readonly encoding: FileEncoding;
  /** Between the cells of a line; null for what is no CSV. */
  readonly separator: Separator | null;
  /** In their order; a name that stands twice has a suffix, as `plan_2`. */
  readonly columns: readonly string[];
}

export interface DescribedFile extends FileFacts {
  /** The first five records. */
  readonly sample: readonly JsonObject[];
  /** For a job's `field_mapping`; what is left out goes to properties. */
  readonly suggestedMapping: Readonly<Record<string, MappingTarget>>;
  /** For a job's `field_types`: what the columns hold that become properties. */
  readonly suggestedTypes: FieldTypes;
}

export interface ImportFile extends DescribedFile {
  readonly id: string;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}
