/** Input for the team, sections 4.1 and 8.3. */
import { Email, Flag, OneOf, Sought, Text } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { GIVEN_ROLES, LONGEST_MEMBER_NAME, type GivenRole } from '../domain/member.js';

const ROLE = {
  example: 'developer',
  description: 'The owner role cannot be assigned; transfer ownership instead.',
} as const;

@Input({ rest: 'InviteMemberBody' })
export class InviteMemberInput {
  @Email({ example: 'dora@acme.test' }) email: string;
  @OneOf(GIVEN_ROLES, ROLE) role: GivenRole;

  @Text({ optional: true, nullable: 'absent', max: LONGEST_MEMBER_NAME, example: 'Dora' })
  name?: string | null;
}

@Input({ rest: 'MemberRoleBody' })
export class MemberRoleInput {
  @OneOf(GIVEN_ROLES, ROLE) role: GivenRole;
}

@Input({})
export class MemberListQuery {
  @Flag({ fallback: true, description: 'Whether to include pending and deactivated members.' })
  includeInactive: boolean;
}

@Arguments()
export class TransferOwnershipArgs {
  @Sought({ isId: true, description: 'ID of the active member who becomes the owner.' }) memberId: string;
}

@Arguments()
export class ResendInvitationArgs {
  @Sought({ isId: true, description: 'ID of the pending member.' }) memberId: string;
}
