/** Reads the ES256 keys of an identity provider's published key set (RFC 7517), and no others. */
import { exportSPKI, importJWK, type JWK } from 'jose';

const FETCH_TIMEOUT_MS = 5_000;

/**
 * Fetches the set.
 * @returns public keys in PEM, by key id.
 * @throws Error if the set is unavailable, is no key set, or contains no usable key.
 */
export async function fetchPublishedKeys(url: string): Promise<ReadonlyMap<string, string>> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`The key set endpoint answered with status ${response.status}.`);
  }
  const body = (await response.json()) as { readonly keys?: unknown } | null;
  if (!Array.isArray(body?.keys)) throw new Error('The key set is invalid: it contains no list of keys.');
  const keys = await publicKeysOf(body.keys as readonly JWK[]);
  if (keys.size === 0) throw new Error('The key set contains no ES256 key.');
  return keys;
}

/** The ES256 signature keys of a set in PEM, by key id. Leaves out keys that cannot be read. */
export async function publicKeysOf(keys: readonly JWK[]): Promise<ReadonlyMap<string, string>> {
  const usable = keys.filter(
    (key) =>
      typeof key === 'object' &&
      key !== null &&
      typeof key.kid === 'string' &&
      key.kty === 'EC' &&
      key.crv === 'P-256' &&
      (key.alg === undefined || key.alg === 'ES256') &&
      (key.use === undefined || key.use === 'sig'),
  );
  const read = await Promise.allSettled(
    usable.map(async (key) => [String(key.kid), await pemOf(key)] as const),
  );
  return new Map(read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])));
}

async function pemOf({ kty, crv, x, y }: JWK): Promise<string> {
  // Only the public parts, in case the set contains more.
  const key = await importJWK({ kty, crv, x, y } as JWK, 'ES256', { extractable: true });
  if (key instanceof Uint8Array) throw new TypeError('An elliptic-curve key was read as a secret.');
  return exportSPKI(key);
}
