/**
 * What is kept of names that refused mail: keyed hashes, which outlive an erasure and tell nobody who it was. The keys
 * are derived from ENCRYPTION_KEY: the first one stores, every one finds.
 */
import { createHmac, createSecretKey, type Hmac, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { deriveKey } from '../../../platform/crypto/derived-key.js';
import type { RefusableName } from '../domain/refusal.js';

/** What the keys of refusals are derived for; the migration that filled the first of them derives the same. */
export const REFUSALS_PURPOSE = 'refusals';

@Injectable()
export class RefusalDigests {
  private readonly keys: readonly KeyObject[];

  constructor(@Inject(RUNTIME_CONFIG) config: RuntimeConfig) {
    this.keys = config.encryptionKeys.map((secret) => createSecretKey(deriveKey(secret, REFUSALS_PURPOSE)));
  }

  /** The digest of 32 bytes under which a name is stored. Another tenant's digest of the same name is unrelated. */
  toStore(scope: TenantScope, name: RefusableName): Buffer {
    return hmacOf(this.first, scope, name).digest();
  }

  /** Every digest under which a name may have been stored, in hexadecimal digits. */
  toFind(scope: TenantScope, name: RefusableName): string[] {
    return this.keys.map((key) => hmacOf(key, scope, name).digest('hex'));
  }

  /** What the keys are recognised by, the first one's first; says nothing about them. */
  fingerprints(): Buffer[] {
    return this.keys.map((key) => createHmac('sha256', key).update('fingerprint').digest().subarray(0, 8));
  }

  private get first(): KeyObject {
    const [first] = this.keys;
    if (!first) throw new TypeError('No key is configured for opt-outs.');
    return first;
  }
}

function hmacOf(key: KeyObject, scope: TenantScope, { kind, text }: RefusableName): Hmac {
  return createHmac('sha256', key).update(`${scope.workspaceId}\n${scope.environment}\n${kind}\n${text}`);
}
