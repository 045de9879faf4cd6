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
import { Batches } from '../../set-aside/application/batches.js';
import { SetAsideList } from '../../set-aside/application/set-aside-list.js';
import { MemberService } from '../../workspaces/application/member.service.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import { addressKey, COUNTED_PAST, withinBounds } from '../domain/letter-bounds.js';
import type { MailedLetter } from '../domain/mailed-letter.js';
import { repetitionOf } from '../domain/schedule-repetition.js';
import type { ReportRecipient, ReportSchedule } from '../domain/schedule.js';
import { ReportLetterRepository } from '../persistence/report-letter.repository.js';
import { ReportMailingRepository, type Mailing } from '../persistence/report-mailing.repository.js';
import { DueSchedules } from './due-schedules.js';
import { LetterComposer } from './letter-composer.js';
import { ScheduleRecipients } from './schedule-recipients.js';

/** How long no other worker composes an email that a worker is composing. */
const LEASE = 10 * SECOND;
/** Minimum and maximum time that a report email is stored, while its mails are being sent. */
const KEPT_AT_LEAST = HOUR;
const KEPT_AT_MOST = 7 * DAY;

@Injectable()
export class ReportRunner {
  constructor(
    private readonly database: Database,
    private readonly mailings: ReportMailingRepository,
    private readonly letters: ReportLetterRepository,
    private readonly composer: LetterComposer,
    private readonly notices: Notices,
    private readonly workspaces: WorkspaceService,
    private readonly members: MemberService,
    private readonly recipients: ScheduleRecipients,
    private readonly batches: Batches,
    private readonly queue: DueSchedules,
    private readonly list: SetAsideList,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Processes the tenant's due schedules until none is left or `mayGoOn` returns false.
   * @returns whether there may be more to do now.
   */
  async run(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    return this.batches.run(scope, this.queue, { size: 1, mayGoOn }, async (_limit, hold) => {
      const { looked, mailing } = await this.database.inScope(scope, async (tx) => {
        const found = await this.mailings.due(tx, scope, this.clock.now());
        if (!found) return { looked: false, mailing: undefined };
        await hold([found.schedule.reportId]);
        return { looked: true, mailing: await this.look(tx, scope, found) };
      });
      if (mailing) await this.mail(scope, mailing);
      return { taken: looked ? 1 : 0, more: looked };
    });
  }

  /** Returns the schedule to mail, if any; deletes expired report emails. */
  private async look(tx: Transaction, scope: TenantScope, mailing: Mailing): Promise<Mailing | undefined> {
    const now = this.clock.now();
    const { schedule, report } = mailing;
    const { reportId, nextSendAt } = schedule;
    const mayMail = await this.mayMail(tx, scope, mailing);
    if (mayMail) await this.recipients.ask(tx, scope, report, schedule.recipients, [], now);
    if (nextSendAt > now) {
      await this.sweep(tx, scope, now);
      await this.mailings.lookAt(tx, scope, reportId, lookBefore(nextSendAt, now));
      return undefined;
    }
    if (!mayMail) {
      await this.moveOn(tx, scope, schedule, null, now);
      this.note(tx, scope, reportId, 'suspended');
      return undefined;
    }
    if ((await this.recipients.open(tx, scope, schedule)).length === 0) {
      await this.moveOn(tx, scope, schedule, null, now);
      this.note(tx, scope, reportId, 'no_recipient');
      return undefined;
    }
    await this.mailings.lookAt(tx, scope, reportId, this.clock.afterRealTime(LEASE));
    return mailing;
  }

  private async mayMail(tx: Transaction, scope: TenantScope, mailing: Mailing): Promise<boolean> {
    const workspace = await this.workspaces.find(scope);
    const isActive = workspace?.status === 'active' && !workspace.isBeingDeleted;
    return isActive && !(await this.isNobodys(tx, scope, mailing));
  }

  /** Whether no one is left who can see the report and could stop it: it is private, and its creator has left. */
  private async isNobodys(tx: Transaction, scope: TenantScope, { report }: Mailing): Promise<boolean> {
    const { visibility, createdBy } = report;
    if (visibility === 'workspace' || createdBy === null) return false;
    return (await this.members.findActive(tx, scope, createdBy)) === undefined;
  }

  private async mail(scope: TenantScope, mailing: Mailing): Promise<void> {
    const letter = await this.composed(scope, mailing);
    if (letter) await this.database.inScope(scope, (tx) => this.store(tx, scope, mailing, letter));
  }

  /**
   * Returns the email of a date; undefined if the report cannot be run, which dead-letters its schedule and sends a
   * notification.
   */
  private async composed(scope: TenantScope, mailing: Mailing): Promise<MailedLetter | undefined> {
    try {
      return await this.composer.compose(scope, mailing, this.clock.now());
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      // Overload is temporary, so the run is retried.
      if (error.status === 429 || error.status >= 500) throw new Error(error.message, { cause: error });
      await this.database.inScope(scope, (tx) => this.tellStopped(tx, scope, mailing, error));
      this.metrics.reportRuns.inc({ outcome: 'refused' });
      const { reportId } = mailing.schedule;
      await this.batches.setAside(scope, this.queue, reportId, { code: 'refused_by_rules', error });
      return undefined;
    }
  }

  /** Stores a date's mails and advances the schedule, unless it was changed, stopped or sent in the meantime. */
  private async store(
    tx: Transaction,
    scope: TenantScope,
    made: Mailing,
    letter: MailedLetter,
  ): Promise<void> {
    const { reportId, nextSendAt: dueAt } = made.schedule;
    const present = await this.mailings.find(tx, scope, reportId);
    const now = this.clock.now();
    if (!present?.schedule.isActive || present.schedule.nextSendAt > now) return;
    if (!isAsMade(present, made)) {
      await this.mailings.lookAt(tx, scope, reportId, now);
      return;
    }
    const recipients = await this.open(tx, scope, present.schedule, now);
    const isSent =
      recipients.length > 0 && (await this.send(tx, scope, dueAt, { letter, recipients, reportId }, now));
    await this.moveOn(tx, scope, present.schedule, isSent ? now : null, now);
    await this.list.forget(tx, scope, this.queue.kind, [reportId]);
    await this.sweep(tx, scope, now);
    this.note(tx, scope, reportId, isSent ? 'sent' : recipients.length === 0 ? 'bounded' : 'known');
  }

  /** The recipients of a date, within the mail limits. */
  private async open(
    tx: Transaction,
    scope: TenantScope,
    schedule: ReportSchedule,
    now: Date,
  ): Promise<ReportRecipient[]> {
    const { reportId } = schedule;
    const since = new Date(now.getTime() - COUNTED_PAST);
    const past = await this.notices.recipientsSince(tx, scope, 'report', since);
    const recipients = await this.recipients.open(tx, scope, schedule);
    const open = withinBounds(recipients, past);
    const leftOut = recipients.length - open.length;
    if (leftOut > 0)
      this.logger.warn(
        { ...scope, reportId, leftOut },
        'A report email was not sent to all recipients: the daily limit was reached',
      );
    return open;
  }

  /** @returns false if the date has been sent before. */
  private async send(
    tx: Transaction,
    scope: TenantScope,
    dueAt: Date,
    { letter, recipients, reportId }: Sending,
    now: Date,
  ): Promise<boolean> {
    const letterId = uuidv7(now.getTime());
    if (!(await this.letters.add(tx, scope, { id: letterId, reportId, dueAt, letter }, now))) return false;
    const mails = recipients.map(
      ({ email, name }) =>
        ({
          purpose: `report:${reportId}:${dueAt.toISOString()}:${addressKey(email)}`,
          subjectId: reportId,
          to: email,
          notice: { kind: 'report', environment: scope.environment, letterId, name },
        }) as const,
    );
    await this.notices.put(tx, scope, mails, now);
    return true;
  }

  private async moveOn(
    tx: Transaction,
    scope: TenantScope,
    schedule: ReportSchedule,
    lastSentAt: Date | null,
    now: Date,
  ): Promise<void> {
    const nextSendAt = nextRun(repetitionOf(schedule), now);
    const lookAt = lastSentAt === null ? nextSendAt : lookBefore(nextSendAt, now);
    await this.mailings.moveOn(tx, scope, schedule.reportId, { nextSendAt, lastSentAt, lookAt });
  }

  private async sweep(tx: Transaction, scope: TenantScope, now: Date): Promise<void> {
    const reports = await this.letters.reports(tx, scope);
    const unfinished = new Set(await this.notices.unfinished(tx, scope, 'report', reports));
    await this.letters.sweep(tx, scope, {
      before: new Date(now.getTime() - KEPT_AT_MOST),
      reports: reports.filter((id) => !unfinished.has(id)),
      ofReportsBefore: new Date(now.getTime() - KEPT_AT_LEAST),
    });
  }

  /**
   * Notifies the report's creator; if there is none, the workspace's owner and admins, unless the report is private.
   */
  private async tellStopped(
    tx: Transaction,
    scope: TenantScope,
    { report }: Mailing,
    error: DomainError,
  ): Promise<void> {
    const now = this.clock.now();
    const { id, name, createdBy, visibility } = report;
    const news = {
      purpose: `report-stopped:${id}:${now.toISOString().slice(0, 10)}`,
      subjectId: id,
      notice: { kind: 'report_stopped', report: name, detail: error.detail },
    } as const;
    if (
      createdBy !== null &&
      (await this.notices.tellMember<ReportStoppedNotice>(tx, scope, createdBy, news, now))
    )
      return;
    if (visibility === 'workspace')
      await this.notices.tellManagers<ReportStoppedNotice>(tx, scope, news, now);
  }

  private note(tx: Transaction, scope: TenantScope, reportId: string, outcome: string): void {
    tx.afterCommit(() => {
      this.metrics.reportRuns.inc({ outcome });
      if (outcome !== 'sent')
        this.logger.info({ ...scope, reportId, outcome }, 'A scheduled report was skipped');
    });
  }
}

interface Sending {
  readonly letter: MailedLetter;
  readonly recipients: readonly ReportRecipient[];
  readonly reportId: string;
}

/**
 * When a schedule with stored emails is checked: within a day, so that they are deleted even if its next date is far
 * off.
 */
function lookBefore(nextSendAt: Date, now: Date): Date {
  return new Date(Math.min(nextSendAt.getTime(), now.getTime() + DAY));
}

/** Whether an email still matches the current schedule and report. */
function isAsMade(present: Mailing, made: Mailing): boolean {
  return (
    present.schedule.nextSendAt.getTime() === made.schedule.nextSendAt.getTime() &&
    present.schedule.updatedAt.getTime() === made.schedule.updatedAt.getTime() &&
    present.report.version === made.report.version &&
    present.report.updatedAt.getTime() === made.report.updatedAt.getTime()
  );
}
