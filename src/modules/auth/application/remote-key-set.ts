/**
 * An identity provider's key set as section 5 requires it: cached for six hours, with one fetch for concurrent
 * callers, and fetched again for an unknown key id, at most once in 30 s. A circuit breaker protects a provider that
 * is down: it opens after 5 failures and tries again after 30 s. An outage shorter than the keys' six hours has no
 * effect; after that, the answer is 503 `auth_unavailable`.
 */
import CircuitBreaker from 'opossum';
import { DomainError } from '../../../kernel/domain-error.js';
import { KeySet, pick, type TokenClaims } from './key-set.port.js';

const FRESH = 6 * 3_600_000;
const REFETCH_PAUSE = 30_000;
const BREAK_AFTER_FAILURES = 5;
const BREAK_FOR = 30_000;
/** The period over which failures are counted. */
const FAILURE_MEMORY = 600_000;
/** The value of Retry-After, in seconds, if one fetch has failed and the breaker is closed. */
const RETRY_SOON = 2;

type Keys = ReadonlyMap<string, string>;

export class RemoteKeySet extends KeySet {
  private keys: { readonly set: Keys; readonly fetchedAt: number } | undefined;
  private fetching: Promise<Keys> | undefined;
  private lastRefetch = Number.NEGATIVE_INFINITY;
  private lastFetchFailed = false;
  private openedAt = 0;
  private readonly breaker: CircuitBreaker<[], Keys>;

  /**
   * @param fetchKeys fetches the set; see fetchPublishedKeys.
   * @param now real time in milliseconds.
   */
  constructor(
    readonly claims: TokenClaims,
    fetchKeys: () => Promise<Keys>,
    private readonly now: () => number = Date.now,
  ) {
    super();
    this.breaker = new CircuitBreaker(fetchKeys, {
      // The fetch has its own timeout, which also aborts it.
      timeout: false,
      volumeThreshold: BREAK_AFTER_FAILURES,
      errorThresholdPercentage: 50,
      rollingCountTimeout: FAILURE_MEMORY,
      rollingPercentilesEnabled: false,
      resetTimeout: BREAK_FOR,
    });
    this.breaker.on('open', () => (this.openedAt = this.now()));
  }

  override async keyOf(keyId: string | undefined): Promise<string | undefined> {
    const { held } = this;
    if (!held) return pick(await this.fetch(), keyId);
    const key = pick(held, keyId);
    if (key !== undefined) return key;
    if (!this.fetching && this.now() - this.lastRefetch < REFETCH_PAUSE) {
      // While the provider is down, it is unknown whether the key exists.
      if (this.lastFetchFailed) throw this.unavailable();
      return undefined;
    }
    this.lastRefetch = this.now();
    return pick(await this.fetch(), keyId);
  }

  override heldKeyOf(keyId: string | undefined): string | undefined {
    return this.held && pick(this.held, keyId);
  }

  override close(): void {
    this.breaker.shutdown();
  }

  private get held(): Keys | undefined {
    return this.keys && this.now() - this.keys.fetchedAt < FRESH ? this.keys.set : undefined;
  }

  private fetch(): Promise<Keys> {
    this.fetching ??= this.fetchOnce().finally(() => (this.fetching = undefined));
    return this.fetching;
  }

  private async fetchOnce(): Promise<Keys> {
    // Checked first, since the breaker would count the calls that it rejects.
    if (this.breaker.opened) throw this.unavailable();
    try {
      const set = await this.breaker.fire();
      this.keys = { set, fetchedAt: this.now() };
      this.lastFetchFailed = false;
      return set;
    } catch (error) {
      this.lastFetchFailed = true;
      throw this.unavailable(error);
    }
  }

  private unavailable(cause?: unknown): DomainError {
    const wait = this.breaker.opened
      ? Math.max(1, Math.ceil((this.openedAt + BREAK_FOR - this.now()) / 1_000))
      : RETRY_SOON;
    const error = new DomainError(
      'auth_unavailable',
      'The key set of the identity provider is unavailable: try again later.',
      {
        retry_after: wait,
      },
    );
    if (cause !== undefined) error.cause = cause;
    return error;
  }
}
