/**
 * REST endpoints for the caller's own invitations, section 4.1: open to every person with a token, member of a
 * workspace or not.
 */
import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Identity } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentNetwork } from '../../access/current-author.decorator.js';
import { CurrentIdentity } from '../../access/current-identity.decorator.js';
import { RequiresIdentity } from '../../access/requires.decorator.js';
import { InvitationService } from '../application/invitation.service.js';
import { InvitationListOutput, invitationOutput, MemberOutput } from '../output/member.output.js';

@ApiTags('members')
@ApiErrors('control_plane_only')
@Controller('v1/workspace/members/invitations')
export class InvitationsController {
  constructor(private readonly invitations: InvitationService) {}

  @Get()
  @RequiresIdentity()
  @ApiOperation({ summary: 'List the caller’s pending invitations in all workspaces, newest first' })
  @ApiOkResponse({ type: InvitationListOutput })
  async list(@CurrentIdentity() identity: Identity): Promise<object> {
    const invitations = await this.invitations.list(identity);
    return restOf(InvitationListOutput, { invitations: invitations.map(invitationOutput) });
  }

  @Post(':id/accept')
  @HttpCode(200)
  @RequiresIdentity()
  @ApiOperation({
    summary: 'Accept an invitation sent to the caller’s verified email; links the identity to the workspace',
  })
  @ApiOkResponse({ type: MemberOutput })
  @ApiErrors('invitation_not_found', 'member_exists')
  async accept(
    @CurrentIdentity() identity: Identity,
    @CurrentNetwork() network: string,
    @Param('id') id: string,
  ): Promise<object> {
    return restOf(MemberOutput, await this.invitations.accept(identity, id, network));
  }
}
