/**
 * Calls of a platform for a job, under gate S9: only the platform's own host, the operator's in its place, or public hosts
 * are reached. What fails is repeated with growing waits and a few times; 429 is waited for however often it comes, and a long
 * wait gives the job's turn back. Keys go to the platform's base URL alone, and nothing that may hold one (addresses,
 * headers, texts of answers) is told in errors.
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

/** Of one call, redirects and body too: milliseconds and bytes. */
const CALL = { milliseconds: 60_000, mostBytes: 33_554_432, mostRedirects: 5 } as const;
/** Of one download: milliseconds in all and in which nothing comes, and bytes. */
const DOWNLOAD = {
  milliseconds: 3_600_000,
  mostSilence: 60_000,
  mostBytes: 2_147_483_648,
  mostRedirects: 5,
} as const;
/** How often one call, and one download, is repeated after failures, in however many turns. */
const MOST_REPEATS = 5;
const MOST_DOWNLOAD_REPEATS = 3;
/** Milliseconds of waits that a turn sits out in all. */
const SAT_OUT_IN_A_TURN = 2 * LONGEST_SAT_OUT;
/** Characters of a download's name. */
const LONGEST_NAME = 255;

/** What a header may hold: a key with anything else is none. */
const HEADER = /^[\x20-\x7e]*$/;

export interface PlatformCallsFacts {
  readonly scope: TenantScope;
  readonly job: Pick<ImportJob, 'id' | 'createdBy'>;
  /** Origin that takes the place of the platform's own. */
  readonly baseUrl: string | undefined;
  /** The host of that origin. */
  readonly allowed: AllowedHosts;
  readonly tally: PlatformTally;
  /** Ends the turn: calls under way are aborted. */
  readonly signal: AbortSignal;
}

export class PlatformCalls implements SourceCalls {
  readonly signal: AbortSignal;
  /** Origins to which keys go. */
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
        // Whatever such an answer says of waiting: the next turn would begin with the call that came before it.
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

  /** Tries until there is a result, with waits between. */
  private async repeated<Result>(most: number, attempt: () => Promise<Attempt<Result>>): Promise<Result> {
    const { tally } = this.facts;
    for (;;) {
      // Another call of the job may have been refused meanwhile.
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

  /** @throws ComeBackLater where the wait is long, or waits are; the signal's reason when it ends the wait. */
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
    // Whoever it redirects to has not seen the key, and cannot refuse it.
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
    // Stores say in many ways that they do not have a file, or not any more.
    if (status >= 400) throw new DownloadMissing(status);
    throw new SourceFailure('platform_unavailable', `The platform's download returned status ${status}.`);
  }

  /** @throws ComeBackLater where files of migrations have no room now. */
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
      // It may name addresses, with what is secret in them: it is neither passed on nor told as a cause.
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
