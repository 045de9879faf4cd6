/** Reseals the credentials of migrations under the current key, so that an old secret can be retired. */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { ImportWorkRepository } from '../persistence/import-work.repository.js';
import { ImportCredentials } from './import-credentials.js';

export interface ResealedCredentials {
  /** Jobs that have credentials, under whichever key. */
  readonly sealed: number;
  /** Those of them that were resealed under the first key just now. */
  readonly resealed: number;
  /** The ids of jobs whose credentials no given key opens. */
  readonly unreadable: readonly string[];
}

@Injectable()
export class CredentialResealing {
  constructor(
    private readonly database: Database,
    private readonly work: ImportWorkRepository,
    private readonly credentials: ImportCredentials,
  ) {}

  /** Reseals the credentials of every job that waits or runs, in one transaction per tenant. */
  async resealAll(): Promise<ResealedCredentials> {
    let [sealed, resealed] = [0, 0];
    const unreadable: string[] = [];
    for (const scope of await this.work.tenants()) {
      await this.database.inScope(scope, async (tx) => {
        for (const { id, credentials } of await this.work.lockSealed(tx, scope)) {
          sealed++;
          const result = this.credentials.resealed(scope, id, credentials);
          if (result === 'unreadable') unreadable.push(id);
          if (typeof result === 'string') continue;
          await this.work.storeSeal(tx, scope, id, result.sealed);
          resealed++;
        }
      });
    }
    return { sealed, resealed, unreadable };
  }
}
