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
  ComeBackLater,
  DownloadMissing,
  type SourceAnswer,
  type SourceCall,
  type SourceCalls,
  SourceFailure,
} from '../domain/import-source.js';
import type { PlatformTally } from '../domain/platform-tally.js';
import { MOST_EXACT_OF_ANSWER } from '../domain/platforms/platform-answer.js';
import { LONGEST_SAT_OUT, waitAfterFailure, waitAfterRefusal } from '../domain/platform-waits.js';
import { afterStatus, type Attempt, BROKEN_OFF, unaccepted, unreached } from './call-outcome.js';
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
const MOST_REPEATS = 5;
const MOST_DOWNLOAD_REPEATS = 3;
/** Total milliseconds that a time slice spends in waits. */
const SAT_OUT_IN_A_TURN = 2 * LONGEST_SAT_OUT;
/** Maximum length of a download's name, in characters. */
const LONGEST_NAME = 255;

/** What a header may contain. A key with other characters is invalid. */
const HEADER = /^[\x20-\x7e]*$/;

export interface PlatformCallsFacts {
  readonly scope: TenantScope;
  readonly job: Pick<ImportJob, 'id' | 'createdBy'>;
  /** Origin that replaces the platform's own. */
  readonly baseUrl: string | undefined;
  /** The host of that origin. */
  readonly allowed: AllowedHosts;
  readonly tally: PlatformTally;
  /** Ends the time slice: calls under way are aborted. */
  readonly signal: AbortSignal;
}

export class PlatformCalls implements SourceCalls {
  readonly signal: AbortSignal;
  /** Origins to which keys are sent. */
  private readonly homes = new Set<string>();
  private satOut = 0;

  constructor(
    private readonly outbound: GuardedFetch,
    private readonly files: Pick<ImportFiles, 'store' | 'read' | 'sizeOf'>,
    private readonly clock: Clock,
    private readonly facts: PlatformCallsFacts,
  ) {
    this.signal = facts.signal;
  }

  baseUrl(own: string): string {
    const { origin, pathname } = new URL(own);
    const home = this.facts.baseUrl ?? origin;
    this.homes.add(home);
    return `${home}${pathname.replace(/\/+$/, '')}`;
  }

  call(call: SourceCall): Promise<SourceAnswer> {
    return this.repeated(MOST_REPEATS, () => this.ask(call));
  }

  json(call: SourceCall): Promise<unknown> {
    return this.repeated(MOST_REPEATS, async () => {
      const asked = await this.ask(call);
      if (!('result' in asked)) return asked;
      try {
        return { result: parseJson(asked.result.body.toString('utf8'), MOST_EXACT_OF_ANSWER) };
      } catch {
        // Waiting times in such an answer are ignored: the next time slice would start with the previous call.
        return { failure: BROKEN_OFF, headers: {} };
      }
    });
  }

  download(url: string, name: string): Promise<string> {
    return this.repeated(MOST_DOWNLOAD_REPEATS, () => this.fetchFile(url, name.slice(0, LONGEST_NAME)));
  }

  read(fileId: string, offset: number): AsyncIterable<Buffer> {
    return this.files.read(this.facts.scope, fileId, offset);
  }

  sizeOf(fileId: string): Promise<number> {
    return this.files.sizeOf(this.facts.scope, fileId);
  }

  /** Retries until there is a result, with waits in between. */
  private async repeated<Result>(most: number, attempt: () => Promise<Attempt<Result>>): Promise<Result> {
    const { tally } = this.facts;
    for (;;) {
      // Another call of the job may have been rate-limited meanwhile.
      await this.pause(tally.heldUntil.getTime() - this.clock.now().getTime());
      const tried = await attempt();
      const now = this.clock.now();
      if ('result' in tried) {
        tally.refusals = 0;
        tally.failures = 0;
        return tried.result;
      }
      if ('refusal' in tried) {
        const until = now.getTime() + waitAfterRefusal(tried.refusal, ++tally.refusals, now);
        tally.heldUntil = new Date(Math.max(until, tally.heldUntil.getTime()));
        continue;
      }
      if (++tally.failures > most) {
        tally.failures = 0;
        throw new SourceFailure('platform_unavailable', tried.failure);
      }
      await this.pause(waitAfterFailure(tried.headers, tally.failures, now));
    }
  }

