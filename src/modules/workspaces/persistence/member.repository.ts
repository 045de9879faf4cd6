/** Storage of members. */
import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { sliceOf, type Slice, type WantedPage } from '../../../kernel/place.js';
import type { Role } from '../../../kernel/principal.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import type { Member } from '../domain/member.js';
import { emailKeyOf } from '../domain/member.js';
import { MemberEntity } from './member.entity.js';

@Injectable()
export class MemberRepository {
  constructor(private readonly database: Database) {}

  /** Members of the workspace, oldest first, pending and deactivated ones among them. */
  async list(scope: WorkspaceScope): Promise<Member[]> {
    return this.database.inScope(scope, async ({ manager }) => {
      const rows = await manager.find(MemberEntity, {
        where: { workspaceId: scope.workspaceId },
        order: { createdAt: 'ASC', id: 'ASC' },
      });
      return rows.map(recordOf);
    });
  }

  /** A page of them. Ids grow with the time at which they are given. */
  async page(scope: WorkspaceScope, { first, after }: WantedPage): Promise<Slice<Member>> {
    return this.database.listInScope(scope, async ({ manager }) => {
      const rows = await manager.find(MemberEntity, {
        where: { workspaceId: scope.workspaceId, ...(after ? { id: MoreThan(after.id) } : {}) },
        order: { id: 'ASC' },
        take: first + 1,
      });
      return sliceOf(rows.map(recordOf), first);
    });
  }

  /**
   * The active memberships of a person in all workspaces, oldest first: those linked to the identity and those
   * not linked to any whose email is the person's.
   * @param email verified one; undefined matches nothing by email.
   */
  async activeOf(subject: string, email: string | undefined): Promise<Member[]> {
    const proof = {
      identitySubject: subject,
      identityEmail: email === undefined ? undefined : emailKeyOf(email),
    };
    return this.database.withProof(proof, async ({ manager }) => {
      // The policy opens nobody else's rows.
      const rows = await manager.find(MemberEntity, { where: { isActive: true }, order: { id: 'ASC' } });
      return rows.map(recordOf);
    });
  }

  /** Links a member to an identity. False when another was linked first. */
  async link(member: Member, subject: string, now: Date): Promise<boolean> {
    return this.database.inScope(member, async (transaction) => {
      const changed = await transaction.execute(
        `UPDATE members SET identity_subject = $3, updated_at = $4
          WHERE workspace_id = $1 AND id = $2 AND (identity_subject IS NULL OR identity_subject = $3)`,
        [member.workspaceId, member.id, subject, now],
      );
      return changed > 0;
    });
  }

  async add(member: Member, now: Date): Promise<void> {
    await this.database.inScope(member, async ({ manager }) => {
      await manager.insert(MemberEntity, {
        ...member,
        emailKey: emailKeyOf(member.email),
        invitedBy: null,
        updatedAt: now,
      });
    });
  }
}

function recordOf(row: MemberEntity): Member {
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    email: row.email,
    name: row.name,
    role: row.role as Role,
    isActive: row.isActive,
    inviteAcceptedAt: row.inviteAcceptedAt,
    identitySubject: row.identitySubject,
    createdAt: row.createdAt,
  };
}
