/**
 * Hashes API keys for storage. The digest is useless without the installation's secret. The first API_KEY_SECRET makes
 * the digest; keys stored under a later one, or under TOKEN_SECRET as in the first release, are still recognised.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { deriveKey } from '../../../platform/crypto/derived-key.js';

/** Maximum keys whose digests are cached, because a key comes with every request. */
const MAX_CACHED_KEYS = 1_000;

@Injectable()
export class KeyHasher {
  private readonly secrets: readonly KeyObject[];
  private readonly digestCache = new LRUCache<string, readonly string[]>({ max: MAX_CACHED_KEYS });

  constructor(
    @Inject(RUNTIME_CONFIG)
    { apiKeySecrets, tokenSecrets }: Pick<RuntimeConfig, 'apiKeySecrets' | 'tokenSecrets'>,
  ) {
    this.secrets = [...new Set([...apiKeySecrets, ...tokenSecrets])].map((secret) =>
      createSecretKey(deriveKey(secret, 'api-key-hash')),
    );
  }

  /** The HMAC-SHA256 of a key in hexadecimal, for storage. */
  hash(key: string): string {
    return this.digestsOf(key)[0] ?? '';
  }

  /** All digests that a key may be stored under, the current one first. */
  digestsOf(key: string): readonly string[] {
    let digests = this.digestCache.get(key);
    if (!digests) {
      digests = this.secrets.map((secret) => createHmac('sha256', secret).update(key).digest('hex'));
      this.digestCache.set(key, digests);
    }
    return digests;
  }
}
