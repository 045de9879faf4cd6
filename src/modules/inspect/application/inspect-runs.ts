/**
 * Requests runs and reads their results (section 4.7). A request stores a run as a row, with the content of the current
 * version, before it is answered; workers make the run.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { isStorableText } from '../../../kernel/json.js';
import { sliceOf, type Slice, type PageRequest } from '../../../kernel/page-cursor.js';
import { isUuid, type TenantScope, type WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import type { Plan } from '../../limits/domain/plan.js';
import { TemplateService } from '../../templates/application/template.service.js';
import type { Template } from '../../templates/domain/template.js';
import type { InspectJob, InspectMode, NewInspectJob, RunRequest } from '../domain/runs/inspect-job.js';
import { newJob } from '../domain/runs/new-job.js';
import { MAX_UNFINISHED_REQUESTS, RETRY_AFTER_SECONDS } from '../domain/runs/run-bounds.js';
import { InspectJobRepository } from '../persistence/inspect-job.repository.js';
import { InspectCredits } from './inspect-credits.js';
import { Screenshots, type LinkedScreenshot } from './screenshots.js';

export type QueuedRun = Pick<NewInspectJob, 'id' | 'creditsCharged'>;

/** A run with its screenshots. */
export type JobWithScreenshots = InspectJob & { readonly screenshots: readonly LinkedScreenshot[] };

@Injectable()
export class InspectRuns {
  constructor(
    private readonly database: Database,
    private readonly jobs: InspectJobRepository,
    private readonly credits: InspectCredits,
    private readonly templates: TemplateService,
    private readonly contacts: KnownContacts,
    private readonly screenshots: Screenshots,
    private readonly dispatcher: Dispatcher,
    private readonly clock: Clock,
  ) {}

  /**
   * Requests a run for the current version of the template.
   * @param plan of the workspace, whose credits pay for full runs.
   * @throws DomainError template_not_found, contact_not_found; plan_limit_reached when no credit is left;
   *   rate_limit_exceeded with retry_after while MAX_UNFINISHED_REQUESTS requested runs have not ended.
   */
  async request(scope: TenantScope, plan: Plan, request: RunRequest, actor: string): Promise<QueuedRun> {
    return this.database.inScope(scope, async (tx) => {
      const template = await this.template(tx, scope, request.templateSlug);
      const contactId = await this.contactId(tx, scope, request.contactId);
      await this.jobs.lockRequests(tx, scope);
      const now = this.clock.now();
      const job = newJob({
        id: uuidv7(now.getTime()),
        scope,
        template,
        request: { ...request, contactId },
        trigger: 'request',
        actor,
      });
      const creditsCharged =
        job.mode === 'full' ? await this.credits.charge(tx, scope, plan, job, now) : job.creditsCharged;
      await this.assertBelowLimit(tx, scope);
      await this.jobs.insert(tx, scope, { ...job, creditsCharged }, now);
      this.wakeAfterCommit(tx, scope, job.mode);
      return { id: job.id, creditsCharged };
    });
  }

  /**
   * A run with links to its screenshots.
   * @throws DomainError inspect_job_not_found.
   */
  async get(scope: WorkspaceScope, id: string): Promise<JobWithScreenshots> {
    const job = isUuid(id)
      ? await this.database.inScope(scope, (tx) => this.jobs.find(tx, scope, id))
      : undefined;
    if (!job) throw jobNotFound(id);
    return { ...job, screenshots: await this.screenshots.ofJob(scope, id) };
  }

  /**
   * A page of a template's runs, newest first.
   * @throws DomainError template_not_found.
   */
  async ofTemplate(
    scope: WorkspaceScope,
    slug: string,
    { first, after }: PageRequest,
  ): Promise<Slice<InspectJob>> {
    const found = await this.database.listInScope(scope, async (tx) => {
      const templateId = await this.templates.idOf(tx, scope, slug);
      return this.jobs.ofTemplate(tx, scope, templateId, { limit: first + 1, after });
    });
    return sliceOf(found, first);
  }

  private async template(tx: Transaction, scope: WorkspaceScope, slug: string): Promise<Template> {
    const [template] = isStorableText(slug) ? await this.templates.bySlugs(tx, scope, [slug]) : [];
    if (!template) throw new DomainError('template_not_found', `No template has the slug ${slug}.`);
    return template;
  }

  /** The record id of the contact that the text identifies by record id or external_id. */
  private async contactId(
    tx: Transaction,
    scope: TenantScope,
    idOrExternalId: string | null,
  ): Promise<string | null> {
    if (idOrExternalId === null) return null;
    const keys = isUuid(idOrExternalId) ? (['id', 'externalId'] as const) : (['externalId'] as const);
    for (const key of isStorableText(idOrExternalId) ? keys : []) {
      const [contact] = await this.contacts.find(tx, scope, key, [idOrExternalId]);
      if (contact && contact.subscriptionStatus !== 'deleted') return contact.id;
    }
    throw new DomainError('contact_not_found', `No contact has the ID or external_id ${idOrExternalId}.`);
  }

  private async assertBelowLimit(tx: Transaction, scope: WorkspaceScope): Promise<void> {
    if ((await this.jobs.countUnfinished(tx, scope, 'request')) >= MAX_UNFINISHED_REQUESTS)
      throw new DomainError(
        'rate_limit_exceeded',
        `${MAX_UNFINISHED_REQUESTS} requested runs are in progress: try again when some have finished.`,
        { retry_after: RETRY_AFTER_SECONDS },
      );
  }

  private wakeAfterCommit(tx: Transaction, { workspaceId }: WorkspaceScope, mode: InspectMode): void {
    const wakeUp = mode === 'quick' ? WAKE_UPS.inspections : WAKE_UPS['full-inspections'];
    tx.afterCommit(() => this.dispatcher.wake(wakeUp, { workspaceId, environment: 'live' }));
  }
}

export function jobNotFound(id: string): DomainError {
  return new DomainError('inspect_job_not_found', `No run has the ID ${id}.`);
}
