/**
 * Templates ready for delivery. They are compiled once per version and cached in the process, since compiling costs a
 * hundred times as much as rendering. A changed template is dropped when the change is announced.
 */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { ChangeFeed } from '../../../platform/database/change-feed.js';
import { Database } from '../../../platform/database/database.js';
import { TenantCache } from '../../../platform/database/tenant-cache.js';
import { Threads } from '../../../platform/threads/threads.js';
import { FrozenTemplateRepository } from '../persistence/frozen-template.repository.js';
import { TemplateRepository } from '../persistence/template.repository.js';
import { type ReadyTemplate, readyTemplate } from './ready-template.js';

/** Capacity of the cache, in characters of source. */
const CACHE_CAPACITY = 16 * 1024 * 1024;
/** The size of an entry in addition to its source. */
const ENTRY_OVERHEAD = 1_024;

interface CachedTemplate {
  readonly ready: ReadyTemplate;
  readonly size: number;
}

@Injectable()
export class TemplateCatalogue {
  private readonly cache: TenantCache<CachedTemplate>;

  constructor(
    private readonly database: Database,
    private readonly templates: TemplateRepository,
    private readonly frozenTemplates: FrozenTemplateRepository,
    private readonly threads: Threads,
    feed: ChangeFeed,
  ) {
    this.cache = new TenantCache(feed, 'templates', { capacity: CACHE_CAPACITY, weigh: ({ size }) => size });
  }

  /**
   * The templates with these slugs; unknown slugs are missing.
   * @throws DomainError as readyTemplate.
   */
  async ready(scope: WorkspaceScope, slugs: readonly string[]): Promise<Map<string, ReadyTemplate>> {
    const found = await this.cache.getMany(scope.workspaceId, slugs, (missing) => this.load(scope, missing));
    return new Map([...found].map(([slug, { ready }]) => [slug, ready]));
  }

  /**
   * The frozen versions with these ids, ready for delivery regardless of later changes to their templates.
   * @throws DomainError as readyTemplate.
   */
  async frozen(scope: WorkspaceScope, ids: readonly string[]): Promise<Map<string, ReadyTemplate>> {
    const found = await this.cache.getMany(scope.workspaceId, ids.map(frozenKey), (missing) =>
      this.loadFrozen(scope, missing),
    );
    return new Map(
      ids.flatMap((id) => {
        const cached = found.get(frozenKey(id));
        return cached ? [[id, cached.ready] as const] : [];
      }),
    );
  }

  /**
   * The template as stored now, bypassing the cache: a change may not have been announced yet, and its author must
   * not get an error about the former content.
   * @throws DomainError as readyTemplate.
   */
  async reload(scope: WorkspaceScope, slug: string): Promise<ReadyTemplate | undefined> {
    this.cache.invalidate(scope.workspaceId, slug);
    return (await this.ready(scope, [slug])).get(slug);
  }

  private async load(scope: WorkspaceScope, slugs: readonly string[]): Promise<Map<string, CachedTemplate>> {
    const workspace = { workspaceId: scope.workspaceId };
    const templates = await this.database.inScope(workspace, (tx) =>
      this.templates.find(tx, workspace, slugs),
    );
    return this.prepare(
      scope,
      templates.map((template) => [template.slug, template]),
    );
  }

  private async loadFrozen(
    { workspaceId }: WorkspaceScope,
    keys: readonly string[],
  ): Promise<Map<string, CachedTemplate>> {
    const workspace = { workspaceId };
    const ids = keys.map((key) => key.slice(FROZEN_KEY_PREFIX.length));
    const frozen = await this.database.inScope(workspace, (tx) =>
      this.frozenTemplates.find(tx, workspace, ids),
    );
    return this.prepare(
      workspace,
      frozen.map((one) => [frozenKey(one.id), { ...one, id: one.templateId, isActive: true }]),
    );
  }

  private async prepare(
    { workspaceId }: WorkspaceScope,
    templates: readonly (readonly [string, Parameters<typeof readyTemplate>[2]])[],
  ): Promise<Map<string, CachedTemplate>> {
    return new Map(
      await Promise.all(
        templates.map(async ([key, template]): Promise<[string, CachedTemplate]> => {
          const size = template.bodyHtml.length + template.bodyText.length + ENTRY_OVERHEAD;
          return [key, { ready: await readyTemplate(this.threads, workspaceId, template), size }];
        }),
      ),
    );
  }
}

/** Cannot collide with a slug, which contains no space. */
const FROZEN_KEY_PREFIX = 'frozen ';

function frozenKey(id: string): string {
  return `${FROZEN_KEY_PREFIX}${id}`;
}
