/** Storage of members. */
import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThan } from 'typeorm';
import { sliceOf, type Slice, type PageRequest } from '../../../kernel/page-cursor.js';
import type { Role } from '../../../kernel/principal.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { Member } from '../domain/member.js';
import { emailKeyOf } from '../domain/member.js';
import { MemberEntity } from './member.entity.js';

const PENDING = { isActive: false, inviteAcceptedAt: IsNull() };

/** A pending invitation, with what it shows about its workspace. */
export interface StoredInvitation {
  readonly member: Member;
  readonly workspaceName: string;
  /** The inviter's name, or email if it has none; the workspace's name if the inviter is unknown. */
  readonly invitedBy: string;
}

@Injectable()
export class MemberRepository {
  constructor(private readonly database: Database) {}

  /**
   * Members of the workspace, oldest first.
   * @param isActive true excludes pending and deactivated members; false lists all.
   */
  async list({ workspaceId }: WorkspaceScope, isActive: boolean): Promise<Member[]> {
    return this.database.listInScope({ workspaceId }, async ({ manager }) => {
      const rows = await manager.find(MemberEntity, {
        where: { workspaceId, ...(isActive ? { isActive } : {}) },
        order: { createdAt: 'ASC', id: 'ASC' },
      });
      return rows.map(recordOf);
    });
  }

