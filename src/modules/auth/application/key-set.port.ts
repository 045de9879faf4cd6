/** Where the public keys of dashboard tokens come from: an identity provider's published set, or the local issuer. */

/** What a dashboard token must carry. */
export interface TokenClaims {
  readonly issuer: string;
  readonly audience: string;
}

export abstract class KeySet {
  abstract readonly claims: TokenClaims;

  /**
   * The public key of that id in PEM; undefined when the set, as it stands now, has none.
   * @param keyId undefined when the token names none; then a set of one key answers.
   * @throws DomainError auth_unavailable when the set cannot be had now.
   */
  abstract keyOf(keyId: string | undefined): Promise<string | undefined>;

  /** As `keyOf`, of what is at hand: nobody is asked. */
  abstract heldKeyOf(keyId: string | undefined): string | undefined;

  /** Ends what runs in the background. */
  close(): void {
    // Most sets have nothing running.
  }
}

/** The key of that id, or the only one where no id is given. */
export function pick(keys: ReadonlyMap<string, string>, keyId: string | undefined): string | undefined {
  if (keyId !== undefined) return keys.get(keyId);
  return keys.size === 1 ? [...keys.values()][0] : undefined;
}