  /** @throws ComeBackLater if the wait, or the sum of waits, is too long; the signal's reason if it ends the wait. */
  private async pause(milliseconds: number): Promise<void> {
    this.signal.throwIfAborted();
    if (milliseconds <= 0) return;
    this.satOut += milliseconds;
    if (milliseconds > LONGEST_SAT_OUT || this.satOut > SAT_OUT_IN_A_TURN)
      throw new ComeBackLater(milliseconds);
    await this.clock.sleepUntil(new Date(this.clock.now().getTime() + milliseconds), this.signal);
    this.signal.throwIfAborted();
  }

  private async ask({ method, url, headers, body }: SourceCall): Promise<Attempt<SourceAnswer>> {
    const { scope, allowed, tally } = this.facts;
    const isHome = this.homes.has(originOf(url));
    if (isHome && !Object.values(headers).every((value) => HEADER.test(value))) throw unaccepted();
    tally.countRequest();
    const answered = await this.unlessUnreached(() =>
      this.outbound.fetch(
        scope.workspaceId,
        {
          ...CALL,
          ...{ address: url, method, allowed, work: 'calls', isKept: true },
          ...(isHome && { headers }),
          ...(headers.accept !== undefined && { accept: headers.accept }),
          ...(body !== undefined && { body: Buffer.from(body) }),
        },
        this.signal,
        (pieces) => whole(this.counted(pieces)),
      ),
    );
    if (!('result' in answered)) return answered;
    const { status, address, headers: said, body: bytes } = answered.result;
    const again = afterStatus(status, said);
    if (again) return again;
    // A redirect target has not received the key, so its 401 or 403 does not mean that the key is refused.
    const isKeyRefused = isHome && originOf(address) === originOf(url) && (status === 401 || status === 403);
    if (isKeyRefused) throw unaccepted();
    if (status >= 300 && status < 400)
      throw new SourceFailure('platform_unavailable', `The platform answered with status ${status}.`);
    return { result: { status, headers: said, body: bytes } };
  }

  private async fetchFile(url: string, name: string): Promise<Attempt<string>> {
    const { scope, job, allowed, tally } = this.facts;
    const file = { name, jobId: job.id, createdBy: job.createdBy };
    tally.countRequest();
    const fetched = await this.unlessUnreached(() =>
      this.outbound.fetch(
        scope.workspaceId,
        { ...DOWNLOAD, address: url, allowed, work: 'downloads' },
        this.signal,
        async (pieces, { status }) => {
          if (status !== 200) return null;
          tally.countDownload();
          return this.orWithRoom(this.files.store(scope, file, this.counted(pieces)));
        },
      ),
    );
    if (!('result' in fetched)) return fetched;
    const { status, headers, body: fileId } = fetched.result;
    if (fileId !== null) return { result: fileId };
    const again = afterStatus(status, headers);
    if (again) return again;
    // Stores have many ways to report that a file does not exist, or no longer.
    if (status >= 400) throw new DownloadMissing(status);
    throw new SourceFailure('platform_unavailable', `The platform's download returned status ${status}.`);
  }

  /** @throws ComeBackLater if there is currently no space for files of migrations. */
  private async orWithRoom<Result>(stored: Promise<Result>): Promise<Result> {
    try {
      return await stored;
    } catch (error) {
      const isFull = error instanceof DomainError && error.code === 'service_unavailable';
      throw isFull ? new ComeBackLater((error.fields.retry_after ?? 0) * SECOND) : error;
    }
  }

  private async *counted(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      this.facts.tally.countBytes(piece.length);
      yield piece;
    }
  }

  private async unlessUnreached<Result>(fetch: () => Promise<Result>): Promise<Attempt<Result>> {
    try {
      return { result: await fetch() };
    } catch (error) {
      this.signal.throwIfAborted();
      if (!(error instanceof OutboundError)) throw error;
      // The error may name addresses that contain secrets. It is neither passed on nor set as a cause.
      return unreached(error.reason);
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
