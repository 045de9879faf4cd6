/** REST endpoints of the team, section 4.1, for people only: API keys are rejected. */
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { type Author, type Principal, scopeOf } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentAuthor } from '../../access/current-author.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { planOf } from '../../limits/domain/plan.js';
import { MemberService } from '../application/member.service.js';
import { TeamService } from '../application/team.service.js';
import { InviteMemberInput, MemberListQuery, MemberRoleInput } from '../input/member.input.js';
import { MemberListOutput, MemberOutput } from '../output/member.output.js';

@ApiTags('members')
@ApiErrors('missing_permission', 'control_plane_only')
@Controller('v1/workspace/members')
export class MembersController {
  constructor(
    private readonly memberService: MemberService,
    private readonly team: TeamService,
  ) {}

  @Get()
  @Requires({ permission: 'members:read' })
  @ApiOperation({ summary: 'List members, oldest first' })
  @ApiOkResponse({ type: MemberListOutput })
  @ApiErrors('invalid_field')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() { includeInactive }: MemberListQuery,
  ): Promise<object> {
    const scope = scopeOf(principal);
    const members = await (includeInactive
      ? this.memberService.list(scope)
      : this.memberService.listActive(scope));
    return restOf(MemberListOutput, { members, total: members.length });
  }

  @Post('invite')
  @Requires({ permission: 'members:write' })
  @ApiOperation({
    summary: 'Invite a member by email; the member is pending until the invitation is accepted',
  })
  @ApiCreatedResponse({ type: MemberOutput })
  @ApiErrors(
    'validation_error',
    'invalid_email',
    'invalid_field',
    'plan_limit_reached',
    'member_exists',
    'rate_limit_exceeded',
    'workspace_suspended',
  )
  async invite(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Body() { email, role, name }: InviteMemberInput,
  ): Promise<object> {
    const invitation = { email: email.trim(), role, name: (name ?? '').trim() };
    const member = await this.team.invite(scopeOf(principal), planOf(principal.plan), invitation, author);
    return restOf(MemberOutput, member);
  }

  @Put(':id/role')
  @Requires({ permission: 'members:write' })
  @ApiOperation({ summary: 'Change a member’s role; not your own or the owner’s' })
  @ApiOkResponse({ type: MemberOutput })
  @ApiErrors(
    'validation_error',
    'invalid_field',
    'member_protected',
    'member_not_found',
    'workspace_suspended',
  )
  async changeRole(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Param('id') id: string,
    @Body() { role }: MemberRoleInput,
  ): Promise<object> {
    const member = await this.team.changeRole(scopeOf(principal), id, role, author);
    return restOf(MemberOutput, member);
  }

  @Delete(':id')
  @HttpCode(204)
  @Requires({ permission: 'members:write' })
  @ApiOperation({
    summary: 'Deactivate a member or withdraw an invitation; not yourself or the owner. The record is kept',
  })
  @ApiNoContentResponse()
  @ApiErrors('member_protected', 'member_not_found', 'workspace_suspended')
  async deactivate(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Param('id') id: string,
  ): Promise<void> {
    await this.team.deactivate(scopeOf(principal), id, author);
  }

  @Post(':id/activate')
  @HttpCode(200)
  @Requires({ permission: 'members:write' })
  @ApiOperation({ summary: 'Reactivate a deactivated member with its previous role' })
  @ApiOkResponse({ type: MemberOutput })
  @ApiErrors('member_pending', 'member_not_found', 'plan_limit_reached', 'workspace_suspended')
  async activate(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Param('id') id: string,
  ): Promise<object> {
    const scope = scopeOf(principal);
    const member = await this.team.activate(scope, planOf(principal.plan), id, author);
    return restOf(MemberOutput, member);
  }
}
