/** The only form in which API keys are kept: a digest that is of no use without the installation's secret. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { deriveKey } from '../../../platform/crypto/derived-key.js';

/** Keys whose digest is kept in this process's memory. */
const MOST_KNOWN = 1_000;

@Injectable()
export class KeyHasher {
  private readonly key: KeyObject;
  private readonly known = new LRUCache<string, string>({ max: MOST_KNOWN });

  constructor(@Inject(RUNTIME_CONFIG) config: RuntimeConfig) {
    this.key = createSecretKey(deriveKey(config.tokenSecret, 'api-key-hash'));
  }

  /** HMAC-SHA256 of a key as hexadecimal digits. Keys in use are remembered, since they come with every request. */
  hash(key: string): string {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const digest = createHmac('sha256', this.key).update(key).digest('hex');
    this.known.set(key, digest);
    return digest;
  }
}
