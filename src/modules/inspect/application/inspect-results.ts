/** Stores the results of a run, and deletes results past their retention. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { CheckOutcome, CheckRecord } from '../domain/runs/check.js';
import { MAX_FINDINGS } from '../domain/findings/bounded-findings.js';
import { withoutRepeatedFindings, deduplicatedFindings } from '../domain/findings/repeated-findings.js';
import type { ClaimedJob } from '../domain/runs/inspect-job.js';
import {
  RETAINED_RUNS_PER_TEMPLATE,
  RETAINED_RUNS_PER_WORKSPACE,
  RETAINED_RUNS_WITH_FINDINGS,
  RETAINED_RUNS_WITH_SCREENSHOTS,
  MAX_DELETED_RUNS,
} from '../domain/runs/run-bounds.js';
import type { Screenshot } from '../domain/runs/screenshot.js';
import { canSend, scoreOf, summaryOf } from '../domain/runs/score.js';
import { storedFindings } from '../domain/findings/stored-finding.js';
import { InspectConfigRepository } from '../persistence/inspect-config.repository.js';
import { InspectFindingRepository } from '../persistence/inspect-finding.repository.js';
import { InspectJobRepository } from '../persistence/inspect-job.repository.js';
import { InspectMarkRepository, markKey } from '../persistence/inspect-mark.repository.js';
import { InspectScreenshotRepository } from '../persistence/inspect-screenshot.repository.js';
import { InspectWorkRepository } from '../persistence/inspect-work.repository.js';
import { Screenshots } from './screenshots.js';

/** The results of a run's checks. */
export interface CheckResults {
  readonly outcomes: readonly CheckOutcome[];
  readonly screenshots: readonly Screenshot[];
}

@Injectable()
export class InspectResults {
  constructor(
    private readonly database: Database,
    private readonly work: InspectWorkRepository,
    private readonly jobs: InspectJobRepository,
    private readonly findings: InspectFindingRepository,
    private readonly marks: InspectMarkRepository,
    private readonly screenshots: InspectScreenshotRepository,
    private readonly configs: InspectConfigRepository,
    private readonly screenshotService: Screenshots,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores findings, score and summary, with the marks that apply at this moment, and ends the run. Findings of codes
   * that the workspace ignores are stored too, since it may change its mind, but do not count.
   * @returns false if this process no longer holds the run: nothing is stored.
   */
  async store(scope: WorkspaceScope, job: ClaimedJob, results: CheckResults): Promise<boolean> {
    return this.database.inScope(scope, async (tx) => {
      const now = this.clock.now();
      const { id: jobId, templateId, content } = job;
      const { snoozedCodes } = await this.configs.find(tx, scope);
      const { outcomes, screenshots } = results;
      const { findings: found, omitted } = storedFindings(
        withoutRepeatedFindings(deduplicatedFindings(outcomes.map(({ findings }) => findings))),
        content.bodyHtml,
        snoozedCodes,
      );
      const countedFindings = found.filter(
        ({ code, subject }) => subject !== 'template' && !snoozedCodes.includes(code),
      );
      const openFindings = await this.unmarkedFindings(tx, scope, job, countedFindings, now);
      const checks = checksOf(outcomes, omitted);
      const result = {
        score: scoreOf(openFindings),
        canSend: canSend(openFindings),
        summary: summaryOf(openFindings),
        checks,
      };
      if (!(await this.work.complete(tx, scope, job, result, now))) return false;
      const rows = found.map((finding) => ({
        ...finding,
        id: uuidv7(now.getTime()),
        subject: job.subjectGiven ? finding.subject : null,
      }));
      await this.findings.add(tx, scope, { jobId, templateId }, rows);
      await this.screenshotService.store(tx, scope, jobId, screenshots);
      await this.marks.reopen(tx, scope, templateId, found, job.createdAt);
      await this.sweep(tx, scope, templateId);
      return true;
    });
  }

  /**
   * The findings without a mark that applies. A finding that was marked fixed before the run was requested is open
   * again.
   */
  private async unmarkedFindings<Found extends { readonly code: string; readonly target: string }>(
    tx: Transaction,
    scope: WorkspaceScope,
    { templateId, createdAt }: ClaimedJob,
    found: readonly Found[],
    now: Date,
  ): Promise<Found[]> {
    const marks = await this.marks.active(tx, scope, templateId, now);
    return found.filter((finding) => {
      const mark = marks.get(markKey(finding));
      return !mark || (mark.status === 'fixed' && mark.markedAt <= createdAt);
    });
  }

  /** Deletes results past their retention after a run of a template has ended. */
  async sweep(tx: Transaction, scope: WorkspaceScope, templateId: string): Promise<void> {
    const beyond = (retained: number): Promise<string[]> =>
      this.jobs.endedBeyond(tx, scope, templateId, { retained, limit: MAX_DELETED_RUNS });
    await this.screenshots.removeOf(tx, scope, await beyond(RETAINED_RUNS_WITH_SCREENSHOTS));
    await this.findings.removeOf(tx, scope, await beyond(RETAINED_RUNS_WITH_FINDINGS));
    await this.jobs.remove(tx, scope, await beyond(RETAINED_RUNS_PER_TEMPLATE));
    const old = await this.jobs.endedOfAllBeyond(tx, scope, {
      retained: RETAINED_RUNS_PER_WORKSPACE,
      limit: MAX_DELETED_RUNS,
    });
    await this.screenshots.removeOf(tx, scope, old);
    await this.findings.removeOf(tx, scope, old);
    await this.jobs.remove(tx, scope, old);
  }
}

/** The content check also reports how many findings are not stored. */
function checksOf(outcomes: readonly CheckOutcome[], notStored: number): CheckRecord[] {
  const omitted = outcomes.reduce((sum, outcome) => sum + (outcome.omitted ?? 0), notStored);
  const omissionNote =
    omitted === 0 ? [] : [`${omitted} less severe findings are not stored; the limit is ${MAX_FINDINGS}.`];
  return outcomes.map(({ name, status, detail }) => {
    if (name !== 'content') return { name, status, detail };
    const parts = [...(detail === null ? [] : [detail]), ...omissionNote];
    return { name, status, detail: parts.length > 0 ? parts.join(' ') : null };
  });
}
