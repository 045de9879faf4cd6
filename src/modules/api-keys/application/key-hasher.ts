/**
 * The only form in which API keys are kept: a digest that is of no use without the installation's secret. The first of
 * API_KEY_SECRET makes the digest; keys that were stored under a later one, or under TOKEN_SECRET as the first release
 * did, are still recognised.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { deriveKey } from '../../../platform/crypto/derived-key.js';

/** Keys whose digests are kept in this process's memory, since they come with every request. */
const MOST_KNOWN = 1_000;

@Injectable()
export class KeyHasher {
  private readonly secrets: readonly KeyObject[];
  private readonly known = new LRUCache<string, readonly string[]>({ max: MOST_KNOWN });

  constructor(
    @Inject(RUNTIME_CONFIG)
    { apiKeySecrets, tokenSecrets }: Pick<RuntimeConfig, 'apiKeySecrets' | 'tokenSecrets'>,
  ) {
    this.secrets = [...new Set([...apiKeySecrets, ...tokenSecrets])].map((secret) =>
      createSecretKey(deriveKey(secret, 'api-key-hash')),
    );
  }

  /** HMAC-SHA256 of a key as hexadecimal digits, as it is stored from now on. */
  hash(key: string): string {
    return this.digestsOf(key)[0] ?? '';
  }

  /** Every digest under which a key may be stored, the present one first. */
  digestsOf(key: string): readonly string[] {
    let digests = this.known.get(key);
    if (!digests) {
      digests = this.secrets.map((secret) => createHmac('sha256', secret).update(key).digest('hex'));
      this.known.set(key, digests);
    }
    return digests;
  }
}
