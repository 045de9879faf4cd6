/** Where modules put mail that the product sends in its own name, in the transaction that gives it its reason. */
import { Injectable } from '@nestjs/common';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { MemberService } from '../../workspaces/application/member.service.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import type { Member } from '../../workspaces/domain/member.js';
import type { NewNotice, Notice } from '../domain/notice.js';
import { NoticeRepository } from '../persistence/notice.repository.js';
import { NOTICES_BELL } from '../queue/notices.jobs.js';

/** Mail of the product is of both environments of a workspace; work on it is queued in this one. */
export function noticeScope({ workspaceId }: WorkspaceScope): TenantScope {
  return { workspaceId, environment: 'live' };
}

/** What the owner and the admins of a workspace are to know. */
export interface News<Told extends Notice = Notice> {
  /** Names what there is one mail for, to each of them. */
  readonly purpose: string;
  readonly subjectId: string;
  readonly notice: Omit<Told, 'workspace'>;
}

@Injectable()
export class Notices {
  constructor(
    private readonly notices: NoticeRepository,
    private readonly members: MemberService,
    private readonly workspaces: WorkspaceService,
    private readonly dispatcher: Dispatcher,
  ) {}

  /** Queues mails, which go once the transaction is committed. What has its mail already gets no second one. */
  async put(tx: Transaction, scope: WorkspaceScope, mails: readonly NewNotice[], now: Date): Promise<void> {
    await this.notices.add(tx, scope, mails, now);
    tx.afterCommit(() => this.dispatcher.ring(NOTICES_BELL, noticeScope(scope)));
  }

  /** Tells the owner and the active admins. A workspace without any is told nothing. */
  async tellManagers<Told extends Notice>(
    tx: Transaction,
    scope: WorkspaceScope,
    news: News<Told>,
    now: Date,
  ): Promise<void> {
    await this.tell(tx, scope, await this.members.managers(tx, scope), news, now);
  }

  /** Tells one member. @returns whether there is such an active one. */
  async tellMember<Told extends Notice>(
    tx: Transaction,
    scope: WorkspaceScope,
    memberId: string,
    news: News<Told>,
    now: Date,
  ): Promise<boolean> {
    const member = await this.members.findActive(tx, scope, memberId);
    if (member) await this.tell(tx, scope, [member], news, now);
    return member !== undefined;
  }

  private async tell<Told extends Notice>(
    tx: Transaction,
    scope: WorkspaceScope,
    members: readonly Member[],
    { purpose, subjectId, notice }: News<Told>,
    now: Date,
  ): Promise<void> {
    if (members.length === 0) return;
    const workspace = await this.workspaces.nameOf(tx, scope);
    const told = { ...notice, workspace } as unknown as Notice;
    const mails = members.map(({ id, email }) => ({
      purpose: `${purpose}:${id}`,
      subjectId,
      to: email,
      notice: told,
    }));
    await this.put(tx, scope, mails, now);
  }

  /** Whom mail of a kind was for since then, once for each mail. */
  async recipientsSince(
    tx: Transaction,
    scope: WorkspaceScope,
    kind: Notice['kind'],
    since: Date,
  ): Promise<string[]> {
    return this.notices.recipientsSince(tx, scope, kind, since);
  }

  /** Which of the records have mail of a kind on its way. */
  async unfinished(
    tx: Transaction,
    scope: WorkspaceScope,
    kind: Notice['kind'],
    subjectIds: readonly string[],
  ): Promise<string[]> {
    return subjectIds.length > 0 ? this.notices.unfinished(tx, scope, kind, subjectIds) : [];
  }

  /** Has mails about a record not go any more that have not gone yet. */
  async withdraw(tx: Transaction, scope: WorkspaceScope, subjectId: string, now: Date): Promise<void> {
    await this.notices.withdraw(tx, scope, subjectId, now);
  }
}
