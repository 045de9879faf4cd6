/**
 * The domains that a workspace may send mail from, and the keys that sign it. Cached in memory, since every message
 * needs them.
 */
import type { KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { ChangeFeed } from '../../../platform/database/change-feed.js';
import { Database } from '../../../platform/database/database.js';
import { TenantCache } from '../../../platform/database/tenant-cache.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { usableUntil } from '../domain/domain-check.js';
import { returnPathOf } from '../domain/dns-record.js';
import {
  findingOf,
  USABLE_STATUSES,
  MAX_DOMAINS,
  recordsOfDomain,
  type SendingDomain,
} from '../domain/sending-domain.js';
import { SendingDomainRepository } from '../persistence/sending-domain.repository.js';
import { DomainKeys } from './domain-keys.js';

/** Maximum number of workspaces in the cache, each with its domains and keys: some kilobytes. */
const MAX_CACHED_WORKSPACES = 10_000;
/** The cache key: a workspace has one entry. */
const CACHE_KEY = 'domains';

/** A verified domain. */
export interface OwnDomain {
  readonly domain: string;
  /** The domain of the envelope sender; null if its record is missing. */
  readonly returnPath: string | null;
  readonly selector: string;
  readonly privateKey: KeyObject;
  /** Null if the domain is usable without an end. */
  readonly usableUntil: Date | null;
}

/** The verified domains of a workspace. */
export class OwnDomains {
  private readonly byName: ReadonlyMap<string, OwnDomain>;

  constructor(domains: readonly OwnDomain[]) {
    this.byName = new Map(domains.map((domain) => [domain.domain, domain]));
  }

  /** The domain of that name, in lower case and in ASCII; undefined when mail may not be sent from it now. */
  find(name: string, now: Date): OwnDomain | undefined {
    const domain = this.byName.get(name);
    return domain?.usableUntil && domain.usableUntil <= now ? undefined : domain;
  }

  get count(): number {
    return this.byName.size;
  }
}

@Injectable()
export class OwnDomainsService {
  private readonly cache: TenantCache<OwnDomains>;

  constructor(
    private readonly database: Database,
    private readonly domains: SendingDomainRepository,
    private readonly keys: DomainKeys,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    changes: ChangeFeed,
  ) {
    this.cache = new TenantCache(changes, 'sending_domains', {
      capacity: MAX_CACHED_WORKSPACES,
      weigh: (domains) => 1 + domains.count,
    });
  }

  /** The workspace's verified domains, cached until one of its domains changes. */
  async of({ workspaceId }: WorkspaceScope): Promise<OwnDomains> {
    const found = await this.cache.getMany(workspaceId, [CACHE_KEY], async () => {
      return new Map([[CACHE_KEY, await this.load({ workspaceId })]]);
    });
    return found.get(CACHE_KEY) ?? new OwnDomains([]);
  }

  private async load(scope: WorkspaceScope): Promise<OwnDomains> {
    return this.database.inScope(scope, async (tx) => {
      const listed = await this.domains.list(tx, scope, MAX_DOMAINS);
      const usable = listed.filter(({ status }) => USABLE_STATUSES.includes(status));
      if (usable.length === 0) return new OwnDomains([]);
      const keys = await this.domains.storedKeys(tx, scope, 'signing');
      return new OwnDomains(
        usable.flatMap((domain): OwnDomain[] => {
          const key = keys.get(domain.id);
          if (!key) return [];
          try {
            return [
              { ...this.identityOf(domain), selector: key.selector, privateKey: this.keys.open(scope, key) },
            ];
          } catch (error) {
            // The workspace's mail is sent from the shared domain until the key can be read again.
            this.logger.error(
              { err: error, ...scope, domainId: domain.id },
              'The key of a domain cannot be read',
            );
            return [];
          }
        }),
      );
    });
  }

  private identityOf(domain: SendingDomain): Pick<OwnDomain, 'domain' | 'returnPath' | 'usableUntil'> {
    const { sharedSendingDomain } = this.config;
    const isReturnPathOk = recordsOfDomain(domain, sharedSendingDomain).some(
      (record) => record.purpose === 'return_path' && findingOf(domain, record).state === 'ok',
    );
    return {
      domain: domain.domain,
      returnPath: isReturnPathOk ? returnPathOf(domain.domain) : null,
      usableUntil: usableUntil(domain),
    };
  }
}
