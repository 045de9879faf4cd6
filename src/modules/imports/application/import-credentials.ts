/** What a job reads a platform with, sealed for that job alone (AES-256-GCM under ENCRYPTION_KEY), section 3.6. */
import { Inject, Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { BrokenSeal, Seal } from '../../../platform/crypto/seal.js';
import type { Credentials } from '../domain/platform.js';

@Injectable()
export class ImportCredentials {
  private readonly kept: Seal;

  constructor(@Inject(RUNTIME_CONFIG) config: RuntimeConfig) {
    this.kept = new Seal(config.encryptionKeys, 'import credentials');
  }

  /** The credentials as they are stored with the job. */
  seal(scope: WorkspaceScope, jobId: string, credentials: Credentials): string {
    return this.kept.seal(JSON.stringify(credentials), placeOf(scope, jobId));
  }

  /**
   * The credentials of a job.
   * @throws BrokenSeal where they were changed, are another job's, or their key is not given any more.
   */
  open(scope: WorkspaceScope, jobId: string, sealed: string): Credentials {
    return JSON.parse(this.kept.open(sealed, placeOf(scope, jobId))) as Credentials;
  }

  /** The same sealed under the first key, unless it is so already or no given key opens it. */
  resealed(
    scope: WorkspaceScope,
    jobId: string,
    sealed: string,
  ): { readonly sealed: string } | 'current' | 'unreadable' {
    if (this.kept.isCurrent(sealed)) return 'current';
    try {
      return { sealed: this.seal(scope, jobId, this.open(scope, jobId, sealed)) };
    } catch (error) {
      if (error instanceof BrokenSeal) return 'unreadable';
      throw error;
    }
  }
}

/** They open in their own job alone. */
function placeOf({ workspaceId }: WorkspaceScope, jobId: string): string {
  return `${workspaceId} ${jobId}`;
}
