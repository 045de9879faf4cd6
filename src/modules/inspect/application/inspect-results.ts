/** Stores the results of a run, and deletes results past their retention. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { CheckOutcome, CheckRecord } from '../domain/runs/check.js';
import { MOST_FINDINGS } from '../domain/findings/bounded-findings.js';
import { withoutEchoes } from '../domain/findings/echoes.js';
import type { ClaimedJob } from '../domain/runs/inspect-job.js';
import {
  KEPT_OF_TEMPLATE,
  KEPT_OF_WORKSPACE,
  KEPT_WITH_FINDINGS,
  KEPT_WITH_PICTURES,
  SWEPT,
} from '../domain/runs/run-bounds.js';
import type { Screenshot } from '../domain/runs/screenshot.js';
import { canSend, scoreOf, summaryOf } from '../domain/runs/score.js';
import { storedFindings } from '../domain/findings/stored-finding.js';
import { toldOnce } from '../domain/findings/told-once.js';
import { InspectConfigRepository } from '../persistence/inspect-config.repository.js';
import { InspectFindingRepository } from '../persistence/inspect-finding.repository.js';
import { InspectJobRepository } from '../persistence/inspect-job.repository.js';
import { InspectMarkRepository, markKey } from '../persistence/inspect-mark.repository.js';
import { InspectScreenshotRepository } from '../persistence/inspect-screenshot.repository.js';
import { InspectWorkRepository } from '../persistence/inspect-work.repository.js';
import { Screenshots } from './screenshots.js';

/** The results of a run's checks. */
export interface Examination {
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
    private readonly pictures: Screenshots,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores findings, score and summary, with the marks that apply at this moment, and ends the run. Findings of codes
   * that the workspace ignores are stored too, since it may change its mind, but do not count.
   * @returns false if this process no longer holds the run: nothing is stored.
   */
  async store(scope: WorkspaceScope, job: ClaimedJob, examination: Examination): Promise<boolean> {
    return this.database.inScope(scope, async (tx) => {
      const now = this.clock.now();
      const { id: jobId, templateId, content } = job;
      const { snoozedCodes } = await this.configs.find(tx, scope);
      const { outcomes, screenshots } = examination;
      const { findings: found, left } = storedFindings(
        withoutEchoes(toldOnce(outcomes.map(({ findings }) => findings))),
        content.bodyHtml,
        snoozedCodes,
      );
      const heard = found.filter(
        ({ code, subject }) => subject !== 'template' && !snoozedCodes.includes(code),
      );
      const open = await this.openOf(tx, scope, job, heard, now);
      const checks = checksOf(outcomes, left);
      const result = { score: scoreOf(open), canSend: canSend(open), summary: summaryOf(open), checks };
      if (!(await this.work.complete(tx, scope, job, result, now))) return false;
      const rows = found.map((finding) => ({
        ...finding,
        id: uuidv7(now.getTime()),
        subject: job.subjectGiven ? finding.subject : null,
      }));
      await this.findings.add(tx, scope, { jobId, templateId }, rows);
      await this.pictures.keep(tx, scope, jobId, screenshots);
      await this.marks.reopen(tx, scope, templateId, found, job.createdAt);
      await this.sweep(tx, scope, templateId);
      return true;
    });
  }

  /**
   * The findings without a mark that applies. A finding that was marked fixed before the run was requested is open
   * again.
   */
  private async openOf<Found extends { readonly code: string; readonly target: string }>(
    tx: Transaction,
    scope: WorkspaceScope,
    { templateId, createdAt }: ClaimedJob,
    found: readonly Found[],
    now: Date,
  ): Promise<Found[]> {
    const marks = await this.marks.holding(tx, scope, templateId, now);
    return found.filter((finding) => {
      const mark = marks.get(markKey(finding));
      return !mark || (mark.status === 'fixed' && mark.markedAt <= createdAt);
    });
  }

  /** Deletes results past their retention after a run of a template has ended. */
  async sweep(tx: Transaction, scope: WorkspaceScope, templateId: string): Promise<void> {
    const beyond = (kept: number): Promise<string[]> =>
      this.jobs.endedBeyond(tx, scope, templateId, { kept, limit: SWEPT });
    await this.screenshots.removeOf(tx, scope, await beyond(KEPT_WITH_PICTURES));
    await this.findings.removeOf(tx, scope, await beyond(KEPT_WITH_FINDINGS));
    await this.jobs.remove(tx, scope, await beyond(KEPT_OF_TEMPLATE));
    const old = await this.jobs.endedOfAllBeyond(tx, scope, { kept: KEPT_OF_WORKSPACE, limit: SWEPT });
    await this.screenshots.removeOf(tx, scope, old);
    await this.findings.removeOf(tx, scope, old);
    await this.jobs.remove(tx, scope, old);
  }
}

/** The content check also reports how many findings are not stored. */
function checksOf(outcomes: readonly CheckOutcome[], beyond: number): CheckRecord[] {
  const left = outcomes.reduce((sum, outcome) => sum + (outcome.left ?? 0), beyond);
  const note =
    left === 0 ? [] : [`${left} less severe findings are not stored; the limit is ${MOST_FINDINGS}.`];
  return outcomes.map(({ name, status, detail }) => {
    if (name !== 'content') return { name, status, detail };
    const parts = [...(detail === null ? [] : [detail]), ...note];
    return { name, status, detail: parts.length > 0 ? parts.join(' ') : null };
  });
}
