/**
 * Changes the team of a workspace, sections 3.1 and 4.1. Changes of one team are serialized, and recorded in the
 * audit log.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { JsonObject } from '../../../kernel/json.js';
import type { Author } from '../../../kernel/principal.js';
import { isUuid, type WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { missingPermission } from '../../access/domain/access.js';
import { roleAllows } from '../../access/domain/permission.js';
import { AuditLog } from '../../audit/application/audit-log.js';
import type { AuditAction } from '../../audit/domain/audit-entry.js';
import { assertWithin, type Plan } from '../../limits/domain/plan.js';
import { activated, deactivated, ownershipTransferred, withRole } from '../domain/member-rules.js';
import { stateOf, type AssignableRole, type Member } from '../domain/member.js';
import { MemberRepository } from '../persistence/member.repository.js';
import { TeamNotifications, type InvitationNotification } from './team-notifications.port.js';

/** An invitation by a member. */
export interface Invitation {
  readonly email: string;
  /** May be empty. */
  readonly name: string;
  readonly role: AssignableRole;
}

@Injectable()
export class TeamService {
  constructor(
    private readonly database: Database,
    private readonly members: MemberRepository,
    private readonly audit: AuditLog,
    private readonly notifications: TeamNotifications,
    private readonly clock: Clock,
  ) {}

  /**
   * Invites a person by mail: creates a pending member, who joins by accepting.
   * @param author whose actor is a member's id.
   * @throws DomainError plan_limit_reached (403), member_exists (409), rate_limit_exceeded (429) as TeamNotifications,
   *   in this order.
   */
  async invite(scope: WorkspaceScope, plan: Plan, invitation: Invitation, author: Author): Promise<Member> {
    return this.change(scope, author, async (tx, now) => {
      assertWithin('members', await this.members.count(tx, scope), plan);
      if (await this.members.findByEmail(tx, scope, invitation.email))
        throw new DomainError(
          'member_exists',
          'The workspace already has a member or an invitation with this email.',
        );
      const member: Member = {
        id: uuidv7(now.getTime()),
        workspaceId: scope.workspaceId,
        ...invitation,
        isActive: false,
        inviteAcceptedAt: null,
        identitySubject: null,
        createdAt: now,
      };
      await this.members.add(tx, member, author.actor, now);
      await this.recordChange(tx, author, 'member_invited', undefined, member);
      await this.notifications.invited(
        tx,
        scope,
        await this.invitationNotification(tx, member, author.actor),
        now,
      );
      return member;
    });
  }

  /**
   * Sends the mail of a pending invitation again, in the name of the author.
   * @throws DomainError member_not_found (404), conflict (409) if it is no longer pending, rate_limit_exceeded (429)
   *   as TeamNotifications.
   */
  async resendInvitation(scope: WorkspaceScope, id: string, author: Author): Promise<Member> {
    return this.change(scope, author, async (tx, now) => {
      const member = await this.get(tx, scope, id);
      if (stateOf(member) !== 'pending')
        throw new DomainError('conflict', 'The invitation is not pending and cannot be resent.');
      await this.notifications.invitedAgain(
        tx,
        scope,
        await this.invitationNotification(tx, member, author.actor),
        now,
      );
      await this.audit.record(tx, scope, author, {
        action: 'invitation_resent',
        subjectId: member.id,
        before: null,
        after: { email: member.email },
      });
      return member;
    });
  }

  /** @throws DomainError member_not_found (404), member_protected (400). */
  async changeRole(scope: WorkspaceScope, id: string, role: AssignableRole, author: Author): Promise<Member> {
    return this.changeOne(scope, id, author, 'member_role_changed', (member) =>
      withRole(member, role, author.actor),
    );
  }

  /**
   * Deactivates a member, or withdraws an invitation; a deactivated member stays so.
   * @throws DomainError member_not_found (404), member_protected (400).
   */
  async deactivate(scope: WorkspaceScope, id: string, author: Author): Promise<void> {
    await this.change(scope, author, async (tx, now) => {
      const member = await this.get(tx, scope, id);
      const next = deactivated(member, author.actor);
      if (next !== 'removed') return this.storeChange(tx, author, 'member_deactivated', member, next, now);
      await this.members.remove(tx, member);
      await this.notifications.invitationEnded(tx, scope, member.id, now);
      await this.recordChange(tx, author, 'invitation_revoked', member, undefined);
    });
  }

