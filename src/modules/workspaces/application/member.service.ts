/** The members of a workspace. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { Slice, PageRequest } from '../../../kernel/page-cursor.js';
import type { Role } from '../../../kernel/principal.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { Member } from '../domain/member.js';
import { MemberRepository } from '../persistence/member.repository.js';

/** A member created by the operator. */
export interface NewMember {
  readonly email: string;
  /** May be empty. */
  readonly name: string;
  readonly role: Role;
}

/** If there are more, the latest to join are not notified. */
const MAX_MANAGERS = 20;

@Injectable()
export class MemberService {
  constructor(
    private readonly database: Database,
    private readonly members: MemberRepository,
    private readonly clock: Clock,
  ) {}

  /** Members of the workspace, oldest first, including pending and deactivated ones. */
  async list(scope: WorkspaceScope): Promise<Member[]> {
    return this.members.list(scope, false);
  }

  /** Active members. */
  async listActive(scope: WorkspaceScope): Promise<Member[]> {
    return this.members.list(scope, true);
  }

  /** A page of members. */
  async page(scope: WorkspaceScope, page: PageRequest): Promise<Slice<Member>> {
    return this.members.page(scope, page);
  }

  /**
   * The people responsible for the workspace: the owner, then active admins, longest membership first; twenty at
   * most.
   */
  async managers(tx: Transaction, scope: WorkspaceScope): Promise<Member[]> {
    return this.members.managers(tx, scope, MAX_MANAGERS);
  }

  /** An active member; undefined if there is none with this id. */
  async findActive(tx: Transaction, scope: WorkspaceScope, id: string): Promise<Member | undefined> {
    return this.members.findActive(tx, scope, id);
  }

  /** Those of the email addresses that belong to active members. */
  async activeAddresses(
    tx: Transaction,
    scope: WorkspaceScope,
    emails: readonly string[],
  ): Promise<string[]> {
    return this.members.activeAddresses(tx, scope, emails);
  }

  /** Members that count toward the plan's limit, section 8.2: active and pending ones. */
  async countTowardPlan(tx: Transaction, scope: WorkspaceScope): Promise<number> {
    return this.members.count(tx, scope);
  }

  /** Creates an active member for the operator, to whom the plan's limit on members does not apply. */
  async addActive(scope: WorkspaceScope, person: NewMember): Promise<Member> {
    const now = this.clock.now();
    const member: Member = {
      id: uuidv7(now.getTime()),
      workspaceId: scope.workspaceId,
      ...person,
      isActive: true,
      inviteAcceptedAt: now,
      identitySubject: null,
      createdAt: now,
    };
    await this.database.inScope(scope, (tx) => this.members.add(tx, member, null, now));
    return member;
  }

  /**
   * The active memberships of an identity. A member without an identity is linked to it if the member's email is the
   * identity's verified one; from then on only the subject counts.
   * @param verifiedEmail undefined if the identity has none.
   */
  async membershipsOf(subject: string, verifiedEmail: string | undefined): Promise<Member[]> {
    const memberships: Member[] = [];
    for (const member of await this.members.activeOf(subject, verifiedEmail)) {
      if (member.identitySubject === subject) memberships.push(member);
      else if (await this.members.link(member, subject, this.clock.now()))
        memberships.push({ ...member, identitySubject: subject });
    }
    return memberships;
  }
}
