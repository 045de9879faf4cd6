/** Queues mail that the product sends in its own name, in the transaction that causes it. */
import { Injectable } from '@nestjs/common';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { MemberService } from '../../workspaces/application/member.service.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import type { Member } from '../../workspaces/domain/member.js';
import type { NewNotice, Notice } from '../domain/notice.js';
import { NoticeRepository } from '../persistence/notice.repository.js';

/** The product's mail belongs to both environments of a workspace. Its wake-ups use this one. */
export function noticeScope({ workspaceId }: WorkspaceScope): TenantScope {
  return { workspaceId, environment: 'live' };
}

/** A notification for the owner and the admins of a workspace. */
export interface MemberNotification<Content extends Notice = Notice> {
  /** Identifies the mail: each of them gets one mail per purpose. */
  readonly purpose: string;
  readonly subjectId: string;
  readonly notice: Omit<Content, 'workspace'>;
}

@Injectable()
export class Notices {
  constructor(
    private readonly notices: NoticeRepository,
    private readonly members: MemberService,
    private readonly workspaces: WorkspaceService,
    private readonly dispatcher: Dispatcher,
  ) {}

  /** Queues mails, which are sent after the commit. A purpose that already has its mail gets no second one. */
  async queue(tx: Transaction, scope: WorkspaceScope, mails: readonly NewNotice[], now: Date): Promise<void> {
    await this.notices.add(tx, scope, mails, now);
    tx.afterCommit(() => this.dispatcher.wake(WAKE_UPS.notices, noticeScope(scope)));
  }

  /** Notifies the owner and the active admins. A workspace without any gets no mail. */
  async notifyManagers<Content extends Notice>(
    tx: Transaction,
    scope: WorkspaceScope,
    notification: MemberNotification<Content>,
    now: Date,
  ): Promise<void> {
    await this.notify(tx, scope, await this.members.managers(tx, scope), notification, now);
  }

  /** Notifies one member. @returns whether this active member exists. */
  async notifyMember<Content extends Notice>(
    tx: Transaction,
    scope: WorkspaceScope,
    memberId: string,
    notification: MemberNotification<Content>,
    now: Date,
  ): Promise<boolean> {
    const member = await this.members.findActive(tx, scope, memberId);
    if (member) await this.notify(tx, scope, [member], notification, now);
    return member !== undefined;
  }

  private async notify<Content extends Notice>(
    tx: Transaction,
    scope: WorkspaceScope,
    members: readonly Member[],
    { purpose, subjectId, notice }: MemberNotification<Content>,
    now: Date,
  ): Promise<void> {
    if (members.length === 0) return;
    const workspace = await this.workspaces.nameOf(tx, scope);
    const content = { ...notice, workspace } as unknown as Notice;
    const mails = members.map(({ id, email }) => ({
      purpose: `${purpose}:${id}`,
      subjectId,
      to: email,
      notice: content,
    }));
    await this.queue(tx, scope, mails, now);
  }

  /** The recipients of mails of a kind since a given time, once for each mail. */
  async recipientsSince(
    tx: Transaction,
    scope: WorkspaceScope,
    kind: Notice['kind'],
    since: Date,
  ): Promise<string[]> {
    return this.notices.recipientsSince(tx, scope, kind, since);
  }

  /** Which of the records have unfinished mail of a kind. */
  async unfinished(
    tx: Transaction,
    scope: WorkspaceScope,
    kind: Notice['kind'],
    subjectIds: readonly string[],
  ): Promise<string[]> {
    return subjectIds.length > 0 ? this.notices.unfinished(tx, scope, kind, subjectIds) : [];
  }

  /** Withdraws mails about a record that were not sent yet. */
  async withdraw(tx: Transaction, scope: WorkspaceScope, subjectId: string, now: Date): Promise<void> {
    await this.notices.withdraw(tx, scope, subjectId, now);
  }
}
