/**
 * Seals the credentials with which a job reads a platform, for that job alone (AES-256-GCM under ENCRYPTION_KEY),
 * section 3.6.
 */
import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { deriveKey } from '../../../platform/crypto/derived-key.js';
import { BrokenSeal, Seal } from '../../../platform/crypto/seal.js';
import type { Credentials, Platform } from '../domain/platform.js';

@Injectable()
export class ImportCredentials {
  private readonly sealer: Seal;
  private readonly secrets: readonly Buffer[];

  constructor(@Inject(RUNTIME_CONFIG) config: RuntimeConfig) {
    this.sealer = new Seal(config.encryptionKeys, 'import credentials');
    this.secrets = config.encryptionKeys.map((secret) => deriveKey(secret, 'import accounts'));
  }

  /** The credentials in the form that is stored with the job. */
  seal(scope: WorkspaceScope, jobId: string, credentials: Credentials): string {
    return this.sealer.seal(JSON.stringify(credentials), sealContext(scope, jobId));
  }

  /**
   * The credentials of a job.
   * @throws BrokenSeal if they were changed, belong to another job, or their key is no longer configured.
   */
  open(scope: WorkspaceScope, jobId: string, sealed: string): Credentials {
    return JSON.parse(this.sealer.open(sealed, sealContext(scope, jobId))) as Credentials;
  }

  /**
   * Digests of a job's credentials, one per configured key, the first key's first. They show whether the credentials
   * are the same, within this job only, and reveal nothing else. None for a file.
   */
  accountsOf(
    scope: WorkspaceScope,
    { id, platform }: { readonly id: string; readonly platform: Platform },
    { appId, apiKey, extra }: Credentials,
  ): readonly string[] {
    if (platform === 'file') return [];
    const members = Object.entries(extra).sort(([a], [b]) => (a < b ? -1 : 1));
    const text = JSON.stringify([sealContext(scope, id), platform, appId, apiKey, members]);
    return this.secrets.map((secret) => createHmac('sha256', secret).update(text).digest('base64url'));
  }

  /** The same credentials sealed under the first key, unless they already are or no configured key opens them. */
  resealed(
    scope: WorkspaceScope,
    jobId: string,
    sealed: string,
  ): { readonly sealed: string } | 'current' | 'unreadable' {
    if (this.sealer.isCurrent(sealed)) return 'current';
    try {
      return { sealed: this.seal(scope, jobId, this.open(scope, jobId, sealed)) };
    } catch (error) {
      if (error instanceof BrokenSeal) return 'unreadable';
      throw error;
    }
  }
}

/** The context of the seal: credentials can only be opened for their own job. */
function sealContext({ workspaceId }: WorkspaceScope, jobId: string): string {
  return `${workspaceId} ${jobId}`;
}
