/** The stored form of a report's config and a schedule's format, with REST's field names. */
import { camelKeys, snakeKeys, type SnakeKeys } from '../../../kernel/letter-case.js';
import type { ReportConfig } from './report.js';
import type { FormatOptions } from './schedule.js';

export type StoredConfig = SnakeKeys<ReportConfig>;
export type StoredFormat = SnakeKeys<FormatOptions>;

export function toStoredConfig(config: ReportConfig): StoredConfig {
  return snakeKeys(config);
}

/** Reads the stored config. */
export function configOf(stored: StoredConfig): ReportConfig {
  return camelKeys(stored);
}

export function toStoredFormat(options: FormatOptions): StoredFormat {
  return snakeKeys(options);
}

/** Reads the stored format. */
export function formatOf(stored: StoredFormat): FormatOptions {
  return camelKeys(stored);
}
