/**
 * Keyed hashes of the identifiers and addresses that have opted out. They outlive an erasure and do not reveal the
 * person. The keys are derived from ENCRYPTION_KEY: the first key stores, all keys find.
 */
import { createHmac, createSecretKey, type Hmac, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { deriveKey } from '../../../platform/crypto/derived-key.js';
import type { OptOutName } from '../domain/opt-out.js';

/** Purpose of the derived keys of opt-outs; the migration that filled the first of them derives the same keys. */
export const OPT_OUT_KEY_PURPOSE = 'refusals';

@Injectable()
export class OptOutDigests {
  private readonly keys: readonly KeyObject[];

  constructor(@Inject(RUNTIME_CONFIG) config: RuntimeConfig) {
    this.keys = config.encryptionKeys.map((secret) =>
      createSecretKey(deriveKey(secret, OPT_OUT_KEY_PURPOSE)),
    );
  }

  /** The digest of 32 bytes under which a name is stored. Digests of the same name differ between tenants. */
  toStore(scope: TenantScope, name: OptOutName): Buffer {
    return hmacOf(this.first, scope, name).digest();
  }

  /** Every digest under which a name may have been stored, in hexadecimal. */
  toFind(scope: TenantScope, name: OptOutName): string[] {
    return this.keys.map((key) => hmacOf(key, scope, name).digest('hex'));
  }

  /** Fingerprints that identify the keys, in the order of the keys; they reveal nothing about the keys. */
  fingerprints(): Buffer[] {
    return this.keys.map((key) => createHmac('sha256', key).update('fingerprint').digest().subarray(0, 8));
  }

  private get first(): KeyObject {
    const [first] = this.keys;
    if (!first) throw new TypeError('No key is configured for opt-outs.');
    return first;
  }
}

function hmacOf(key: KeyObject, scope: TenantScope, { kind, text }: OptOutName): Hmac {
  return createHmac('sha256', key).update(`${scope.workspaceId}\n${scope.environment}\n${kind}\n${text}`);
}
