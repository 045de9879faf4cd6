/** A migration job and its states, sections 2.13 and 3.6. */
import type { FieldTypes } from './field-types.js';
import type { Platform } from './platform.js';

export const IMPORT_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** Contact fields to which a source field may be mapped (section 4.9: standard target fields). */
export const STANDARD_FIELDS = [
  'email',
  'first_name',
  'last_name',
  'phone',
  'product_type',
  'subscription_status',
  'timezone',
  'locale',
] as const;
export type StandardField = (typeof STANDARD_FIELDS)[number];
export type MappingTarget = StandardField | 'external_id';

export interface ImportConfig {
  /** Added to every contact, never replacing others. */
  readonly tags: readonly string[];
  /** By names of the source's fields. */
  readonly fieldMapping: Readonly<Record<string, MappingTarget>>;
  /** Of fields that become properties, by names of the source's fields. Old jobs have none. */
  readonly fieldTypes?: FieldTypes;
  readonly fileId: string | null;
  readonly dryRun: boolean;
}

/** Why a job failed. The texts of platforms are never copied: they may repeat a key. */
export const IMPORT_FAILURES = [
  'invalid_credentials',
  'platform_unavailable',
  'export_without_url',
  'source_not_found',
  'file_unreadable',
  'plan_limit_reached',
  'internal_error',
] as const;
export type ImportFailure = (typeof IMPORT_FAILURES)[number];

export interface ImportProgress {
  readonly imported: number;
  readonly failed: number;
  /** Null while it is unknown. */
  readonly total: number | null;
  /** Never falls. */
  readonly percentComplete: number;
}

export interface ImportJob {
  readonly id: string;
  readonly platform: Platform;
  readonly status: ImportStatus;
  readonly progress: ImportProgress;
  readonly createdContacts: number;
  readonly updatedContacts: number;
  readonly unsubscribed: number;
  /** Entries that the job added to the suppression list. */
  readonly suppressed: number;
  /** Values that were left unchanged because they did not fit their field's type. */
  readonly mistyped: number;
  /** Milliseconds of work on the job. */
  readonly workedMs: number;
  readonly error: { readonly code: ImportFailure; readonly detail: string } | null;
  readonly config: ImportConfig;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
}

/** The fields of a new job. */
export interface NewImportJob {
  readonly id: string;
  readonly platform: Platform;
  readonly config: ImportConfig;
  /** Sealed; null for a file. */
  readonly credentials: string | null;
  /** The workspace's plan, whose limit of contacts applies. */
  readonly plan: string;
  readonly createdBy: string;
}
