/** A report's config and a schedule's format as they are written: under the names of REST, which are also those of the stored rows. */
import { camelKeys, snakeKeys, type SnakeKeys } from '../../../kernel/letter-case.js';
import type { ReportConfig } from './report.js';
import type { FormatOptions } from './schedule.js';

export type WrittenConfig = SnakeKeys<ReportConfig>;
export type WrittenFormat = SnakeKeys<FormatOptions>;

export function writtenConfig(config: ReportConfig): WrittenConfig {
  return snakeKeys(config);
}

/** The config that was written so. */
export function configOf(written: WrittenConfig): ReportConfig {
  return camelKeys(written);
}

export function writtenFormat(options: FormatOptions): WrittenFormat {
  return snakeKeys(options);
}

/** The format that was written so. */
export function formatOf(written: WrittenFormat): FormatOptions {
  return camelKeys(written);
}
