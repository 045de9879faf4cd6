/**
 * The interface of a source: pages of records with a cursor that can be stored. A new platform needs one source and
 * one table of its fields. All its calls use `SourceCalls`, which respects its rate limits and retries what may be
 * retried.
 */
import type { JsonObject } from '../../../kernel/json.js';
import type { SourceRecord, SourceAsset } from './source-record.js';
import type { ImportFailure, MappingTarget } from './import-job.js';
import type { Credentials } from './platform.js';

/**
 * Where a source continues: any state that it needs, at most 16 KB as JSON; more fails the job. Null for the
 * beginning.
 */
export type Cursor = JsonObject;

export interface SourcePage {
  /** At most 5,000 records and 32 MB of JSON; about 8 MB if the source can choose. More fails the job. */
  readonly records: readonly SourceRecord[];
  /** Null if there are no more pages. */
  readonly next: Cursor | null;
  /** Total of contacts and unreadable records, if the source reports it. */
  readonly total?: number;
  /** How much of the source has been read, from 0 to 1, if it reports that instead. */
  readonly share?: number;
  /** When to check again, in milliseconds, if the data are not ready (an export under way). */
  readonly retryAfterMs?: number;
}

/** An answer of a platform. */
export interface SourceAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body; at most 32 MB. */
  readonly body: Buffer;
}

export interface SourceCall {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Calls of a platform, under gate S9. 5xx, truncated and unreadable answers are retried with growing waits. A 429 is
 * waited for (Retry-After, X-RateLimit-Reset, X-RateLimit-Retry-After, otherwise growing waits) without a limit on
 * the number of times. All methods throw RetryLaterError if the wait is long, and the signal's reason if it ends them.
 */
export interface SourceCalls {
  /**
   * The platform's base URL: its own host, or that of MIGRATION_BASE_URLS with the path unchanged.
   * @param own such as `https://api.intercom.io`.
   */
  baseUrl(own: string): string;
  /**
   * Other 4xx answers, such as 400 and 404, are returned. Headers are sent to the platform's base URL only; a call to
   * any other address only sends `accept`.
   * @throws SourceFailure invalid_credentials for 401 and 403, platform_unavailable if retries did not help;
   * AnswerTooLarge above 32 MB.
   */
  call(call: SourceCall): Promise<SourceAnswer>;
  /** As `call`, with the answer parsed as JSON; invalid JSON counts as a truncated answer. */
  json(call: SourceCall): Promise<unknown>;
  /**
   * Downloads to a file of the job and stores it, in pieces, up to 2 GB. Keys are never sent to download addresses.
   * @returns the file's id, with which it can be read from any offset.
   * @throws DownloadMissing for 4xx, and SourceFailure platform_unavailable for any other failure.
   */
  download(url: string, name: string): Promise<string>;
  /** Bytes of a downloaded file from an offset on. */
  read(fileId: string, offset: number): AsyncIterable<Buffer>;
  sizeOf(fileId: string): Promise<number>;
  /** Aborted when the job's time slice ends. */
  readonly signal: AbortSignal;
}

export interface ImportSource {
  /** The targets of the source's fields that the job's mapping does not name. */
  readonly fields: Readonly<Record<string, MappingTarget>>;
  /** @throws SourceFailure */
  page(credentials: Credentials, cursor: Cursor | null, calls: SourceCalls): Promise<SourcePage>;
  /**
   * The platform's other assets by name, at most 1,000.
   * @throws SourceFailure
   */
  assets(credentials: Credentials, calls: SourceCalls): Promise<SourceAsset[]>;
  /**
   * What is wrong with credentials that are invalid by their form, checked before any request. Missing ones were
   * already rejected (`credential-fields.ts`).
   */
  problemOf(credentials: Credentials): CredentialProblem | null;
}

/** What is wrong with one of the credentials. */
export interface CredentialProblem {
  /** Such as `credentials.apiKey`; members of `extra` have the names of the contract, as `credentials.extra.list_id`. */
  readonly field: string;
  /** The text after the field's name, such as `must be us or eu`. */
  readonly message: string;
}

/** Ends a job, which can be resumed. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure';
  constructor(
    readonly code: ImportFailure,
    /** For people. Contains nothing of a platform's own text. */
    readonly detail: string,
  ) {
    super(detail);
  }
}

/** An answer exceeds the maximum size. The source may request fewer records. */
export class AnswerTooLarge extends SourceFailure {
  constructor() {
    super('platform_unavailable', 'A response of the platform exceeds the size limit.');
  }
}

/** A download does not exist: not yet, or no longer. */
export class DownloadMissing extends SourceFailure {
  /** @param status 404, or another 4xx, which some stores use for files that do not exist or no longer exist. */
  constructor(readonly status: number) {
    super('source_not_found', `The platform's download does not exist (${status}).`);
  }
}

/** The platform requires a longer wait than a time slice spends. The job continues from its cursor afterwards. */
export class RetryLaterError extends Error {
  override readonly name = 'RetryLaterError';
  /** @param milliseconds at most an hour. */
  constructor(readonly milliseconds: number) {
    super(`Retry in ${milliseconds} ms.`);
  }
}
