/** A person's membership in a workspace, section 2.1. */
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

/** Roles that can be assigned to members; the single owner changes only by a transfer of ownership. */
export const ASSIGNABLE_ROLES = ['admin', 'developer', 'marketing', 'operations', 'viewer'] as const;
export type AssignableRole = (typeof ASSIGNABLE_ROLES)[number];

export const MAX_MEMBER_NAME_LENGTH = 255;

/** State of a member, section 3.1. */
export type MemberState = 'pending' | 'active' | 'deactivated';

export function stateOf({
  isActive,
  inviteAcceptedAt,
}: Pick<Member, 'isActive' | 'inviteAcceptedAt'>): MemberState {
  if (isActive) return 'active';
  return inviteAcceptedAt === null ? 'pending' : 'deactivated';
}

/** The form of an email by which members are found: people ignore its case. */
export function emailKeyOf(email: string): string {
  return email.trim().toLowerCase();
}
