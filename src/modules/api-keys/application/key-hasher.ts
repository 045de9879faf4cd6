/** The only form in which API keys are kept: a digest that is of no use without the installation's secret. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { deriveKey } from '../../../platform/crypto/derived-key.js';

@Injectable()
export class KeyHasher {
  private readonly key: KeyObject;

  constructor(@Inject(RUNTIME_CONFIG) config: RuntimeConfig) {
    this.key = createSecretKey(deriveKey(config.tokenSecret, 'api-key-hash'));
  }

  /** HMAC-SHA256 of a key as hexadecimal digits. */
  hash(key: string): string {
    return createHmac('sha256', this.key).update(key).digest('hex');
  }
}
