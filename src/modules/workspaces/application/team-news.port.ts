/**
 * Who tells people of what becomes of their place in a team: the mail of an invitation. A port, since workspaces know nothing
 * of mail; joined in processes/bindings. Each hears of it in the transaction of the change, under the lock of the team.
 */
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Member } from '../domain/member.js';

/** What an invitation tells of itself. */
export interface InvitationNews {
  readonly member: Member;
  readonly workspaceName: string;
  /** Null where nobody is known. */
  readonly inviter: { readonly name: string; readonly email: string } | null;
}

export abstract class TeamNews {
  /**
   * Somebody is invited.
   * @throws DomainError rate_limit_exceeded with retry_after where the workspace, or the address, has had too many invitations.
   */
  abstract invited(tx: Transaction, scope: WorkspaceScope, news: InvitationNews, now: Date): Promise<void>;

  /**
   * Somebody is to be reminded of an invitation that is pending.
   * @throws DomainError as `invited`, and where the address has just had one.
   */
  abstract invitedAgain(
    tx: Transaction,
    scope: WorkspaceScope,
    news: InvitationNews,
    now: Date,
  ): Promise<void>;

  /** An invitation was accepted or taken back. */
  abstract invitationEnded(
    tx: Transaction,
    scope: WorkspaceScope,
    memberId: string,
    now: Date,
  ): Promise<void>;
}
