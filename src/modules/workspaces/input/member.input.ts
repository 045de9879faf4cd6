/** Input for the team, sections 4.1 and 8.3. */
import { Email, Flag, OneOf, SearchText, Text } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { ASSIGNABLE_ROLES, MAX_MEMBER_NAME_LENGTH, type AssignableRole } from '../domain/member.js';

const ROLE = {
  example: 'developer',
  description: 'The owner role cannot be assigned; transfer ownership instead.',
} as const;

@Input({ rest: 'InviteMemberBody' })
export class InviteMemberInput {
  @Email({ example: 'dora@acme.test' }) email: string;
  @OneOf(ASSIGNABLE_ROLES, ROLE) role: AssignableRole;

  @Text({ optional: true, nullable: 'absent', max: MAX_MEMBER_NAME_LENGTH, example: 'Dora' })
  name?: string | null;
}

@Input({ rest: 'MemberRoleBody' })
export class MemberRoleInput {
  @OneOf(ASSIGNABLE_ROLES, ROLE) role: AssignableRole;
}

@Input({})
export class MemberListQuery {
  @Flag({ fallback: true, description: 'Whether to include pending and deactivated members.' })
  includeInactive: boolean;
}

@Arguments()
export class TransferOwnershipArgs {
  @SearchText({ isId: true, description: 'ID of the active member who becomes the owner.' }) memberId: string;
}

@Arguments()
export class ResendInvitationArgs {
  @SearchText({ isId: true, description: 'ID of the pending member.' }) memberId: string;
}
