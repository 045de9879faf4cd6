/**
 * Platform calls of sources over plain HTTP: real requests to servers on loopback, retried as in the product.
 * Waits are recorded and skipped. The product's guards (hosts, limits) are left out.
 */
import {
  AnswerTooLarge,
  DownloadMissing,
  type SourceAnswer,
  type SourceCall,
  type SourceCalls,
  SourceFailure,
} from '../../../src/modules/imports/domain/import-source.js';

/** Retries of one call after failures of the platform. */
const MOST_REPEATS = 3;
/** Maximum bytes of an answer, as in the product. */
const MOST_BYTES = 33_554_432;

export class PlainCalls implements SourceCalls {
  /** The requested waits between calls: seconds, or null where the platform named none. */
  readonly waits: (number | null)[] = [];
  /** The job's time slice, which tests may abort. */
  readonly turn = new AbortController();
  readonly signal = this.turn.signal;
  /** URLs of the downloads. */
  readonly downloaded: string[] = [];
  /** The downloaded files; clear it to simulate the end of a job. */
  readonly files = new Map<string, Buffer>();
  /** Bytes of downloads that were read. */
  bytesRead = 0;
  /** Bytes of the pieces in which downloads are stored. */
  pieceBytes = 1_048_576;

  /** @param mark distinguishes the files of these calls from those of others. */
  constructor(
    private readonly server: string,
    private readonly mark = '',
  ) {}

  /** Like MIGRATION_BASE_URLS: scheme, host and port are the server's, the path stays. */
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

  /** Sends none of our headers; an unreachable URL fails as in the product. */
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
          // Not JSON: treated as a truncated answer.
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
