/** Reseals domain keys under the current secret, so that none still depends on a secret that is about to be retired. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { domainScope, MAX_DOMAINS } from '../domain/sending-domain.js';
import { DomainWorkspacesRepository } from '../persistence/domain-workspaces.repository.js';
import { SendingDomainRepository } from '../persistence/sending-domain.repository.js';
import { DomainKeys } from './domain-keys.js';

export interface ResealResult {
  /** The number of keys, however they are sealed. */
  readonly keys: number;
  /** The keys that this run has sealed under the first secret. */
  readonly resealed: number;
  /** The keys that no configured secret opens. */
  readonly unreadable: readonly UnreadableKey[];
}

export interface UnreadableKey {
  readonly workspaceId: string;
  readonly domain: string;
  readonly selector: string;
}

/** Workspaces per query. */
const PAGE_SIZE = 100;

@Injectable()
export class KeyResealing {
  constructor(
    private readonly database: Database,
    private readonly domains: SendingDomainRepository,
    private readonly workspaces: DomainWorkspacesRepository,
    private readonly keys: DomainKeys,
  ) {}

  /**
   * Seals the keys of a domain under the first secret, unless they already are.
   * @param domain locked until the transaction ends.
   */
  async reseal(
    tx: Transaction,
    scope: TenantScope,
    domain: { readonly id: string; readonly domain: string },
  ): Promise<ResealResult> {
    const { workspaceId } = scope;
    const stored = await this.domains.keysOf(tx, scope, domain.id);
    const unreadable: UnreadableKey[] = [];
    let resealed = 0;
    for (const key of stored) {
      const made = this.keys.reseal(scope, key);
      if (made === 'unreadable')
        unreadable.push({ workspaceId, domain: domain.domain, selector: key.selector });
      if (typeof made === 'string') continue;
      await this.domains.storeSeal(tx, scope, made);
      resealed++;
    }
    return { keys: stored.length, resealed, unreadable };
  }

  /**
   * Reseals the keys of every domain of every workspace, each domain in a separate transaction: finished work stays
   * finished.
   */
  async resealAll(): Promise<ResealResult> {
    const all: ResealResult[] = [];
    for (let after: string | null = null; ;) {
      const workspaces: readonly string[] = await this.workspaces.list(after, PAGE_SIZE);
      for (const workspaceId of workspaces) all.push(...(await this.resealWorkspace({ workspaceId })));
      if (workspaces.length < PAGE_SIZE) return sumOf(all);
      after = workspaces.at(-1) ?? null;
    }
  }

  private async resealWorkspace(workspace: Pick<TenantScope, 'workspaceId'>): Promise<ResealResult[]> {
    const scope = domainScope(workspace);
    const domains = await this.database.inScope(scope, (tx) => this.domains.list(tx, scope, MAX_DOMAINS));
    const all: ResealResult[] = [];
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

function sumOf(all: readonly ResealResult[]): ResealResult {
  return {
    keys: all.reduce((sum, { keys }) => sum + keys, 0),
    resealed: all.reduce((sum, { resealed }) => sum + resealed, 0),
    unreadable: all.flatMap(({ unreadable }) => unreadable),
  };
}