  /**
   * Activates a deactivated member with its former role.
   * @throws DomainError member_not_found (404), member_pending (400), plan_limit_reached (403).
   */
  async activate(scope: WorkspaceScope, plan: Plan, id: string, author: Author): Promise<Member> {
    return this.change(scope, author, async (tx, now) => {
      const member = await this.get(tx, scope, id);
      const next = activated(member);
      if (stateOf(member) !== 'active') assertWithin('members', await this.members.count(tx, scope), plan);
      await this.storeChange(tx, author, 'member_activated', member, next, now);
      return next;
    });
  }

  /**
   * Makes another member the owner, and the owner an admin.
   * @param author the owner.
   * @throws DomainError member_not_found (404), member_protected, member_pending (400), insufficient_role (403) if
   *   the author is no longer the owner.
   */
  async transferOwnership(scope: WorkspaceScope, newOwnerId: string, author: Author): Promise<Member> {
    return this.change(scope, author, async (tx, now) => {
      const owner = await this.get(tx, scope, author.actor);
      if (owner.role !== 'owner')
        throw new DomainError('insufficient_role', 'This requires the role owner.', {
          required_roles: ['owner'],
          your_role: owner.role,
        });
      const { former, next } = ownershipTransferred(owner, await this.get(tx, scope, newOwnerId));
      // The former owner is stored first: the database allows only one owner.
      await this.members.store(tx, former, now);
      await this.members.store(tx, next, now);
      await this.audit.record(tx, scope, author, {
        action: 'ownership_transferred',
        subjectId: next.id,
        before: { owner: former.id },
        after: { owner: next.id },
      });
      return next;
    });
  }

  private async invitationNotification(
    tx: Transaction,
    member: Member,
    inviterId: string,
  ): Promise<InvitationNotification> {
    return { member, ...(await this.members.invitationContext(tx, member, inviterId)) };
  }

  private async changeOne(
    scope: WorkspaceScope,
    id: string,
    author: Author,
    action: AuditAction,
    changed: (member: Member) => Member,
  ): Promise<Member> {
    return this.change(scope, author, async (tx, now) => {
      const member = await this.get(tx, scope, id);
      const next = changed(member);
      await this.storeChange(tx, author, action, member, next, now);
      return next;
    });
  }

  /**
   * Checks the author again under the lock: while waiting for it, the author may have lost the role that the guard
   * checked.
   */
  private change<Result>(
    scope: WorkspaceScope,
    { actor }: Author,
    work: (tx: Transaction, now: Date) => Promise<Result>,
  ): Promise<Result> {
    return this.database.inScope(scope, async (tx) => {
      await this.members.lockTeam(tx, scope);
      const author = isUuid(actor) ? await this.members.find(tx, scope, actor) : undefined;
      if (!author?.isActive || !roleAllows(author.role, 'members:write'))
        throw missingPermission('members:write');
      return work(tx, this.clock.now());
    });
  }

  private async get(tx: Transaction, scope: WorkspaceScope, id: string): Promise<Member> {
    const member = isUuid(id) ? await this.members.find(tx, scope, id) : undefined;
    if (!member) throw new DomainError('member_not_found', 'No such member exists.');
    return member;
  }

  /** Stores and records a change, if there is one. */
  private async storeChange(
    tx: Transaction,
    author: Author,
    action: AuditAction,
    before: Member,
    after: Member,
    now: Date,
  ): Promise<void> {
    if (before.role === after.role && before.isActive === after.isActive) return;
    await this.members.store(tx, after, now);
    await this.recordChange(tx, author, action, before, after);
  }

  private async recordChange(
    tx: Transaction,
    author: Author,
    action: AuditAction,
    before: Member | undefined,
    after: Member | undefined,
  ): Promise<void> {
    const subject = after ?? before;
    if (!subject) return;
    const states = {
      before: before ? auditedFields(before) : null,
      after: after ? auditedFields(after) : null,
    };
    await this.audit.record(tx, subject, author, { action, subjectId: subject.id, ...states });
  }
}

function auditedFields({ email, name, role, isActive }: Member): JsonObject {
  return { email, name, role, is_active: isActive };
}
