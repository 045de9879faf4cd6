/** Reads the findings of runs, and marks them for later runs (section 4.7). */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { isUuid, type WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import type { FindingMark } from '../domain/findings/finding-mark.js';
import {
  withRuleTexts,
  type FindingFilter,
  type FindingPage,
  type InspectFinding,
  type FindingPageRequest,
} from '../domain/findings/inspect-finding.js';
import { MAX_MARKS, snoozeMs } from '../domain/runs/run-bounds.js';
import { InspectConfigRepository } from '../persistence/inspect-config.repository.js';
import { InspectFindingRepository } from '../persistence/inspect-finding.repository.js';
import { InspectJobRepository } from '../persistence/inspect-job.repository.js';
import { InspectMarkRepository } from '../persistence/inspect-mark.repository.js';
import { jobNotFound } from './inspect-runs.js';

/** A mark to set on a finding. */
export type MarkRequest =
  | { readonly status: 'snoozed'; readonly days: number; readonly reason: string | null }
  | { readonly status: 'fixed' | 'false_positive'; readonly reason: string | null };

@Injectable()
export class InspectFindings {
  constructor(
    private readonly database: Database,
    private readonly jobs: InspectJobRepository,
    private readonly findings: InspectFindingRepository,
    private readonly marks: InspectMarkRepository,
    private readonly configs: InspectConfigRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * A page of a run's findings with their current status, most severe first. Empty until the run has completed;
   * findings of codes that the workspace ignores now are left out.
   * @throws DomainError inspect_job_not_found.
   */
  async page(
    scope: WorkspaceScope,
    jobId: string,
    filter: FindingFilter,
    page: FindingPageRequest,
  ): Promise<FindingPage> {
    if (!isUuid(jobId)) throw jobNotFound(jobId);
    const { findings, total } = await this.database.listInScope(scope, async (tx) => {
      if (!(await this.jobs.find(tx, scope, jobId))) throw jobNotFound(jobId);
      const { snoozedCodes: ignoredCodes } = await this.configs.find(tx, scope);
      return this.findings.page(tx, scope, jobId, filter, { ...page, now: this.clock.now(), ignoredCodes });
    });
    return { findings: findings.map(withRuleTexts), total };
  }

  /**
   * Marks a finding, replacing any earlier mark. The mark applies to the same finding of every run.
   * @throws DomainError finding_not_found.
   */
  async mark(
    scope: WorkspaceScope,
    id: string,
    request: MarkRequest,
    actor: string,
  ): Promise<InspectFinding> {
    return this.database.inScope(scope, async (tx) => {
      const now = this.clock.now();
      const finding = isUuid(id) ? await this.findings.find(tx, scope, id, now) : undefined;
      if (!finding) throw new DomainError('finding_not_found', `No finding has the ID ${id}.`);
      const mark = markOf(request, actor, now);
      await this.marks.upsert(tx, scope, finding, mark);
      await this.marks.trim(tx, scope, finding.templateId, MAX_MARKS);
      const { status, snoozedUntil, reason } = mark;
      return withRuleTexts({ ...finding, status, snoozedUntil, reason });
    });
  }
}

function markOf(request: MarkRequest, markedBy: string, now: Date): FindingMark {
  const { status, reason } = request;
  const snoozedUntil = status === 'snoozed' ? new Date(now.getTime() + snoozeMs(request.days)) : null;
  return { status, snoozedUntil, reason, markedBy, markedAt: now };
}
