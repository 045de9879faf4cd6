/** Members and invitations in REST (sections 2.1 and 2.2) and in GraphQL. */
import { ROLES } from '../../../kernel/principal.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { connection } from '../../../platform/output/pages.js';
import type { StoredInvitation } from '../persistence/member.repository.js';

const MemberRoleEnum = graphqlEnum('MemberRole', ROLES);

@Output({ rest: 'MemberResponse', graphql: 'Member' })
export class MemberOutput {
  @Out('ID') id: string;
  @Out('String', { example: 'Dora', description: 'Can be an empty string.' }) name: string;
  @Out('String', { example: 'dora@acme.test' }) email: string;
  @Out(oneOf(ROLES, MemberRoleEnum)) role: string;
  @Out('Boolean', { description: 'False for pending invitations and deactivated members.' })
  isActive: boolean;
  @Out('DateTime') createdAt: Date;
  @Out('DateTime', { nullable: true, description: 'Null while the invitation is pending.' })
  inviteAcceptedAt: Date | null;
}

export const MemberConnection = connection('Member', MemberOutput);

@Output({ rest: 'MemberListResponse' })
export class MemberListOutput {
  @Out([MemberOutput]) members: readonly MemberOutput[];
  @Out('Int') total: number;
}

@Output({ rest: 'InvitationResponse' })
class InvitationOutput {
  @Out('ID') invitationId: string;
  @Out('String', { example: 'Acme' }) workspaceName: string;
  @Out('ID') workspaceId: string;
  @Out(oneOf(ROLES)) role: string;
  @Out('String', { example: 'Olive', description: 'Display name of the inviter.' }) invitedBy: string;
  @Out('DateTime') invitedAt: Date;
}

@Output({ rest: 'InvitationListResponse' })
export class InvitationListOutput {
  @Out([InvitationOutput]) invitations: readonly InvitationOutput[];
}

export function invitationOutput({ member, workspaceName, invitedBy }: StoredInvitation): InvitationOutput {
  const { id, workspaceId, role, createdAt } = member;
  return { invitationId: id, workspaceName, workspaceId, role, invitedBy, invitedAt: createdAt };
}
