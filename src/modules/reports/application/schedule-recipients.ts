/**
 * The recipients of a schedule that a report may be mailed to. Recipients who are not members confirm once. Excluded
 * are addresses that stopped the report, bounced, complained, or are on the workspace's suppression list.
 */
import { Injectable } from '@nestjs/common';
import { ENVIRONMENTS, type TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { spellingsOf } from '../../contacts/domain/opt-out.js';
import type { ReturnedReportEmail } from '../../notices/application/report-emails.port.js';
import { Notices } from '../../notices/application/notices.js';
import type { ReportRecipientNotice } from '../../notices/domain/notice.js';
import { Suppressions } from '../../suppressions/application/suppressions.js';
import { MemberService } from '../../workspaces/application/member.service.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import { addressKey, LIMIT_WINDOW_MS, distinctRecipients } from '../domain/report-email-limits.js';
import {
  mayRequestConfirmation,
  statusOf,
  withinConfirmationLimits,
  type RecipientStatus,
  type StoredRecipient,
} from '../domain/recipient-state.js';
import type { Report } from '../domain/report.js';
import type { ReportRecipient, ReportSchedule } from '../domain/schedule.js';
import { ReportRecipientRepository } from '../persistence/report-recipient.repository.js';
import { RecipientLinks } from './recipient-links.js';

export interface RecipientState extends ReportRecipient {
  readonly status: RecipientStatus;
  /**
   * The time of the last change; null if the state follows from the team or the suppression list, and for addresses
   * that were never sent a confirmation.
   */
  readonly changedAt: Date | null;
}

type Recipients = Pick<ReportSchedule, 'reportId' | 'recipients'>;

interface KnownRecipient extends RecipientState {
  readonly address: string;
  readonly stored: StoredRecipient | undefined;
}

@Injectable()
export class ScheduleRecipients {
  constructor(
    private readonly repository: ReportRecipientRepository,
    private readonly suppressions: Suppressions,
    private readonly members: MemberService,
    private readonly workspaces: WorkspaceService,
    private readonly notices: Notices,
    private readonly links: RecipientLinks,
  ) {}

  /** Returns the states of the recipients of each schedule, in the order of its list. */
  async statesOf(
    tx: Transaction,
    scope: TenantScope,
    schedules: readonly Recipients[],
  ): Promise<KnownRecipient[][]> {
    const emails = schedules.flatMap(({ recipients }) => recipients.map(({ email }) => email));
    const addresses = [...new Set(emails.map(addressKey))];
    const rows = await this.repository.ofReports(
      tx,
      scope,
      schedules.map(({ reportId }) => reportId),
    );
    const spellings = [...new Set([...emails, ...addresses.flatMap(spellingsOf)])];
    const members = new Set((await this.members.activeAddresses(tx, scope, spellings)).map(addressKey));
    const suppressed = await this.suppressed(tx, scope, addresses);
    const complained = new Set(await this.repository.complainersAmong(tx, scope, addresses));
    const rowOf = new Map(rows.map((row) => [`${row.reportId} ${row.address}`, row]));
    return schedules.map(({ reportId, recipients }) =>
      recipients.map((recipient): KnownRecipient => {
        const address = addressKey(recipient.email);
        const stored = rowOf.get(`${reportId} ${address}`);
        const conditions = {
          isMember: members.has(address),
          isSuppressed: suppressed.has(address),
          hasComplained: complained.has(address),
        };
        const status = statusOf(stored, conditions);
        const changedAt = stored?.status === status && isDated(stored) ? stored.changedAt : null;
        return { ...recipient, address, stored, status, changedAt };
      }),
    );
  }

  /** Returns the recipients that a report may be mailed to now, without duplicate addresses. */
  async mailable(tx: Transaction, scope: TenantScope, schedule: Recipients): Promise<ReportRecipient[]> {
    const distinct = distinctRecipients(schedule.recipients);
    const [states = []] = await this.statesOf(tx, scope, [{ ...schedule, recipients: distinct }]);
    return states
      .filter(({ status }) => status === 'confirmed')
      .map(({ email, name }): ReportRecipient => ({ email, name }));
  }

  /**
   * Returns the id that identifies a recipient in links, stored with its first mail; undefined if the report may no
   * longer be mailed to it.
   */
  async idToMail(
    tx: Transaction,
    scope: TenantScope,
    reportId: string,
    email: string,
    now: Date,
  ): Promise<string | undefined> {
    const mailable = await this.mailable(tx, scope, { reportId, recipients: [{ email, name: null }] });
    if (mailable.length === 0) return undefined;
    await this.repository.add(tx, scope, reportId, [addressKey(email)], now);
    return (await this.repository.findAddress(tx, scope, reportId, addressKey(email)))?.id;
  }

  /**
   * Sends confirmation requests to pending recipients, within the workspace's limits. The rest are sent later.
   * @param added the recipients that a user has just added to the schedule. An address that bounced gets a new chance.
   */
  async requestConfirmations(
    tx: Transaction,
    scope: TenantScope,
    report: Pick<Report, 'id' | 'name'>,
    recipients: readonly ReportRecipient[],
    added: readonly ReportRecipient[],
    now: Date,
  ): Promise<void> {
    const addedAddresses = new Set(added.map(({ email }) => addressKey(email)));
    await this.repository.reopen(tx, scope, report.id, [...addedAddresses], now);
    const [states = []] = await this.statesOf(tx, scope, [{ reportId: report.id, recipients }]);
    const toConfirm = new Map(
      states
        .filter(
          ({ status, stored, address }) =>
            status === 'pending' && mayRequestConfirmation(stored, addedAddresses.has(address), now),
        )
        .map(({ address, email }) => [address, email]),
    );
    if (toConfirm.size === 0) return;
    await this.repository.lockConfirmations(tx, scope);
    const since = new Date(now.getTime() - LIMIT_WINDOW_MS);
    const recent = (await this.notices.recipientsSince(tx, scope, 'report_confirmation', since)).map(
      addressKey,
    );
    const addresses = withinConfirmationLimits([...toConfirm.keys()], recent);
    if (addresses.length === 0) return;
    await this.repository.add(tx, scope, report.id, addresses, now);
    await this.repository.markConfirmationSent(tx, scope, report.id, addresses, now);
    const workspace = await this.workspaces.nameOf(tx, scope);
    const rows = await this.repository.ofReports(tx, scope, [report.id]);
    const mails = rows
      .filter(({ address }) => addresses.includes(address))
      .map(({ id, address, confirmationsSent }) => {
        const url = this.links.urlFor('confirm', scope, id);
        return {
          purpose: `report-confirmation:${id}:${confirmationsSent}`,
          subjectId: id,
          to: toConfirm.get(address) ?? address,
          notice: { kind: 'report_confirmation', workspace, report: report.name, url },
        } as const;
      });
    await this.notices.queue(tx, scope, mails, now);
  }

  /**
   * Removes a recipient from its schedule after a hard bounce or a spam complaint, and notifies the owner of the
   * report.
   */
  async handleReturned(
    tx: Transaction,
    scope: TenantScope,
    reportEmail: ReturnedReportEmail,
    now: Date,
  ): Promise<void> {
    const { subjectId, to, status } = reportEmail;
    const found =
      reportEmail.kind === 'report'
        ? await this.repository.findAddress(tx, scope, subjectId, addressKey(to))
        : await this.repository.find(tx, scope, subjectId);
    if (!found) return;
    if (!(await this.repository.change(tx, scope, found.id, status, now))) return;
    const { report } = found;
    const notification = {
      purpose: `report-recipient:${found.id}:${status}:${now.toISOString().slice(0, 10)}`,
      subjectId: report.id,
      notice: { kind: 'report_recipient', report: report.name, address: to, status },
    } as const;
    const { createdBy, visibility } = report;
    const isNotified =
      createdBy !== null &&
      (await this.notices.notifyMember<ReportRecipientNotice>(tx, scope, createdBy, notification, now));
    if (!isNotified && visibility === 'workspace')
      await this.notices.notifyManagers<ReportRecipientNotice>(tx, scope, notification, now);
  }

  /** Deletes the recipients of a deleted report; waiting confirmation requests are cancelled. */
  async forget(tx: Transaction, scope: TenantScope, reportId: string, now: Date): Promise<void> {
    for (const id of await this.repository.deleteOf(tx, scope, reportId))
      await this.notices.withdraw(tx, scope, id, now);
  }

  /** Schedules of both environments send real mail, so both suppression lists apply. */
  private async suppressed(
    tx: Transaction,
    scope: TenantScope,
    addresses: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const candidates = addresses.map((address) => ({ id: address, email: address }));
    const found = new Set<string>();
    for (const environment of ENVIRONMENTS) {
      const each = { ...scope, environment };
      await tx.enter(each);
      for (const address of (await this.suppressions.among(tx, each, candidates)).keys()) found.add(address);
    }
    await tx.enter(scope);
    return found;
  }
}

/** A row without a confirmation only gives the recipient an id for links. */
function isDated({ status, askedAt }: StoredRecipient): boolean {
  return status !== 'pending' || askedAt !== null;
}
