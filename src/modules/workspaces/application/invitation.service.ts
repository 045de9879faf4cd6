/** A person's invitations to all workspaces, section 4.1. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { Identity } from '../../../kernel/principal.js';
import { isUuid } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { AuditLog } from '../../audit/application/audit-log.js';
import { accepted, isInvited } from '../domain/member-rules.js';
import type { Member } from '../domain/member.js';
import { MemberRepository, type StoredInvitation } from '../persistence/member.repository.js';
import { TeamNotifications } from './team-notifications.port.js';
import { WorkspaceService, workspaceSuspended } from './workspace.service.js';

/** Across all workspaces; if there are more, the latest are shown. */
const MAX_INVITATIONS = 100;

@Injectable()
export class InvitationService {
  constructor(
    private readonly database: Database,
    private readonly members: MemberRepository,
    private readonly audit: AuditLog,
    private readonly notifications: TeamNotifications,
    private readonly workspaces: WorkspaceService,
    private readonly clock: Clock,
  ) {}

  /** The pending invitations of a person, latest first; empty if no email of the person is verified. */
  async list({ verifiedEmail }: Identity): Promise<StoredInvitation[]> {
    return verifiedEmail === undefined ? [] : this.members.invitationsOf(verifiedEmail, MAX_INVITATIONS);
  }

  /**
   * Makes the person a member, linked to its identity.
   * @param network where the request came from.
   * @throws DomainError invitation_not_found (404) if the person has no such pending invitation; member_exists (409)
   *   if the person is already a member, under another email; workspace_suspended (403).
   */
  async accept(identity: Identity, id: string, network: string): Promise<Member> {
    const invitation = await this.invitationOf(identity, id);
    return this.database.inScope(invitation, async (tx) => {
      await this.members.lockTeam(tx, invitation);
      const now = this.clock.now();
      if ((await this.workspaces.get(invitation)).status === 'suspended') throw workspaceSuspended();
      // The invitation may have been withdrawn or accepted since it was read.
      const member = await this.members.find(tx, invitation, id);
      if (!member || !isInvited(identity, member)) throw notFound();
      if (await this.members.isLinked(tx, invitation, identity.subject))
        throw new DomainError(
          'member_exists',
          'You are already a member of this workspace under another email.',
        );
      const next = accepted(member, identity, now);
      await this.members.store(tx, next, now);
      await this.notifications.invitationEnded(tx, invitation, id, now);
      await this.audit.record(
        tx,
        invitation,
        { actor: next.id, network },
        {
          action: 'invitation_accepted',
          subjectId: next.id,
          before: null,
          after: { email: next.email, name: next.name, role: next.role, is_active: true },
        },
      );
      return next;
    });
  }

  private async invitationOf({ verifiedEmail }: Identity, id: string): Promise<Member> {
    const found =
      verifiedEmail !== undefined && isUuid(id)
        ? await this.members.invitationFor(verifiedEmail, id)
        : undefined;
    if (!found) throw notFound();
    return found;
  }
}

function notFound(): DomainError {
  return new DomainError('invitation_not_found', 'You have no such pending invitation.');
}
