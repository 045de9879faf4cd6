/**
 * Members and invitations in REST (sections 2.1 and 2.2), and the classes that describe them in the OpenAPI document.
 */
import { ApiProperty } from '@nestjs/swagger';
import { ROLES } from '../../../kernel/principal.js';
import type { Member } from '../domain/member.js';
import type { StoredInvitation } from '../persistence/member.repository.js';

export class MemberResponse {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ description: 'Can be an empty string.', example: 'Dora' }) name: string;
  @ApiProperty({ example: 'dora@acme.test' }) email: string;
  @ApiProperty({ enum: [...ROLES] }) role: string;
  @ApiProperty({ description: 'False for pending invitations and deactivated members.' }) is_active: boolean;
  @ApiProperty({ format: 'date-time' }) created_at: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Null while the invitation is pending.',
  })
  invite_accepted_at: string | null;
}

export class MemberListResponse {
  @ApiProperty({ type: [MemberResponse] }) members: readonly MemberResponse[];
  @ApiProperty({ type: 'integer' }) total: number;
}

export class InvitationResponse {
  @ApiProperty({ format: 'uuid' }) invitation_id: string;
  @ApiProperty({ example: 'Acme' }) workspace_name: string;
  @ApiProperty({ format: 'uuid' }) workspace_id: string;
  @ApiProperty({ enum: [...ROLES] }) role: string;
  @ApiProperty({ description: 'Display name of the inviter.', example: 'Olive' }) invited_by: string;
  @ApiProperty({ format: 'date-time' }) invited_at: string;
}

export class InvitationListResponse {
  @ApiProperty({ type: [InvitationResponse] }) invitations: readonly InvitationResponse[];
}

export function presentMember(member: Member): MemberResponse {
  const { id, name, email, role, isActive, createdAt, inviteAcceptedAt } = member;
  return {
    id,
    name,
    email,
    role,
    is_active: isActive,
    created_at: createdAt.toISOString(),
    invite_accepted_at: inviteAcceptedAt?.toISOString() ?? null,
  };
}

export function presentMembers(members: readonly Member[]): MemberListResponse {
  return { members: members.map(presentMember), total: members.length };
}

export function presentInvitations(invitations: readonly StoredInvitation[]): InvitationListResponse {
  return {
    invitations: invitations.map(({ member, workspaceName, invitedBy }) => ({
      invitation_id: member.id,
      workspace_name: workspaceName,
      workspace_id: member.workspaceId,
      role: member.role,
      invited_by: invitedBy,
      invited_at: member.createdAt.toISOString(),
    })),
  };
}
