/**
 * REST endpoints for the caller's own invitations, section 4.1: open to every person with a token, member of a
 * workspace or not.
 */
import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Identity } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { CurrentNetwork } from '../../access/current-author.decorator.js';
import { CurrentIdentity } from '../../access/current-identity.decorator.js';
import { RequiresIdentity } from '../../access/requires.decorator.js';
import { InvitationService } from '../application/invitation.service.js';
import {
  InvitationListResponse,
  MemberResponse,
  presentInvitations,
  presentMember,
} from './member.presenter.js';

@ApiTags('members')
@ApiErrors('control_plane_only')
@Controller('v1/workspace/members/invitations')
export class InvitationsController {
  constructor(private readonly invitations: InvitationService) {}

  @Get()
  @RequiresIdentity()
  @ApiOperation({ summary: 'List the caller’s pending invitations in all workspaces, newest first' })
  @ApiOkResponse({ type: InvitationListResponse })
  async list(@CurrentIdentity() identity: Identity): Promise<InvitationListResponse> {
    return presentInvitations(await this.invitations.list(identity));
  }

  @Post(':id/accept')
  @HttpCode(200)
  @RequiresIdentity()
  @ApiOperation({
    summary: 'Accept an invitation sent to the caller’s verified email; links the identity to the workspace',
  })
  @ApiOkResponse({ type: MemberResponse })
  @ApiErrors('invitation_not_found', 'member_exists')
  async accept(
    @CurrentIdentity() identity: Identity,
    @CurrentNetwork() network: string,
    @Param('id') id: string,
  ): Promise<MemberResponse> {
    return presentMember(await this.invitations.accept(identity, id, network));
  }
}
