/**
 * The calls of sources over plain HTTP: real requests to servers on loopback, repeated as the product's own are, with
 * waits that are noted down in place of being waited for. What the product guards (hosts, bounds) is left out.
 */
import {
  AnswerTooLarge,
  DownloadMissing,
  type SourceAnswer,
  type SourceCall,
  type SourceCalls,
  SourceFailure,
} from '../../../src/modules/imports/domain/import-source.js';

/** Repetitions of one call after failures of the platform. */
const MOST_REPEATS = 3;
/** Bytes of an answer, as the product takes them. */
const MOST_BYTES = 33_554_432;

export class PlainCalls implements SourceCalls {
  /** What was asked for between calls: seconds, or nothing where the platform named none. */
  readonly waits: (number | null)[] = [];
  /** The job's turn, which tests may end. */
  readonly turn = new AbortController();
  readonly signal = this.turn.signal;
  /** Addresses that something was downloaded from. */
  readonly downloaded: string[] = [];
  /** What was downloaded; emptied, it is as after the end of a job. */
  readonly files = new Map<string, Buffer>();
  /** Bytes of downloads that were read. */
  bytesRead = 0;
  /** Bytes of the pieces in which downloads are kept. */
  pieceBytes = 1_048_576;

  /** @param mark tells the files of these calls from those of others. */
  constructor(
    private readonly server: string,
    private readonly mark = '',
  ) {}

  /** As MIGRATION_BASE_URLS does: scheme, host and port are the server's, the path stays. */
  baseUrl(own: string): string {
    const { pathname } = new URL(own);
    return `${this.server}${pathname === '/' ? '' : pathname}`;
  }

  async call(call: SourceCall): Promise<SourceAnswer> {
    return this.repeated(call, (answer) => answer);
  }

  async json(call: SourceCall): Promise<unknown> {
    return this.repeated(call, (answer) => JSON.parse(answer.body.toString('utf8')) as unknown);
  }

  /** Without a header of ours; an address that leads nowhere fails as the product's does. */
  async download(url: string): Promise<string> {
    this.downloaded.push(url);
    const call = { method: 'GET', url, headers: {} } as const;
    const { status, body } = await this.repeated(call, (answer) => answer, false);
    if (status !== 200) throw new DownloadMissing(status);
    const id = `file-${this.mark}${this.downloaded.length}`;
    this.files.set(id, body);
    return id;
  }

  async *read(fileId: string, offset: number): AsyncIterable<Buffer> {
    const file = this.files.get(fileId);
    for (let at = offset; file && at < file.length;) {
      await Promise.resolve();
      const end = Math.min(file.length, (Math.floor(at / this.pieceBytes) + 1) * this.pieceBytes);
      this.bytesRead += end - at;
      yield file.subarray(at, end);
      at = end;
    }
  }

  sizeOf(fileId: string): Promise<number> {
    return Promise.resolve(this.files.get(fileId)?.length ?? 0);
  }

  private async repeated<T>(call: SourceCall, read: (answer: SourceAnswer) => T, hasKey = true): Promise<T> {
    for (let failures = 0; ;) {
      const answer = await this.once(call);
      if (hasKey && (answer?.status === 401 || answer?.status === 403))
        throw new SourceFailure('invalid_credentials', 'The platform rejects the credentials.');
      if (answer?.status === 429) {
        this.waits.push(secondsOf(answer.headers));
        continue;
      }
      if (hasKey && answer && answer.body.length > MOST_BYTES) throw new AnswerTooLarge();
      if (answer && answer.status < 500)
        try {
          return read(answer);
        } catch {
          // No JSON: as if it had been cut.
        }
      if (++failures > MOST_REPEATS)
        throw new SourceFailure('platform_unavailable', 'The platform did not respond.');
    }
  }

  private async once({ method, url, headers, body }: SourceCall): Promise<SourceAnswer | null> {
    if (!url.startsWith(`${this.server}/`)) throw new Error(`The key would have gone to ${url}.`);
    try {
      const response = await fetch(url, { method, headers, redirect: 'manual', ...(body ? { body } : {}) });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: Buffer.from(await response.arrayBuffer()),
      };
    } catch {
      return null;
    }
  }
}

function secondsOf(headers: SourceAnswer['headers']): number | null {
  const wait = headers['retry-after'] ?? headers['x-ratelimit-reset'] ?? headers['x-ratelimit-retry-after'];
  return wait === undefined ? null : Number(wait);
}
