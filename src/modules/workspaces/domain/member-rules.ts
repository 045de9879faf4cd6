/** Who may be changed in which way, sections 3.1 and 4.1. Pure; each gives the member as it is afterwards. */
import { DomainError } from '../../../kernel/domain-error.js';
import type { Identity } from '../../../kernel/principal.js';
import { emailKeyOf, LONGEST_MEMBER_NAME, stateOf, type GivenRole, type Member } from './member.js';

/**
 * A member in another role; a pending or deactivated one has it from then on.
 * @param actorId the member who asks.
 * @throws DomainError member_protected (400) for oneself and the owner.
 */
export function inRole(member: Member, role: GivenRole, actorId: string): Member {
  if (member.id === actorId) throw refused('You cannot change your own role.');
  if (member.role === 'owner')
    throw refused("The owner's role cannot be changed: transfer ownership instead.");
  return { ...member, role };
}

/**
 * A member who may do nothing any more; the record stays. A pending one is not deactivated: its invitation is taken back, and
 * nothing is left of it.
 * @throws DomainError member_protected (400) for oneself and the owner.
 */
export function deactivated(member: Member, actorId: string): Member | 'removed' {
  if (member.id === actorId) throw refused('You cannot deactivate yourself.');
  if (member.role === 'owner') throw refused('The owner cannot be deactivated: transfer ownership first.');
  return stateOf(member) === 'pending' ? 'removed' : { ...member, isActive: false };
}

/**
 * A deactivated member with its former role; an active one as it is.
 * @throws DomainError member_pending (400) where the person has not accepted its invitation: nobody does that in its place.
 */
export function activated(member: Member): Member {
  if (stateOf(member) === 'pending')
    throw new DomainError('member_pending', 'The invitation is pending: the invited person must accept it.');
  return { ...member, isActive: true };
}

/**
 * The owner's place handed to an active member: the former owner is an admin from then on.
 * @throws DomainError member_protected (400) for oneself; member_pending (400) for who is not active.
 */
export function handedOver(owner: Member, heir: Member): { readonly former: Member; readonly next: Member } {
  if (owner.id === heir.id) throw refused('You are already the owner.');
  if (stateOf(heir) !== 'active')
    throw new DomainError('member_pending', 'Only an active member can become the owner.');
  return { former: { ...owner, role: 'admin' }, next: { ...heir, role: 'owner' } };
}

/** Whether an invitation is one that the person may accept: pending, and sent to an email that is verified as theirs. */
export function isInvited({ verifiedEmail }: Identity, member: Member): boolean {
  return (
    stateOf(member) === 'pending' &&
    verifiedEmail !== undefined &&
    emailKeyOf(verifiedEmail) === emailKeyOf(member.email)
  );
}

/** The member that an invitation becomes when the person accepts it; a name that was given stays. */
export function accepted(member: Member, identity: Identity, now: Date): Member {
  return {
    ...member,
    name: member.name === '' ? [...identity.name].slice(0, LONGEST_MEMBER_NAME).join('') : member.name,
    isActive: true,
    inviteAcceptedAt: now,
    identitySubject: identity.subject,
  };
}

function refused(detail: string): DomainError {
  return new DomainError('member_protected', detail);
}
