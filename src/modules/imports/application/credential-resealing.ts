/** Has no credentials of a migration depend for long on a secret that is to be given up. */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { ImportWorkRepository } from '../persistence/import-work.repository.js';
import { ImportCredentials } from './import-credentials.js';

export interface ResealedCredentials {
  /** Jobs that have credentials, however they are sealed. */
  readonly sealed: number;
  /** Those of them that are sealed under the first key since now. */
  readonly resealed: number;
  /** The ids of those that no given key opens. */
  readonly unreadable: readonly string[];
}

@Injectable()
export class CredentialResealing {
  constructor(
    private readonly database: Database,
    private readonly work: ImportWorkRepository,
    private readonly credentials: ImportCredentials,
  ) {}

  /** Seals the credentials of every job that waits or runs, each tenant in a transaction of its own. */
  async resealAll(): Promise<ResealedCredentials> {
    let [sealed, resealed] = [0, 0];
    const unreadable: string[] = [];
    // Whoever has a job to forget too is named twice.
    const tenants = new Map(
      (await this.work.due()).map((each) => [`${each.workspace_id} ${each.environment}`, each]),
    );
    for (const { workspace_id: workspaceId, environment } of tenants.values()) {
      const scope = { workspaceId, environment };
      await this.database.inScope(scope, async (tx) => {
        for (const { id, credentials } of await this.work.lockSealed(tx, scope)) {
          sealed++;
          const made = this.credentials.resealed(scope, id, credentials);
          if (made === 'unreadable') unreadable.push(id);
          if (typeof made === 'string') continue;
          await this.work.storeSeal(tx, scope, id, made.sealed);
          resealed++;
        }
      });
    }
    return { sealed, resealed, unreadable };
  }
}
