/** Rules for changing members, sections 3.1 and 4.1. Pure functions that return the changed member. */
import { DomainError } from '../../../kernel/domain-error.js';
import type { Identity } from '../../../kernel/principal.js';
import { emailKeyOf, MAX_MEMBER_NAME_LENGTH, stateOf, type AssignableRole, type Member } from './member.js';

/**
 * The member with another role; for a pending or deactivated one it applies later.
 * @param actorId the member who makes the change.
 * @throws DomainError member_protected (400) for oneself and the owner.
 */
export function withRole(member: Member, role: AssignableRole, actorId: string): Member {
  if (member.id === actorId) throw memberProtected('You cannot change your own role.');
  if (member.role === 'owner')
    throw memberProtected("The owner's role cannot be changed: transfer ownership instead.");
  return { ...member, role };
}

/**
 * A deactivated member; its record is retained. A pending member is removed instead: its invitation is withdrawn and
 * nothing is retained.
 * @throws DomainError member_protected (400) for oneself and the owner.
 */
export function deactivated(member: Member, actorId: string): Member | 'removed' {
  if (member.id === actorId) throw memberProtected('You cannot deactivate yourself.');
  if (member.role === 'owner')
    throw memberProtected('The owner cannot be deactivated: transfer ownership first.');
  return stateOf(member) === 'pending' ? 'removed' : { ...member, isActive: false };
}

/**
 * A deactivated member, active again with its former role; an active one does not change.
 * @throws DomainError member_pending (400) if the person has not accepted the invitation: only the person can.
 */
export function activated(member: Member): Member {
  if (stateOf(member) === 'pending')
    throw new DomainError('member_pending', 'The invitation is pending: the invited person must accept it.');
  return { ...member, isActive: true };
}

/**
 * Transfers ownership to an active member; the former owner becomes an admin.
 * @throws DomainError member_protected (400) for oneself; member_pending (400) for a member who is not active.
 */
export function ownershipTransferred(
  owner: Member,
  newOwner: Member,
): { readonly former: Member; readonly next: Member } {
  if (owner.id === newOwner.id) throw memberProtected('You are already the owner.');
  if (stateOf(newOwner) !== 'active')
    throw new DomainError('member_pending', 'Only an active member can become the owner.');
  return { former: { ...owner, role: 'admin' }, next: { ...newOwner, role: 'owner' } };
}

/** Whether the person may accept an invitation: it is pending, and was sent to the person's verified email. */
export function isInvited({ verifiedEmail }: Identity, member: Member): boolean {
  return (
    stateOf(member) === 'pending' &&
    verifiedEmail !== undefined &&
    emailKeyOf(verifiedEmail) === emailKeyOf(member.email)
  );
}

/** The member after the person accepted the invitation; a given name does not change. */
export function accepted(member: Member, identity: Identity, now: Date): Member {
  return {
    ...member,
    name: member.name === '' ? [...identity.name].slice(0, MAX_MEMBER_NAME_LENGTH).join('') : member.name,
    isActive: true,
    inviteAcceptedAt: now,
    identitySubject: identity.subject,
  };
}

function memberProtected(detail: string): DomainError {
  return new DomainError('member_protected', detail);
}
