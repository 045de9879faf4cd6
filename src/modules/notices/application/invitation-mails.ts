/** Invitation mails: one each time a person is invited or reminded, within the limits of domain/invitation-bounds. */
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { TeamNews, type InvitationNews } from '../../workspaces/application/team-news.port.js';
import { answerTo, COUNTED_PAST, MOST_A_DAY, MOST_TO_ONE, PAUSE } from '../domain/invitation-bounds.js';
import { NoticeRepository } from '../persistence/notice.repository.js';
import { Notices } from './notices.js';

@Injectable()
export class InvitationMails extends TeamNews {
  constructor(
    private readonly notices: Notices,
    private readonly stored: NoticeRepository,
  ) {
    super();
  }

  /** A mail to an address that has just got one waits for a while. */
  override async invited(
    tx: Transaction,
    scope: WorkspaceScope,
    news: InvitationNews,
    now: Date,
  ): Promise<void> {
    await this.put(tx, scope, news, await this.earliest(tx, scope, news, now), now);
  }

  override async invitedAgain(
    tx: Transaction,
    scope: WorkspaceScope,
    news: InvitationNews,
    now: Date,
  ): Promise<void> {
    const from = await this.earliest(tx, scope, news, now);
    if (from > now)
      throw tooMany(`An address can be sent one invitation every ${PAUSE / 60_000} minutes.`, from, now);
    await this.put(tx, scope, news, from, now);
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
  private async earliest(
    tx: Transaction,
    scope: WorkspaceScope,
    { member }: InvitationNews,
    now: Date,
  ): Promise<Date> {
    const past = await this.stored.invitationsSince(tx, scope, new Date(now.getTime() - COUNTED_PAST));
    const answer = answerTo(member.email, past, now);
    if (answer.kind === 'granted') return answer.from;
    throw tooMany(
      answer.reason === 'workspace'
        ? `A workspace can send ${MOST_A_DAY} invitations in 24 hours.`
        : `An address can be sent ${MOST_TO_ONE} invitations in 24 hours.`,
      answer.until,
      now,
    );
  }

  private async put(
    tx: Transaction,
    scope: WorkspaceScope,
    { member, workspaceName, inviter }: InvitationNews,
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
    await this.notices.put(tx, scope, [mail], now);
  }
}

function tooMany(detail: string, until: Date, now: Date): DomainError {
  const retryAfter = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000));
  return new DomainError('rate_limit_exceeded', `${detail} Try again in ${retryAfter} s.`, {
    retry_after: retryAfter,
  });
}
