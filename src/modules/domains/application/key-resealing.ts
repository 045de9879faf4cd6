/** Has no key of a domain depend for long on a secret that is to be given up. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { domainScope, MOST_DOMAINS } from '../domain/sending-domain.js';
import { DueDomainsRepository } from '../persistence/due-domains.repository.js';
import { SendingDomainRepository } from '../persistence/sending-domain.repository.js';
import { DomainKeys } from './domain-keys.js';

export interface Resealed {
  /** Keys that there are, however they are sealed. */
  readonly keys: number;
  /** Those of them that are sealed under the first key since now. */
  readonly resealed: number;
  /** Those that no given key opens. */
  readonly unreadable: readonly UnreadableKey[];
}

export interface UnreadableKey {
  readonly workspaceId: string;
  readonly domain: string;
  readonly selector: string;
}

/** Workspaces that are asked for together. */
const PAGE = 100;

@Injectable()
export class KeyResealing {
  constructor(
    private readonly database: Database,
    private readonly domains: SendingDomainRepository,
    private readonly due: DueDomainsRepository,
    private readonly keys: DomainKeys,
  ) {}

  /**
   * Seals the keys of a domain under the first secret, unless they are so.
   * @param domain locked until the transaction ends.
   */
  async reseal(
    tx: Transaction,
    scope: TenantScope,
    domain: { readonly id: string; readonly domain: string },
  ): Promise<Resealed> {
    const { workspaceId } = scope;
    const stored = await this.domains.keysOf(tx, scope, domain.id);
    const unreadable: UnreadableKey[] = [];
    let resealed = 0;
    for (const key of stored) {
      const made = this.keys.resealed(scope, key);
      if (made === 'unreadable')
        unreadable.push({ workspaceId, domain: domain.domain, selector: key.selector });
      if (typeof made === 'string') continue;
      await this.domains.storeSeal(tx, scope, made);
      resealed++;
    }
    return { keys: stored.length, resealed, unreadable };
  }

  /** Does so for every domain of every workspace, each in a transaction of its own: what was done stays done. */
  async resealAll(): Promise<Resealed> {
    const all: Resealed[] = [];
    for (let after: string | null = null; ;) {
      const workspaces: readonly string[] = await this.due.workspaces(after, PAGE);
      for (const workspaceId of workspaces) all.push(...(await this.resealWorkspace({ workspaceId })));
      if (workspaces.length < PAGE) return sumOf(all);
      after = workspaces.at(-1) ?? null;
    }
  }

  private async resealWorkspace(workspace: Pick<TenantScope, 'workspaceId'>): Promise<Resealed[]> {
    const scope = domainScope(workspace);
    const domains = await this.database.inScope(scope, (tx) => this.domains.list(tx, scope, MOST_DOMAINS));
    const all: Resealed[] = [];
    for (const { id } of domains)
      all.push(
        await this.database.inScope(scope, async (tx) => {
          const domain = await this.domains.lock(tx, scope, id);
          return domain ? this.reseal(tx, scope, domain) : sumOf([]);
        }),
      );
    return all;
  }
}

function sumOf(all: readonly Resealed[]): Resealed {
  return {
    keys: all.reduce((sum, { keys }) => sum + keys, 0),
    resealed: all.reduce((sum, { resealed }) => sum + resealed, 0),
    unreadable: all.flatMap(({ unreadable }) => unreadable),
  };
}
