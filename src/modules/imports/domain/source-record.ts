/** A contact as a source has it, before mapping; and records of a source that are not contacts. */
import type { JsonValue } from '../../../kernel/json.js';
import { truncate } from '../../../kernel/text-length.js';
import { MAX_ASSET_TEXT_LENGTH, MAX_ASSETS } from './work-limits.js';

/** Why a person must not receive mail any more, as the source reports it. */
export type OptOutReason = 'unsubscribed' | 'bounced' | 'complained';

/** One record of a source. */
export interface SourceContact {
  readonly kind: 'contact';
  /** The number of the record in the source, from 1. */
  readonly row: number;
  /** The source's own identifier; null if it has none, and the email is used instead. */
  readonly externalId: string | null;
  /** Under the source's names, in its order. */
  readonly fields: Readonly<Record<string, JsonValue>>;
  /** What the source reports about email apart from its fields; null if there is no opt-out. */
  readonly optOut: OptOutReason | null;
  /** What is nested within its fields. */
  readonly apart?: NestedFields | undefined;
}

/** Properties and tags that are nested within fields, as in the contract. */
export interface NestedFields {
  /** The fields that do not become properties unless a job maps them. */
  readonly names: ReadonlySet<string>;
  readonly properties: Readonly<Record<string, JsonValue>>;
  readonly tags: readonly string[];
}

/** A record that could not be read, or only in part. */
export interface UnreadableRecord {
  readonly kind: 'unreadable';
  readonly row: number;
  readonly externalId: string | null;
  /** A stable code, such as `invalid_row`. */
  readonly code: string;
  readonly detail: string;
  /** The part of it that could be read. It is not imported as a contact, but an opt-out in it is respected. */
  readonly readablePart?: SourceContact | undefined;
}

/** An address that the source does not write to, with or without a contact. */
export interface SourceSuppression {
  readonly kind: 'suppression';
  readonly email: string;
  readonly reason: OptOutReason;
}

export type SourceRecord = SourceContact | UnreadableRecord | SourceSuppression;

/** Another asset of a platform, by name. */
export interface SourceAsset {
  readonly kind: 'list' | 'segment' | 'tag' | 'template' | 'automation' | 'campaign';
  readonly name: string;
  readonly detail: string | null;
}

/**
 * The assets in a form that can be stored, up to the limit per job: without NUL and lone surrogates, with bounded
 * texts.
 */
export function storableAssets(assets: readonly SourceAsset[]): SourceAsset[] {
  return assets.slice(0, MAX_ASSETS).map(({ kind, name, detail }) => ({
    kind,
    name: storable(name),
    detail: detail === null ? null : storable(detail),
  }));
}

function storable(text: string): string {
  return truncate(text.replaceAll('\0', '').toWellFormed(), MAX_ASSET_TEXT_LENGTH);
}
