/** Invitation mails: one each time a person is invited or reminded, within the limits of domain/invitation-bounds. */
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import {
  TeamNotifications,
  type InvitationNotification,
} from '../../workspaces/application/team-notifications.port.js';
import {
  checkInvitationLimits,
  INVITATION_WINDOW_MS,
  MAX_INVITATIONS_PER_DAY,
  MAX_INVITATIONS_PER_ADDRESS,
  MIN_INVITATION_INTERVAL_MS,
} from '../domain/invitation-limits.js';
import { NoticeRepository } from '../persistence/notice.repository.js';
import { Notices } from './notices.js';

@Injectable()
export class InvitationNotices extends TeamNotifications {
  constructor(
    private readonly notices: Notices,
    private readonly repository: NoticeRepository,
  ) {
    super();
  }

  /** A mail to an address that has just got one waits for a while. */
  override async invited(
    tx: Transaction,
    scope: WorkspaceScope,
    invitation: InvitationNotification,
    now: Date,
  ): Promise<void> {
    await this.queue(tx, scope, invitation, await this.earliestSendTime(tx, scope, invitation, now), now);
  }

  override async invitedAgain(
    tx: Transaction,
    scope: WorkspaceScope,
    invitation: InvitationNotification,
    now: Date,
  ): Promise<void> {
    const from = await this.earliestSendTime(tx, scope, invitation, now);
    if (from > now)
      throw rateLimitError(
        `An address can be sent one invitation every ${MIN_INVITATION_INTERVAL_MS / 60_000} minutes.`,
        from,
        now,
      );
    await this.queue(tx, scope, invitation, from, now);
  }

  override async invitationEnded(
    tx: Transaction,
    scope: WorkspaceScope,
    memberId: string,
    now: Date,
  ): Promise<void> {
    await this.notices.withdraw(tx, scope, memberId, now);
  }

  /** When a mail may go. The result is exact, because the team is locked. */
  private async earliestSendTime(
    tx: Transaction,
    scope: WorkspaceScope,
    { member }: InvitationNotification,
    now: Date,
  ): Promise<Date> {
    const recent = await this.repository.invitationsSince(
      tx,
      scope,
      new Date(now.getTime() - INVITATION_WINDOW_MS),
    );
    const result = checkInvitationLimits(member.email, recent, now);
    if (result.kind === 'granted') return result.from;
    throw rateLimitError(
      result.reason === 'workspace'
        ? `A workspace can send ${MAX_INVITATIONS_PER_DAY} invitations in 24 hours.`
        : `An address can be sent ${MAX_INVITATIONS_PER_ADDRESS} invitations in 24 hours.`,
      result.until,
      now,
    );
  }

  private async queue(
    tx: Transaction,
    scope: WorkspaceScope,
    { member, workspaceName, inviter }: InvitationNotification,
    dueAt: Date,
    now: Date,
  ): Promise<void> {
    const mail = {
      purpose: `invitation:${member.id}:${now.toISOString()}`,
      subjectId: member.id,
      to: member.email,
      notice: {
        kind: 'invitation',
        workspace: workspaceName,
        inviter,
        role: member.role,
        invitationId: member.id,
      },
      dueAt,
    } as const;
    await this.notices.queue(tx, scope, [mail], now);
  }
}

function rateLimitError(detail: string, until: Date, now: Date): DomainError {
  const retryAfter = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000));
  return new DomainError('rate_limit_exceeded', `${detail} Try again in ${retryAfter} s.`, {
    retry_after: retryAfter,
  });
}
