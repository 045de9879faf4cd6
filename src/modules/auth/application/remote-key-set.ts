/**
 * An identity provider's key set as section 5 requires it: cached for six hours, with one fetch for concurrent
 * callers, and fetched again for an unknown key id, at most once in 30 s. A circuit breaker protects a provider that
 * is down: it opens after 5 failures and tries again after 30 s. An outage shorter than the keys' six hours has no
 * effect; after that, the answer is 503 `auth_unavailable`.
 */
import CircuitBreaker from 'opossum';
import { DomainError } from '../../../kernel/domain-error.js';
import { KeySet, selectKey, type TokenClaims } from './key-set.port.js';

const CACHE_TTL_MS = 6 * 3_600_000;
const REFETCH_DELAY_MS = 30_000;
const BREAKER_FAILURE_THRESHOLD = 5;
const BREAKER_RESET_MS = 30_000;
/** The period over which failures are counted. */
const FAILURE_WINDOW_MS = 600_000;
/** The value of Retry-After, in seconds, if one fetch has failed and the breaker is closed. */
const RETRY_AFTER_SECONDS = 2;

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
      volumeThreshold: BREAKER_FAILURE_THRESHOLD,
      errorThresholdPercentage: 50,
      rollingCountTimeout: FAILURE_WINDOW_MS,
      rollingPercentilesEnabled: false,
      resetTimeout: BREAKER_RESET_MS,
    });
    this.breaker.on('open', () => (this.openedAt = this.now()));
  }

  override async keyOf(keyId: string | undefined): Promise<string | undefined> {
    const { cachedKeys } = this;
    if (!cachedKeys) return selectKey(await this.fetch(), keyId);
    const key = selectKey(cachedKeys, keyId);
    if (key !== undefined) return key;
    if (!this.fetching && this.now() - this.lastRefetch < REFETCH_DELAY_MS) {
      // While the provider is down, it is unknown whether the key exists.
      if (this.lastFetchFailed) throw this.unavailable();
      return undefined;
    }
    this.lastRefetch = this.now();
    return selectKey(await this.fetch(), keyId);
  }

  override cachedKeyOf(keyId: string | undefined): string | undefined {
    return this.cachedKeys && selectKey(this.cachedKeys, keyId);
  }

  override close(): void {
    this.breaker.shutdown();
  }

  private get cachedKeys(): Keys | undefined {
    return this.keys && this.now() - this.keys.fetchedAt < CACHE_TTL_MS ? this.keys.set : undefined;
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
    const retryAfter = this.breaker.opened
      ? Math.max(1, Math.ceil((this.openedAt + BREAKER_RESET_MS - this.now()) / 1_000))
      : RETRY_AFTER_SECONDS;
    const error = new DomainError(
      'auth_unavailable',
      'The key set of the identity provider is unavailable: try again later.',
      {
        retry_after: retryAfter,
      },
    );
    if (cause !== undefined) error.cause = cause;
    return error;
  }
}
