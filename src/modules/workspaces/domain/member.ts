/** A person's place in a workspace, section 2.1. */
import type { Role } from '../../../kernel/principal.js';

export interface Member {
  readonly id: string;
  readonly workspaceId: string;
  readonly email: string;
  /** May be empty. */
  readonly name: string;
  readonly role: Role;
  /** False for pending invitations and deactivated members. */
  readonly isActive: boolean;
  /** Null while an invitation is pending. */
  readonly inviteAcceptedAt: Date | null;
  /** Subject of the identity that the member is linked to; null before the first request. */
  readonly identitySubject: string | null;
  readonly createdAt: Date;
}

/** Roles that members are invited to and changed to; there is one owner, who hands the workspace over. */
export const GIVEN_ROLES = ['admin', 'developer', 'marketing', 'operations', 'viewer'] as const;
export type GivenRole = (typeof GIVEN_ROLES)[number];

export const LONGEST_MEMBER_NAME = 255;

/** What a member is, section 3.1. */
export type MemberState = 'pending' | 'active' | 'deactivated';

export function stateOf({
  isActive,
  inviteAcceptedAt,
}: Pick<Member, 'isActive' | 'inviteAcceptedAt'>): MemberState {
  if (isActive) return 'active';
  return inviteAcceptedAt === null ? 'pending' : 'deactivated';
}

/** The form of an email under which members are found: people do not mind its case. */
export function emailKeyOf(email: string): string {
  return email.trim().toLowerCase();
}
