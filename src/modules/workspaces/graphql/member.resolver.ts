/** The people of the caller's workspace. */
import { Query, Resolver } from '@nestjs/graphql';
import { type Principal, scopeOf } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { MemberService } from '../application/member.service.js';
import { MemberType, memberTypeOf } from './member.type.js';

@Resolver(() => MemberType)
export class MemberResolver {
  constructor(private readonly people: MemberService) {}

  @Query(() => [MemberType], {
    complexity: COST.list,
    description: 'Members, oldest first, pending and deactivated ones among them.',
  })
  @Requires({ permission: 'members:read' })
  async members(@CurrentPrincipal() principal: Principal): Promise<MemberType[]> {
    return (await this.people.list(scopeOf(principal))).map(memberTypeOf);
  }
}
