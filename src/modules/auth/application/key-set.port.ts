/**
 * The source of the public keys for dashboard tokens: an identity provider's published key set, or the local issuer.
 */

/** What a dashboard token must contain. */
export interface TokenClaims {
  readonly issuer: string;
  readonly audience: string;
}

export abstract class KeySet {
  abstract readonly claims: TokenClaims;

  /**
   * The public key with that id in PEM; undefined if the current set has none.
   * @param keyId undefined if the token names none; then the key of a set with only one key is returned.
   * @throws DomainError auth_unavailable if the set is currently unavailable.
   */
  abstract keyOf(keyId: string | undefined): Promise<string | undefined>;

  /** As `keyOf`, from the cached keys only, without a request. */
  abstract cachedKeyOf(keyId: string | undefined): string | undefined;

  /** Stops background work. */
  close(): void {
    // Most implementations have none.
  }
}

/** The key with that id, or the only key if no id is given. */
export function selectKey(keys: ReadonlyMap<string, string>, keyId: string | undefined): string | undefined {
  if (keyId !== undefined) return keys.get(keyId);
  return keys.size === 1 ? [...keys.values()][0] : undefined;
}
