/**
 * The checks of a run, in their order (section 4.7). A check that fails is reported as failed, and the others still
 * run. Only the content check must succeed, since the others work on its result.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database, isUnreachable } from '../../../platform/database/database.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import type { Analysis, RenderedMessage } from '../domain/analysis/analysis.js';
import { notRun, type CheckName, type CheckOutcome } from '../domain/runs/check.js';
import type { InspectConfig } from '../domain/runs/inspect-config.js';
import type { ClaimedJob } from '../domain/runs/inspect-job.js';
import { FETCH_BUDGET_MS } from '../domain/runs/run-bounds.js';
import type { Screenshot } from '../domain/runs/screenshot.js';
import { InspectConfigRepository } from '../persistence/inspect-config.repository.js';
import { ContentCheck } from './content-check.js';
import type { CheckResults } from './inspect-results.js';
import { RenderingChecks } from './rendering-checks.js';
import { ResourceChecks } from './resource-checks.js';
import { ShownImages } from './shown-images.js';
import { SpamChecks } from './spam-checks.js';

/** The progress of a run, in per cent, after each group of checks. */
const PROGRESS_PERCENT = { content: 20, resources: 50, spam: 60 } as const;

const NOT_RENDERED = 'The message cannot be rendered.';
const EMAIL_ONLY = 'Only applies to emails.';
const FULL_RUN_ONLY = 'Only part of full runs.';

/** A run in progress: its subject, and the signal that aborts it. */
interface CheckContext {
  readonly scope: TenantScope;
  readonly job: ClaimedJob;
  readonly config: InspectConfig;
  readonly analysis: Analysis;
  readonly signal: AbortSignal;
  /** Images for its screenshots; undefined if it takes none. */
  readonly shown: ShownImages | undefined;
}

@Injectable()
export class InspectChecks {
  constructor(
    private readonly database: Database,
    private readonly configs: InspectConfigRepository,
    private readonly content: ContentCheck,
    private readonly resources: ResourceChecks,
    private readonly spam: SpamChecks,
    private readonly renderings: RenderingChecks,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Runs the checks of a run.
   * @param signal aborts it.
   * @param progress is called with the progress, in per cent.
   * @throws DomainError work_too_costly, service_unavailable as Threads.run, from the content check; the signal's
   *   reason.
   */
  async run(
    { workspaceId }: WorkspaceScope,
    job: ClaimedJob,
    signal: AbortSignal,
    progress: (percent: number) => Promise<void>,
  ): Promise<CheckResults> {
    const scope: TenantScope = { workspaceId, environment: job.environment };
    const config = await this.database.inScope(scope, (tx) => this.configs.find(tx, scope));
    const analysis = await this.content.analyse(scope, job);
    const shown = job.mode === 'full' && this.renderings.canTakeScreenshots ? new ShownImages() : undefined;
    const context: CheckContext = { scope, job, config, analysis, signal, shown };
    await progress(PROGRESS_PERCENT.content);
    const fetched = await this.runEmailCheck(context, ['links', 'images'], () =>
      this.resources.check(scope, analysis.resources, signal, {
        budget: FETCH_BUDGET_MS[job.trigger],
        ...(shown && { shown }),
      }),
    );
    await progress(PROGRESS_PERCENT.resources);
    const { message, pieces } = analysis;
    const spamOutcomes = await this.runMessageCheck(context, ['spam'], async (rendered) => [
      await this.spam.check({ scope, message: rendered, pieces, provider: config.spamProvider }, signal),
    ]);
    await progress(PROGRESS_PERCENT.spam);
    const { outcomes, screenshots } = await this.checkRendering(context, message);
    return { outcomes: [contentOutcome(analysis), ...fetched, ...spamOutcomes, ...outcomes], screenshots };
  }

  private async checkRendering(
    context: CheckContext,
    message: RenderedMessage | null,
  ): Promise<{ readonly outcomes: readonly CheckOutcome[]; readonly screenshots: readonly Screenshot[] }> {
    const names = ['rendering', 'screenshots'] as const;
    const { scope, job, config, analysis, signal, shown } = context;
    if (job.mode === 'quick' || !message) {
      const detail = job.mode === 'quick' ? FULL_RUN_ONLY : NOT_RENDERED;
      return { outcomes: notRun(names, 'skipped', detail), screenshots: [] };
    }
    let screenshots: readonly Screenshot[] = [];
    const outcomes = await this.runMessageCheck(context, names, async () => {
      const { pieces, addedBytes } = analysis;
      const content = { message, pieces, bodyHtml: job.content.bodyHtml, addedBytes };
      const result = await this.renderings.check(
        scope,
        content,
        config.renderClients,
        signal,
        shown?.byAddress,
      );
      screenshots = result.screenshots;
      return result.outcomes;
    });
    return { outcomes, screenshots };
  }

  /** Runs a check of a message, if there is one. */
  private async runMessageCheck(
    context: CheckContext,
    names: readonly CheckName[],
    check: (message: RenderedMessage) => Promise<readonly CheckOutcome[]>,
  ): Promise<readonly CheckOutcome[]> {
    const { message } = context.analysis;
    if (!message) return notRun(names, 'skipped', NOT_RENDERED);
    return this.runEmailCheck(context, names, () => check(message));
  }

  /** Runs a check of emails; a failure becomes the outcome of the check. */
  private async runEmailCheck(
    { scope, job, signal }: CheckContext,
    names: readonly CheckName[],
    check: () => Promise<readonly CheckOutcome[]>,
  ): Promise<readonly CheckOutcome[]> {
    if (job.channel !== 'email') return notRun(names, 'skipped', EMAIL_ONLY);
    try {
      return await check();
    } catch (error) {
      signal.throwIfAborted();
      if (isUnreachable(error)) throw error;
      this.logger.warn({ err: error, ...scope, jobId: job.id, checks: names }, 'A check of a run failed');
      const detail =
        error instanceof DomainError ? error.detail : 'The check failed because of an internal error.';
      return notRun(names, 'failed', detail);
    }
  }
}

function contentOutcome({ findings, findingsOmitted, message, resourcesTruncated }: Analysis): CheckOutcome {
  const truncation = resourcesTruncated ? 'There are more links and images than can be checked.' : null;
  return {
    name: 'content',
    status: 'done',
    detail: message ? truncation : NOT_RENDERED,
    findings,
    omitted: findingsOmitted,
  };
}
