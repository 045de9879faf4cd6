/**
 * What a source is to the pipeline: pages of records behind a cursor that can be stored. A new platform is one source and
 * one table of its fields; all that calls a platform goes through `SourceCalls`, which keep its limits and repeat what may
 * be repeated.
 */
import type { JsonObject } from '../../../kernel/json.js';
import type { ForeignRecord, ForeignThing } from './foreign-contact.js';
import type { ImportFailure, MappingTarget } from './import-job.js';
import type { Credentials } from './platform.js';

/** Where a source goes on: whatever it needs to know, at most 16 KB as JSON; more fails the job. Null: at its beginning. */
export type Cursor = JsonObject;

export interface SourcePage {
  /** At most 5,000 records and 32 MB of JSON; about 8 MB where a source chooses. More fails the job. */
  readonly records: readonly ForeignRecord[];
  /** Null: there is nothing behind it. */
  readonly next: Cursor | null;
  /** Contacts and unreadable records in all, where the source says so. */
  readonly total?: number;
  /** How much of the source has been read, from 0 to 1, where it says that instead. */
  readonly share?: number;
  /** When to look again, in milliseconds, where what was asked for is not ready (an export under way). */
  readonly again?: number;
}

/** An answer of a platform. */
export interface SourceAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** At most 32 MB. */
  readonly body: Buffer;
}

export interface SourceCall {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Calls of a platform, under gate S9. 5xx, cut and unreadable answers are repeated with growing waits, 429 is waited for
 * (Retry-After, X-RateLimit-Reset, X-RateLimit-Retry-After, else growing waits) without an end of its own. All of them
 * throw ComeBackLater where the wait is long, and the signal's reason when it ends them.
 */
export interface SourceCalls {
  /**
   * The platform's base URL: its own host, or that of MIGRATION_BASE_URLS with the path kept.
   * @param own such as `https://api.intercom.io`.
   */
  baseUrl(own: string): string;
  /**
   * Other answers of 4xx, such as 400 and 404, are given as they are. Headers go to the platform's base URL alone: of a call
   * to anywhere else, `accept` is all that is sent.
   * @throws SourceFailure invalid_credentials for 401 and 403, platform_unavailable when repeating did not help;
   *   AnswerTooLarge above 32 MB.
   */
  call(call: SourceCall): Promise<SourceAnswer>;
  /** As `call`, and the answer as JSON; one that is none counts as cut. */
  json(call: SourceCall): Promise<unknown>;
  /**
   * Downloads to the job's own file and leaves it there, in pieces, as far as 2 GB; keys never go to download addresses.
   * @returns the file's id, with which it is read from any offset.
   * @throws DownloadMissing for 4xx, and SourceFailure platform_unavailable for whatever else fails.
   */
  download(url: string, name: string): Promise<string>;
  /** Bytes of a downloaded file from an offset on. */
  read(fileId: string, offset: number): AsyncIterable<Buffer>;
  sizeOf(fileId: string): Promise<number>;
  /** Aborted when the job's turn ends. */
  readonly signal: AbortSignal;
}

export interface ImportSource {
  /** What the source's fields are mapped to where the job's mapping says nothing. */
  readonly fields: Readonly<Record<string, MappingTarget>>;
  /** @throws SourceFailure */
  page(credentials: Credentials, cursor: Cursor | null, calls: SourceCalls): Promise<SourcePage>;
  /**
   * What else there is, by name, at most 1,000 things.
   * @throws SourceFailure
   */
  things(credentials: Credentials, calls: SourceCalls): Promise<ForeignThing[]>;
  /**
   * What is wrong with the texts of credentials that cannot be right, before anything is asked; that none is missing is seen
   * to before (`credential-fields.ts`).
   */
  problemOf(credentials: Credentials): CredentialProblem | null;
}

/** What is wrong with one of the credentials. */
export interface CredentialProblem {
  /** Such as `credentials.apiKey`; members of `extra` have the names of the contract, as `credentials.extra.list_id`. */
  readonly field: string;
  /** Behind the field's name, such as `must be us or eu`. */
  readonly message: string;
}

/** Ends a job, which can be resumed. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure';
  constructor(
    readonly code: ImportFailure,
    /** For people; nothing of a platform's own text. */
    readonly detail: string,
  ) {
    super(detail);
  }
}

/** An answer has more bytes than any may have: fewer records may be asked for. */
export class AnswerTooLarge extends SourceFailure {
  constructor() {
    super('platform_unavailable', 'A response of the platform exceeds the size limit.');
  }
}

/** A download is not there: not yet, or no more. */
export class DownloadMissing extends SourceFailure {
  /** @param status 404, and others of 4xx: stores say each of what they do not have, or not any more. */
  constructor(readonly status: number) {
    super('source_not_found', `The platform's download does not exist (${status}).`);
  }
}

/** The platform asks for a longer wait than a turn sits out: the job goes on from its cursor when that is over. */
export class ComeBackLater extends Error {
  override readonly name = 'ComeBackLater';
  /** @param milliseconds at most an hour. */
  constructor(readonly milliseconds: number) {
    super(`Retry in ${milliseconds} ms.`);
  }
}