  /** A page of members. Ids increase with their time of creation. */
  async page(scope: WorkspaceScope, { first, after }: PageRequest): Promise<Slice<Member>> {
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
   * The active memberships of a person in all workspaces, oldest first: those linked to the identity, and those
   * linked to none that have the person's email.
   * @param email verified one; undefined matches nothing by email.
   */
  async activeOf(subject: string, email: string | undefined): Promise<Member[]> {
    const proof = {
      identitySubject: subject,
      identityEmail: email === undefined ? undefined : emailKeyOf(email),
    };
    return this.database.withProof(proof, async ({ manager }) => {
      // The row policy limits the result to the person's rows.
      const rows = await manager.find(MemberEntity, { where: { isActive: true }, order: { id: 'ASC' } });
      return rows.map(recordOf);
    });
  }

  /** Links a member to an identity. False if another was linked first. */
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

  /**
   * @param invitedBy the member who invites; null for the operator.
   */
  async add(tx: Transaction, member: Member, invitedBy: string | null, now: Date): Promise<void> {
    const emailKey = emailKeyOf(member.email);
    await tx.manager.insert(MemberEntity, { ...member, emailKey, invitedBy, updatedAt: now });
  }

  /** Serializes counting and changing members of the workspace until the transaction ends. */
  async lockTeam(tx: Transaction, scope: WorkspaceScope): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`members ${scope.workspaceId}`]);
  }

  /** Members that count toward the plan's limit: active and pending ones. */
  async count(tx: Transaction, scope: WorkspaceScope): Promise<number> {
    const [row] = await tx.query<{ members: number }>(
      `SELECT count(*)::int AS members FROM members
       WHERE workspace_id = $1 AND (is_active OR invite_accepted_at IS NULL)`,
      [scope.workspaceId],
    );
    return row?.members ?? 0;
  }

  /** The owner, then active admins, longest membership first, at most `limit`. */
  async managers(tx: Transaction, { workspaceId }: WorkspaceScope, limit: number): Promise<Member[]> {
    const rows = await tx.manager.find(MemberEntity, {
      where: { workspaceId, isActive: true, role: In(['owner', 'admin']) },
      order: { role: 'DESC', id: 'ASC' },
      take: limit,
    });
    return rows.map(recordOf);
  }

  /** An active member; undefined if there is none with this id. */
  async findActive(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    id: string,
  ): Promise<Member | undefined> {
    const row = await tx.manager.findOneBy(MemberEntity, { workspaceId, id, isActive: true });
    return row ? recordOf(row) : undefined;
  }

  /** Those of the email addresses that belong to active members. */
  async activeAddresses(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    emails: readonly string[],
  ): Promise<string[]> {
    const emailKey = In(emails.map(emailKeyOf));
    const rows = await tx.manager.findBy(MemberEntity, { workspaceId, isActive: true, emailKey });
    return rows.map(({ email }) => email);
  }

  /** What an invitation shows about its sender: the workspace's name, and the inviting member's if there is one. */
  async invitationContext(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    inviterId: string,
  ): Promise<{ workspaceName: string; inviter: { name: string; email: string } | null }> {
    const [row] = await tx.query<{ workspace: string; name: string; email: string | null }>(
      `SELECT w.name AS workspace, m.name, m.email
       FROM workspaces w LEFT JOIN members m ON m.workspace_id = w.id AND m.id::text = $2 WHERE w.id = $1`,
      [workspaceId, inviterId],
    );
    return {
      workspaceName: row?.workspace ?? '',
      inviter: row?.email ? { name: row.name, email: row.email } : null,
    };
  }

  async find(
    { manager }: Transaction,
    { workspaceId }: WorkspaceScope,
    id: string,
  ): Promise<Member | undefined> {
    const row = await manager.findOneBy(MemberEntity, { workspaceId, id });
    return row ? recordOf(row) : undefined;
  }

  async findByEmail(
    { manager }: Transaction,
    { workspaceId }: WorkspaceScope,
    email: string,
  ): Promise<Member | undefined> {
    const row = await manager.findOneBy(MemberEntity, { workspaceId, emailKey: emailKeyOf(email) });
    return row ? recordOf(row) : undefined;
  }

  /** Whether an identity is linked to a member of the workspace. */
  async isLinked(
    { manager }: Transaction,
    { workspaceId }: WorkspaceScope,
    identitySubject: string,
  ): Promise<boolean> {
    return manager.existsBy(MemberEntity, { workspaceId, identitySubject });
  }

  /** Stores the new state of a member of a locked team. */
  async store({ manager }: Transaction, member: Member, now: Date): Promise<void> {
    const { workspaceId, id, name, role, isActive, inviteAcceptedAt, identitySubject } = member;
    await manager.update(
      MemberEntity,
      { workspaceId, id },
      { name, role, isActive, inviteAcceptedAt, identitySubject, updatedAt: now },
    );
  }

  async remove({ manager }: Transaction, { workspaceId, id }: Member): Promise<void> {
    await manager.delete(MemberEntity, { workspaceId, id });
  }

  /** A pending invitation of an email, in any workspace. */
  async invitationFor(email: string, id: string): Promise<Member | undefined> {
    const proof = { identitySubject: '', identityEmail: emailKeyOf(email) };
    return this.database.withProof(proof, async ({ manager }) => {
      const row = await manager.findOneBy(MemberEntity, {
        id,
        emailKey: proof.identityEmail,
        ...PENDING,
      });
      return row ? recordOf(row) : undefined;
    });
  }

  /**
   * The pending invitations of an email in all workspaces, latest first. A workspace has one at most; the name of
   * each workspace is read in a separate scope, since no scope covers two.
   */
  async invitationsOf(email: string, limit: number): Promise<StoredInvitation[]> {
    const proof = { identitySubject: '', identityEmail: emailKeyOf(email) };
    return this.database.withProof(proof, async (tx) => {
      const rows = await tx.manager.find(MemberEntity, {
        where: { emailKey: proof.identityEmail, ...PENDING },
        order: { id: 'DESC' },
        take: limit,
      });
      const invitations: StoredInvitation[] = [];
      for (const row of rows) {
        await tx.enter({ workspaceId: row.workspaceId });
        const [details] = await tx.query<{ workspace: string; inviter: string | null }>(
          `SELECT w.name AS workspace, coalesce(nullif(m.name, ''), m.email) AS inviter
           FROM workspaces w LEFT JOIN members m ON m.workspace_id = w.id AND m.id = $2 WHERE w.id = $1`,
          [row.workspaceId, row.invitedBy],
        );
        if (details)
          invitations.push({
            member: recordOf(row),
            workspaceName: details.workspace,
            invitedBy: details.inviter ?? details.workspace,
          });
      }
      return invitations;
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
