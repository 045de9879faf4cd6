/**
 * Calls a platform for a job, under gate S9: only the platform's own host, the operator's replacement for it, or
 * public hosts can be reached. Failures are retried a few times with growing waits. A 429 is waited for however often
 * it occurs; a long wait ends the job's time slice. Keys are sent only to the platform's base URL, and errors contain
 * nothing that may hold a key (addresses, headers, texts of answers).
 */
import type { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { SECOND } from '../../../kernel/duration.js';
import { parseJson } from '../../../kernel/json-text.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { AllowedHosts } from '../../../platform/outbound/allowed-hosts.js';
import type { GuardedFetch } from '../../../platform/outbound/guarded-fetch.js';
import { OutboundError } from '../../../platform/outbound/outbound-error.js';
import type { ImportJob } from '../domain/import-job.js';
import {
  RetryLaterError,
  DownloadMissing,
  type SourceAnswer,
  type SourceCall,
  type SourceCalls,
  SourceFailure,
} from '../domain/import-source.js';
import type { PlatformUsage } from '../domain/platform-usage.js';
import { ANSWER_NUMBER_LIMITS } from '../domain/platforms/platform-answer.js';
import { MAX_INLINE_WAIT_MS, waitAfterFailure, waitAfterRateLimit } from '../domain/platform-waits.js';
import {
  afterStatus,
  type Attempt,
  UNREADABLE_RESPONSE,
  credentialsRejected,
  afterOutboundError,
} from './call-outcome.js';
import type { ImportFiles } from './import-files.js';

/** Limits of one call, including redirects and body, in milliseconds and bytes. */
const CALL = { milliseconds: 60_000, mostBytes: 33_554_432, mostRedirects: 5 } as const;
/** Limits of one download: total milliseconds, milliseconds without data, and bytes. */
const DOWNLOAD = {
  milliseconds: 3_600_000,
  mostSilence: 60_000,
  mostBytes: 2_147_483_648,
  mostRedirects: 5,
} as const;
/** How often one call, or one download, is retried after failures, over all time slices. */
const MAX_RETRIES = 5;
const MAX_DOWNLOAD_RETRIES = 3;
/** Total milliseconds that a time slice spends in waits. */
const MAX_WAITS_PER_SLICE_MS = 2 * MAX_INLINE_WAIT_MS;
/** Maximum length of a download's name, in characters. */
const MAX_NAME_LENGTH = 255;

/** What a header may contain. A key with other characters is invalid. */
const HEADER = /^[\x20-\x7e]*$/;

export interface PlatformCallsContext {
  readonly scope: TenantScope;
  readonly job: Pick<ImportJob, 'id' | 'createdBy'>;
  /** Origin that replaces the platform's own. */
  readonly baseUrl: string | undefined;
  /** The host of that origin. */
  readonly allowed: AllowedHosts;
  readonly usage: PlatformUsage;
  /** Ends the time slice: calls under way are aborted. */
  readonly signal: AbortSignal;
}

export class PlatformCalls implements SourceCalls {
  readonly signal: AbortSignal;
  /** Origins to which keys are sent. */
  private readonly keyOrigins = new Set<string>();
  private waitedMs = 0;

  constructor(
    private readonly outbound: GuardedFetch,
    private readonly files: Pick<ImportFiles, 'store' | 'read' | 'sizeOf'>,
    private readonly clock: Clock,
    private readonly context: PlatformCallsContext,
  ) {
    this.signal = context.signal;
  }

  baseUrl(own: string): string {
    const { origin, pathname } = new URL(own);
    const targetOrigin = this.context.baseUrl ?? origin;
    this.keyOrigins.add(targetOrigin);
    return `${targetOrigin}${pathname.replace(/\/+$/, '')}`;
  }

  call(call: SourceCall): Promise<SourceAnswer> {
    return this.withRetries(MAX_RETRIES, () => this.send(call));
  }

  json(call: SourceCall): Promise<unknown> {
    return this.withRetries(MAX_RETRIES, async () => {
      const response = await this.send(call);
      if (!('result' in response)) return response;
      try {
        return { result: parseJson(response.result.body.toString('utf8'), ANSWER_NUMBER_LIMITS) };
      } catch {
        // Waiting times in such an answer are ignored: the next time slice would start with the previous call.
        return { failure: UNREADABLE_RESPONSE, headers: {} };
      }
    });
  }

  download(url: string, name: string): Promise<string> {
    return this.withRetries(MAX_DOWNLOAD_RETRIES, () => this.fetchFile(url, name.slice(0, MAX_NAME_LENGTH)));
  }

  read(fileId: string, offset: number): AsyncIterable<Buffer> {
    return this.files.read(this.context.scope, fileId, offset);
  }

  sizeOf(fileId: string): Promise<number> {
    return this.files.sizeOf(this.context.scope, fileId);
  }

  /** Retries until there is a result, with waits in between. */
  private async withRetries<Result>(
    maxRetries: number,
    attempt: () => Promise<Attempt<Result>>,
  ): Promise<Result> {
    const { usage } = this.context;
    for (;;) {
      // Another call of the job may have been rate-limited meanwhile.
      await this.pause(usage.rateLimitedUntil.getTime() - this.clock.now().getTime());
      const outcome = await attempt();
      const now = this.clock.now();
      if ('result' in outcome) {
        usage.rateLimitCount = 0;
        usage.failureCount = 0;
        return outcome.result;
      }
      if ('refusal' in outcome) {
        const until = now.getTime() + waitAfterRateLimit(outcome.refusal, ++usage.rateLimitCount, now);
        usage.rateLimitedUntil = new Date(Math.max(until, usage.rateLimitedUntil.getTime()));
        continue;
      }
      if (++usage.failureCount > maxRetries) {
        usage.failureCount = 0;
        throw new SourceFailure('platform_unavailable', outcome.failure);
      }
      await this.pause(waitAfterFailure(outcome.headers, usage.failureCount, now));
    }
  }

  /** @throws RetryLaterError if the wait, or the sum of waits, is too long; the signal's reason if it ends the wait. */
  private async pause(milliseconds: number): Promise<void> {
    this.signal.throwIfAborted();
    if (milliseconds <= 0) return;
    this.waitedMs += milliseconds;
    if (milliseconds > MAX_INLINE_WAIT_MS || this.waitedMs > MAX_WAITS_PER_SLICE_MS)
      throw new RetryLaterError(milliseconds);
    await this.clock.sleepUntil(new Date(this.clock.now().getTime() + milliseconds), this.signal);
    this.signal.throwIfAborted();
  }

  private async send({ method, url, headers, body }: SourceCall): Promise<Attempt<SourceAnswer>> {
    const { scope, allowed, usage } = this.context;
    const isKeyOrigin = this.keyOrigins.has(originOf(url));
    if (isKeyOrigin && !Object.values(headers).every((value) => HEADER.test(value)))
      throw credentialsRejected();
    usage.countRequest();
    const answered = await this.attemptFetch(() =>
      this.outbound.fetch(
        scope.workspaceId,
        {
          ...CALL,
          ...{ address: url, method, allowed, work: 'calls', isKept: true },
          ...(isKeyOrigin && { headers }),
          ...(headers.accept !== undefined && { accept: headers.accept }),
          ...(body !== undefined && { body: Buffer.from(body) }),
        },
        this.signal,
        (pieces) => whole(this.countingBytes(pieces)),
      ),
    );
    if (!('result' in answered)) return answered;
    const { status, address, headers: responseHeaders, body: bytes } = answered.result;
    const retry = afterStatus(status, responseHeaders);
    if (retry) return retry;
    // A redirect target has not received the key, so its 401 or 403 does not mean that the key is refused.
    const isKeyRefused =
      isKeyOrigin && originOf(address) === originOf(url) && (status === 401 || status === 403);
    if (isKeyRefused) throw credentialsRejected();
    if (status >= 300 && status < 400)
      throw new SourceFailure('platform_unavailable', `The platform answered with status ${status}.`);
    return { result: { status, headers: responseHeaders, body: bytes } };
  }

  private async fetchFile(url: string, name: string): Promise<Attempt<string>> {
    const { scope, job, allowed, usage } = this.context;
    const file = { name, jobId: job.id, createdBy: job.createdBy };
    usage.countRequest();
    const fetched = await this.attemptFetch(() =>
      this.outbound.fetch(
        scope.workspaceId,
        { ...DOWNLOAD, address: url, allowed, work: 'downloads' },
        this.signal,
        async (pieces, { status }) => {
          if (status !== 200) return null;
          usage.countDownload();
          return this.retryLaterIfFull(this.files.store(scope, file, this.countingBytes(pieces)));
        },
      ),
    );
    if (!('result' in fetched)) return fetched;
    const { status, headers, body: fileId } = fetched.result;
    if (fileId !== null) return { result: fileId };
    const retry = afterStatus(status, headers);
    if (retry) return retry;
    // Stores have many ways to report that a file does not exist, or no longer.
    if (status >= 400) throw new DownloadMissing(status);
    throw new SourceFailure('platform_unavailable', `The platform's download returned status ${status}.`);
  }

  /** @throws RetryLaterError if there is currently no space for files of migrations. */
  private async retryLaterIfFull<Result>(stored: Promise<Result>): Promise<Result> {
    try {
      return await stored;
    } catch (error) {
      const isFull = error instanceof DomainError && error.code === 'service_unavailable';
      throw isFull ? new RetryLaterError((error.fields.retry_after ?? 0) * SECOND) : error;
    }
  }

  private async *countingBytes(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      this.context.usage.countBytes(piece.length);
      yield piece;
    }
  }

  private async attemptFetch<Result>(fetch: () => Promise<Result>): Promise<Attempt<Result>> {
    try {
      return { result: await fetch() };
    } catch (error) {
      this.signal.throwIfAborted();
      if (!(error instanceof OutboundError)) throw error;
      // The error may name addresses that contain secrets. It is neither passed on nor set as a cause.
      return afterOutboundError(error.reason);
    }
  }
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}

async function whole(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const piece of pieces) chunks.push(piece);
  const [only] = chunks;
  return only && chunks.length === 1 ? only : Buffer.concat(chunks);
}
