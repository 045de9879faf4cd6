/**
 * Mails due reports. The email of a date is composed first; one transaction then stores it, the mail to each address
 * and the schedule's next date. An interrupted run leaves nothing behind and is repeated. The product's mail queue
 * sends stored emails. Missed dates become one run.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { DAY, HOUR, SECOND } from '../../../kernel/duration.js';
import { nextRun } from '../../../kernel/recurrence.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import { Notices } from '../../notices/application/notices.js';
import type { ReportStoppedNotice } from '../../notices/domain/notice.js';
import { Batches } from '../../dead-letters/application/batches.js';
import { DeadLetterList } from '../../dead-letters/application/dead-letter-list.js';
import { MemberService } from '../../workspaces/application/member.service.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import { addressKey, LIMIT_WINDOW_MS, withinLimits } from '../domain/report-email-limits.js';
import type { ComposedReportEmail } from '../domain/composed-report-email.js';
import { repetitionOf, type ReportRecipient, type ReportSchedule } from '../domain/schedule.js';
import { ReportEmailRepository } from '../persistence/report-email.repository.js';
import { ReportMailingRepository, type Mailing } from '../persistence/report-mailing.repository.js';
import { DueSchedules } from './due-schedules.js';
import { ReportEmailComposer } from './report-email-composer.js';
import { ScheduleRecipients } from './schedule-recipients.js';

/** How long no other worker composes an email that a worker is composing. */
const LEASE_MS = 10 * SECOND;
/** Minimum and maximum time that a report email is stored, while its mails are being sent. */
const MIN_RETENTION_MS = HOUR;
const MAX_RETENTION_MS = 7 * DAY;

