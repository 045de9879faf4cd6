/** The sources of contacts (section 4.9: platform): platforms with an API, and files. */
import { MIGRATION_PLATFORMS } from '../../../kernel/migration-platforms.js';

export const PLATFORMS = [...MIGRATION_PLATFORMS, 'file'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** The credentials with which a job reads a platform; sealed at rest, and deleted when the job ends. */
export interface Credentials {
  readonly appId: string | null;
  readonly apiKey: string | null;
  readonly extra: Readonly<Record<string, string>>;
}
