/**
 * Notifies people about their invitations by mail. It is a port because workspaces may not depend on mail;
 * processes/bindings binds it. Each method is called in the transaction of the change, under the team's lock.
 */
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Member } from '../domain/member.js';

/** The data of an invitation that its mail contains. */
export interface InvitationNotification {
  readonly member: Member;
  readonly workspaceName: string;
  /** Null if unknown. */
  readonly inviter: { readonly name: string; readonly email: string } | null;
}

export abstract class TeamNotifications {
  /**
   * A person was invited.
   * @throws DomainError rate_limit_exceeded with retry_after if the workspace, or the address, has had too many
   *   invitations.
   */
  abstract invited(
    tx: Transaction,
    scope: WorkspaceScope,
    notification: InvitationNotification,
    now: Date,
  ): Promise<void>;

  /**
   * A person is to be reminded of a pending invitation.
   * @throws DomainError as `invited`, and if the address has just had one.
   */
  abstract invitedAgain(
    tx: Transaction,
    scope: WorkspaceScope,
    notification: InvitationNotification,
    now: Date,
  ): Promise<void>;

  /** An invitation was accepted or withdrawn. */
  abstract invitationEnded(
    tx: Transaction,
    scope: WorkspaceScope,
    memberId: string,
    now: Date,
  ): Promise<void>;
}