@Injectable()
export class ReportRunner {
  constructor(
    private readonly database: Database,
    private readonly mailings: ReportMailingRepository,
    private readonly reportEmails: ReportEmailRepository,
    private readonly composer: ReportEmailComposer,
    private readonly notices: Notices,
    private readonly workspaces: WorkspaceService,
    private readonly members: MemberService,
    private readonly recipients: ScheduleRecipients,
    private readonly batches: Batches,
    private readonly queue: DueSchedules,
    private readonly deadLetters: DeadLetterList,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Processes the tenant's due schedules until none is left or `mayContinue` returns false.
   * @returns whether there may be more to do now.
   */
  async run(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    return this.batches.run(scope, this.queue, { size: 1, mayContinue }, async (_limit, markClaimed) => {
      const { isClaimed, mailing } = await this.database.inScope(scope, async (tx) => {
        const found = await this.mailings.due(tx, scope, this.clock.now());
        if (!found) return { isClaimed: false, mailing: undefined };
        await markClaimed([found.schedule.reportId]);
        return { isClaimed: true, mailing: await this.checkSchedule(tx, scope, found) };
      });
      if (mailing) await this.mail(scope, mailing);
      return { taken: isClaimed ? 1 : 0, more: isClaimed };
    });
  }

  /** Returns the schedule to mail, if any; deletes expired report emails. */
  private async checkSchedule(
    tx: Transaction,
    scope: TenantScope,
    mailing: Mailing,
  ): Promise<Mailing | undefined> {
    const now = this.clock.now();
    const { schedule, report } = mailing;
    const { reportId, nextSendAt } = schedule;
    const mayMail = await this.mayMail(tx, scope, mailing);
    if (mayMail) await this.recipients.requestConfirmations(tx, scope, report, schedule.recipients, [], now);
    if (nextSendAt > now) {
      await this.sweep(tx, scope, now);
      await this.mailings.setNextCheck(tx, scope, reportId, nextCheckTime(nextSendAt, now));
      return undefined;
    }
    if (!mayMail) {
      await this.advance(tx, scope, schedule, null, now);
      this.recordOutcome(tx, scope, reportId, 'suspended');
      return undefined;
    }
    if ((await this.recipients.mailable(tx, scope, schedule)).length === 0) {
      await this.advance(tx, scope, schedule, null, now);
      this.recordOutcome(tx, scope, reportId, 'no_recipient');
      return undefined;
    }
    await this.mailings.setNextCheck(tx, scope, reportId, this.clock.afterRealTime(LEASE_MS));
    return mailing;
  }

  private async mayMail(tx: Transaction, scope: TenantScope, mailing: Mailing): Promise<boolean> {
    const workspace = await this.workspaces.find(scope);
    const isActive = workspace?.status === 'active' && !workspace.isBeingDeleted;
    return isActive && !(await this.isOrphaned(tx, scope, mailing));
  }

  /** Whether no one is left who can see the report and could stop it: it is private, and its creator has left. */
  private async isOrphaned(tx: Transaction, scope: TenantScope, { report }: Mailing): Promise<boolean> {
    const { visibility, createdBy } = report;
    if (visibility === 'workspace' || createdBy === null) return false;
    return (await this.members.findActive(tx, scope, createdBy)) === undefined;
  }

  private async mail(scope: TenantScope, mailing: Mailing): Promise<void> {
    const reportEmail = await this.compose(scope, mailing);
    if (reportEmail) await this.database.inScope(scope, (tx) => this.store(tx, scope, mailing, reportEmail));
  }

  /**
   * Returns the email of a date; undefined if the report cannot be run, which dead-letters its schedule and sends a
   * notification.
   */
  private async compose(scope: TenantScope, mailing: Mailing): Promise<ComposedReportEmail | undefined> {
    try {
      return await this.composer.compose(scope, mailing, this.clock.now());
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      // Overload is temporary, so the run is retried.
      if (error.status === 429 || error.status >= 500) throw new Error(error.message, { cause: error });
      await this.database.inScope(scope, (tx) => this.notifyStopped(tx, scope, mailing, error));
      this.metrics.reportRuns.inc({ outcome: 'refused' });
      const { reportId } = mailing.schedule;
      await this.batches.deadLetter(scope, this.queue, reportId, { code: 'refused_by_rules', error });
      return undefined;
    }
  }

  /** Stores a date's mails and advances the schedule, unless it was changed, stopped or sent in the meantime. */
  private async store(
    tx: Transaction,
    scope: TenantScope,
    composed: Mailing,
    reportEmail: ComposedReportEmail,
  ): Promise<void> {
    const { reportId, nextSendAt: dueAt } = composed.schedule;
    const current = await this.mailings.find(tx, scope, reportId);
    const now = this.clock.now();
    if (!current?.schedule.isActive || current.schedule.nextSendAt > now) return;
    if (!isUnchanged(current, composed)) {
      await this.mailings.setNextCheck(tx, scope, reportId, now);
      return;
    }
    const recipients = await this.allowedRecipients(tx, scope, current.schedule, now);
    const isSent =
      recipients.length > 0 &&
      (await this.send(tx, scope, dueAt, { reportEmail, recipients, reportId }, now));
    await this.advance(tx, scope, current.schedule, isSent ? now : null, now);
    await this.deadLetters.remove(tx, scope, this.queue.kind, [reportId]);
    await this.sweep(tx, scope, now);
    this.recordOutcome(tx, scope, reportId, isSent ? 'sent' : recipients.length === 0 ? 'bounded' : 'known');
  }

  /** The recipients of a date, within the mail limits. */
  private async allowedRecipients(
    tx: Transaction,
    scope: TenantScope,
    schedule: ReportSchedule,
    now: Date,
  ): Promise<ReportRecipient[]> {
    const { reportId } = schedule;
    const since = new Date(now.getTime() - LIMIT_WINDOW_MS);
    const recent = await this.notices.recipientsSince(tx, scope, 'report', since);
    const recipients = await this.recipients.mailable(tx, scope, schedule);
    const allowed = withinLimits(recipients, recent);
    const leftOut = recipients.length - allowed.length;
    if (leftOut > 0)
      this.logger.warn(
        { ...scope, reportId, leftOut },
        'A report email was not sent to all recipients: the daily limit was reached',
      );
    return allowed;
  }

  /** @returns false if the date has been sent before. */
  private async send(
    tx: Transaction,
    scope: TenantScope,
    dueAt: Date,
    { reportEmail, recipients, reportId }: ReportDispatch,
    now: Date,
  ): Promise<boolean> {
    const letterId = uuidv7(now.getTime());
    if (
      !(await this.reportEmails.add(tx, scope, { id: letterId, reportId, dueAt, content: reportEmail }, now))
    )
      return false;
    const mails = recipients.map(
      ({ email, name }) =>
        ({
          purpose: `report:${reportId}:${dueAt.toISOString()}:${addressKey(email)}`,
          subjectId: reportId,
          to: email,
          notice: { kind: 'report', environment: scope.environment, letterId, name },
        }) as const,
    );
    await this.notices.queue(tx, scope, mails, now);
    return true;
  }

  private async advance(
    tx: Transaction,
    scope: TenantScope,
    schedule: ReportSchedule,
    lastSentAt: Date | null,
    now: Date,
  ): Promise<void> {
    const nextSendAt = nextRun(repetitionOf(schedule), now);
    const checkAt = lastSentAt === null ? nextSendAt : nextCheckTime(nextSendAt, now);
    await this.mailings.advance(tx, scope, schedule.reportId, { nextSendAt, lastSentAt, checkAt });
  }

  private async sweep(tx: Transaction, scope: TenantScope, now: Date): Promise<void> {
    const reports = await this.reportEmails.reports(tx, scope);
    const unfinished = new Set(await this.notices.unfinished(tx, scope, 'report', reports));
    await this.reportEmails.sweep(tx, scope, {
      before: new Date(now.getTime() - MAX_RETENTION_MS),
      reports: reports.filter((id) => !unfinished.has(id)),
      ofReportsBefore: new Date(now.getTime() - MIN_RETENTION_MS),
    });
  }

  /**
   * Notifies the report's creator; if there is none, the workspace's owner and admins, unless the report is private.
   */
  private async notifyStopped(
    tx: Transaction,
    scope: TenantScope,
    { report }: Mailing,
    error: DomainError,
  ): Promise<void> {
    const now = this.clock.now();
    const { id, name, createdBy, visibility } = report;
    const notification = {
      purpose: `report-stopped:${id}:${now.toISOString().slice(0, 10)}`,
      subjectId: id,
      notice: { kind: 'report_stopped', report: name, detail: error.detail },
    } as const;
    if (
      createdBy !== null &&
      (await this.notices.notifyMember<ReportStoppedNotice>(tx, scope, createdBy, notification, now))
    )
      return;
    if (visibility === 'workspace')
      await this.notices.notifyManagers<ReportStoppedNotice>(tx, scope, notification, now);
  }

  private recordOutcome(tx: Transaction, scope: TenantScope, reportId: string, outcome: string): void {
    tx.afterCommit(() => {
      this.metrics.reportRuns.inc({ outcome });
      if (outcome !== 'sent')
        this.logger.info({ ...scope, reportId, outcome }, 'A scheduled report was skipped');
    });
  }
}

interface ReportDispatch {
  readonly reportEmail: ComposedReportEmail;
  readonly recipients: readonly ReportRecipient[];
  readonly reportId: string;
}

/**
 * When a schedule with stored emails is checked: within a day, so that they are deleted even if its next date is far
 * off.
 */
function nextCheckTime(nextSendAt: Date, now: Date): Date {
  return new Date(Math.min(nextSendAt.getTime(), now.getTime() + DAY));
}

/** Whether an email still matches the current schedule and report. */
function isUnchanged(current: Mailing, composed: Mailing): boolean {
  return (
    current.schedule.nextSendAt.getTime() === composed.schedule.nextSendAt.getTime() &&
    current.schedule.updatedAt.getTime() === composed.schedule.updatedAt.getTime() &&
    current.report.version === composed.report.version &&
    current.report.updatedAt.getTime() === composed.report.updatedAt.getTime()
  );
}
