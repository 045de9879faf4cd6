/** Where contacts may come from (section 4.9: platform): platforms that have an API, and files. */
import { MIGRATION_PLATFORMS } from '../../../kernel/migration-platforms.js';

export const PLATFORMS = [...MIGRATION_PLATFORMS, 'file'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** What a job is given to read a platform with; sealed at rest, and gone when the job ends. */
export interface Credentials {
  readonly appId: string | null;
  readonly apiKey: string | null;
  readonly extra: Readonly<Record<string, string>>;
}
