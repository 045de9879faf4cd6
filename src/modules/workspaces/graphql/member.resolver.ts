/** The members of the caller's workspace, in GraphQL. */
import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { encodeCursor, KEY, decodeCursor } from '../../../kernel/page-cursor.js';
import { type Author, type Principal, scopeOf } from '../../../kernel/principal.js';
import { connectionOf, type Connection, type Edge } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { PageArgs } from '../../../platform/input/page.input.js';
import { CurrentAuthor } from '../../access/current-author.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { MemberService } from '../application/member.service.js';
import { TeamService } from '../application/team.service.js';
import type { Member } from '../domain/member.js';
import { ResendInvitationArgs, TransferOwnershipArgs } from '../input/member.input.js';
import { MemberConnection, MemberOutput } from '../output/member.output.js';

/** List name in its cursors. */
const LIST = 'members';

@Resolver(() => MemberOutput)
export class MemberResolver {
  constructor(
    private readonly memberService: MemberService,
    private readonly team: TeamService,
  ) {}

  @Query(() => MemberConnection, {
    complexity: COST.list,
    description: 'Members, oldest first, including pending and deactivated members.',
  })
  @Requires({ permission: 'members:read' })
  async members(
    @CurrentPrincipal() principal: Principal,
    @Args() args: PageArgs,
  ): Promise<Connection<Edge<Member>>> {
    const page = { first: args.first, after: decodeCursor(LIST, args.after, KEY.none) };
    return connectionOf(await this.memberService.page(scopeOf(principal), page), args, (node) => ({
      cursor: encodeCursor(LIST, { key: '', id: node.id }),
      node,
    }));
  }

  @Mutation(() => MemberOutput, {
    complexity: COST.change,
    description:
      'Resends a pending invitation. Limited to one email per address in 10 minutes and five in 24 hours, and ' +
      '100 per workspace in 24 hours; beyond that returns rate_limit_exceeded.',
  })
  @Requires({ permission: 'members:write' })
  async resendInvitation(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args() { memberId }: ResendInvitationArgs,
  ): Promise<Member> {
    return this.team.resendInvitation(scopeOf(principal), memberId, author);
  }

  @Mutation(() => MemberOutput, {
    complexity: COST.change,
    description:
      'Makes another active member the owner. The previous owner becomes an admin. Returns the new owner.',
  })
  @Requires({ roles: ['owner'], isWriting: true })
  async transferOwnership(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args() { memberId }: TransferOwnershipArgs,
  ): Promise<Member> {
    return this.team.transferOwnership(scopeOf(principal), memberId, author);
  }
}
