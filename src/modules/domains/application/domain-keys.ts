/**
 * Creates keys that sign mail (RFC 6376, RSA of 2048 bits), and keeps their private halves sealed under ENCRYPTION_KEY.
 */
import {
  createPrivateKey,
  generateKeyPair as generateKeyPairWithCallback,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { promisify } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { BrokenSeal, Seal } from '../../../platform/crypto/seal.js';
import type { KeyRole } from '../domain/sending-domain.js';
import type { StoredKey } from '../persistence/sending-domain.repository.js';

/** Receivers must accept 2048 bits, and a longer key does not fit into one DNS answer. */
const KEY_BITS = 2_048;

const generateKeyPair = promisify(generateKeyPairWithCallback);

/** The two halves of a key in base64, and the selector under which its record is published. */
export interface NewKey {
  /** SubjectPublicKeyInfo. */
  readonly publicKey: string;
  /** PKCS#8. */
  readonly privateKey: string;
  readonly selector: string;
}

/** Creates a new key, on a thread of Node's pool. */
export async function makeKey(): Promise<NewKey> {
  const { publicKey, privateKey } = await generateKeyPair('rsa', { modulusLength: KEY_BITS });
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    // Unlike the selector of any other key of the domain, including keys that another workspace has created for it.
    selector: `w${randomBytes(6).toString('hex')}`,
  };
}

@Injectable()
export class DomainKeys {
  private readonly seal: Seal;

  constructor(@Inject(RUNTIME_CONFIG) config: RuntimeConfig) {
    this.seal = new Seal(config.encryptionKeys, 'dkim keys');
  }

  /** A new key as it is stored. */
  sealed(
    scope: WorkspaceScope,
    { publicKey, privateKey, selector }: NewKey,
    { domainId, role, now }: { readonly domainId: string; readonly role: KeyRole; readonly now: Date },
  ): StoredKey {
    const id = uuidv7(now.getTime());
    const sealedPrivateKey = this.seal.seal(privateKey, sealContextOf(scope, id));
    return { id, domainId, selector, publicKey, sealedPrivateKey, role, retireAt: null, createdAt: now };
  }

  /**
   * The private half of a key.
   * @throws BrokenSeal
   */
  open(scope: WorkspaceScope, { id, sealedPrivateKey }: StoredKey): KeyObject {
    const der = Buffer.from(this.seal.open(sealedPrivateKey, sealContextOf(scope, id)), 'base64');
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  }

  /**
   * The key sealed under the first secret; `current` if it is already, `unreadable` if no configured secret opens it.
   */
  reseal(scope: WorkspaceScope, key: StoredKey): StoredKey | 'current' | 'unreadable' {
    if (this.seal.isCurrent(key.sealedPrivateKey)) return 'current';
    const context = sealContextOf(scope, key.id);
    try {
      return {
        ...key,
        sealedPrivateKey: this.seal.seal(this.seal.open(key.sealedPrivateKey, context), context),
      };
    } catch (error) {
      if (error instanceof BrokenSeal) return 'unreadable';
      throw error;
    }
  }
}

/** The context of the seal: a sealed key opens only in its own row. */
function sealContextOf({ workspaceId }: WorkspaceScope, id: string): string {
  return `${workspaceId} ${id}`;
}
