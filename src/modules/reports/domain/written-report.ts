/** The stored form of a report's config and a schedule's format, with REST's field names. */
import { camelKeys, snakeKeys, type SnakeKeys } from '../../../kernel/letter-case.js';
import type { ReportConfig } from './report.js';
import type { FormatOptions } from './schedule.js';

export type WrittenConfig = SnakeKeys<ReportConfig>;
export type WrittenFormat = SnakeKeys<FormatOptions>;

export function writtenConfig(config: ReportConfig): WrittenConfig {
  return snakeKeys(config);
}

/** Reads the stored config. */
export function configOf(written: WrittenConfig): ReportConfig {
  return camelKeys(written);
}

export function writtenFormat(options: FormatOptions): WrittenFormat {
  return snakeKeys(options);
}

/** Reads the stored format. */
export function formatOf(written: WrittenFormat): FormatOptions {
  return camelKeys(written);
}
