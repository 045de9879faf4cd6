/**
 * Templates ready for delivery: compiled once per version and kept in the process, since compiling costs a hundred
 * times what rendering does. A changed template is dropped as soon as the change is told.
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

/** Characters of source whose compiled form is kept. */
const CAPACITY = 16 * 1024 * 1024;
/** What an entry costs beside its source. */
const OVERHEAD = 1_024;

interface Kept {
  readonly ready: ReadyTemplate;
  readonly size: number;
}

@Injectable()
export class TemplateCatalogue {
  private readonly cache: TenantCache<Kept>;

  constructor(
    private readonly database: Database,
    private readonly templates: TemplateRepository,
    private readonly frozenTemplates: FrozenTemplateRepository,
    private readonly threads: Threads,
    feed: ChangeFeed,
  ) {
    this.cache = new TenantCache(feed, 'templates', { capacity: CAPACITY, weigh: ({ size }) => size });
  }

  /**
   * The templates of these slugs; a slug that no template has is not in the answer.
   * @throws DomainError as readyTemplate.
   */
  async ready(scope: WorkspaceScope, slugs: readonly string[]): Promise<Map<string, ReadyTemplate>> {
    const found = await this.cache.many(scope.workspaceId, slugs, (missing) => this.load(scope, missing));
    return new Map([...found].map(([slug, { ready }]) => [slug, ready]));
  }

  /**
   * What was frozen under these ids, ready for delivery whatever its template is by now.
   * @throws DomainError as readyTemplate.
   */
  async frozen(scope: WorkspaceScope, ids: readonly string[]): Promise<Map<string, ReadyTemplate>> {
    const found = await this.cache.many(scope.workspaceId, ids.map(frozenKey), (missing) =>
      this.loadFrozen(scope, missing),
    );
    return new Map(
      ids.flatMap((id) => {
        const kept = found.get(frozenKey(id));
        return kept ? [[id, kept.ready] as const] : [];
      }),
    );
  }

  /**
   * The template as it is stored now: news of a change may be on its way still, and whoever has just made it must not be
   * refused for what was before.
   * @throws DomainError as readyTemplate.
   */
  async afresh(scope: WorkspaceScope, slug: string): Promise<ReadyTemplate | undefined> {
    this.cache.forget(scope.workspaceId, slug);
    return (await this.ready(scope, [slug])).get(slug);
  }

  private async load(scope: WorkspaceScope, slugs: readonly string[]): Promise<Map<string, Kept>> {
    const workspace = { workspaceId: scope.workspaceId };
    const templates = await this.database.inScope(workspace, (tx) =>
      this.templates.find(tx, workspace, slugs),
    );
    return this.keptBy(
      scope,
      templates.map((template) => [template.slug, template]),
    );
  }

  private async loadFrozen(
    { workspaceId }: WorkspaceScope,
    keys: readonly string[],
  ): Promise<Map<string, Kept>> {
    const workspace = { workspaceId };
    const ids = keys.map((key) => key.slice(FROZEN.length));
    const frozen = await this.database.inScope(workspace, (tx) =>
      this.frozenTemplates.find(tx, workspace, ids),
    );
    return this.keptBy(
      workspace,
      frozen.map((one) => [frozenKey(one.id), { ...one, id: one.templateId, isActive: true }]),
    );
  }

  private async keptBy(
    { workspaceId }: WorkspaceScope,
    templates: readonly (readonly [string, Parameters<typeof readyTemplate>[2]])[],
  ): Promise<Map<string, Kept>> {
    return new Map(
      await Promise.all(
        templates.map(async ([key, template]): Promise<[string, Kept]> => {
          const size = template.bodyHtml.length + template.bodyText.length + OVERHEAD;
          return [key, { ready: await readyTemplate(this.threads, workspaceId, template), size }];
        }),
      ),
    );
  }
}

/** No slug has a space. */
const FROZEN = 'frozen ';

function frozenKey(id: string): string {
  return `${FROZEN}${id}`;
}
