/** Segments for the dashboard: made, changed and looked at here alone; REST evaluates them. */
import { Args, Context, ID, Int, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import DataLoader from 'dataloader';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { loader, type GraphqlContext } from '../../../platform/graphql/loaders.js';
import { JsonScalar } from '../../../platform/graphql/json.scalar.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { ContactType, contactType } from '../../contacts/graphql/contact.type.js';
import { SegmentEvaluationService } from '../application/segment-evaluation.service.js';
import { SegmentMembership } from '../application/segment-membership.js';
import { SegmentService } from '../application/segment.service.js';
import { readSegment } from '../domain/read-segment.js';
import { CreateSegmentInput, givenOf, UpdateSegmentInput } from './segment.input.js';
import { SegmentMemberType, SegmentPageType, SegmentPreviewType, SegmentType } from './segment.type.js';

const LARGEST_PAGE = 100;

const READ = { permission: 'segments:read', keyScopes: ['management'] } as const;
const WRITE = { permission: 'segments:write', keyScopes: ['management'] } as const;
/** Whom a segment finds is data about people. */
const READ_PEOPLE = { permission: 'contacts:read', keyScopes: ['management'] } as const;

@Resolver(() => SegmentType)
export class SegmentsResolver {
  constructor(
    private readonly service: SegmentService,
    private readonly evaluation: SegmentEvaluationService,
    private readonly membership: SegmentMembership,
  ) {}

  @Query(() => SegmentPageType, {
    complexity: COST.list,
    description: 'Segments by name, with what is known of their members.',
  })
  @Requires(READ)
  async segments(
    @CurrentPrincipal() principal: Principal,
    @Args('search', { type: () => String, nullable: true, description: 'Part of the name.' })
    search: string | null,
    @Args('limit', { type: () => Int, defaultValue: 50 }) limit: number,
    @Args('offset', { type: () => Int, defaultValue: 0 }) offset: number,
  ): Promise<SegmentPageType> {
    return this.service.list(scopeOf(principal), { search: search ?? null, ...pageOf(limit, offset) });
  }

  @Query(() => SegmentType, {
    complexity: COST.record,
    description: 'One segment; an error with the code segment_not_found when there is none.',
  })
  @Requires(READ)
  async segment(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<SegmentType> {
    return this.service.get(scopeOf(principal), id);
  }

  @Query(() => SegmentPreviewType, {
    description: 'Whom a filter finds now, without saving it.',
    complexity: COST.everybody,
  })
  @Requires(READ)
  async previewSegment(
    @CurrentPrincipal() principal: Principal,
    @Args('conditions', { type: () => JsonScalar }) conditions: unknown,
    @Args('match', { defaultValue: 'all' }) match: string,
    @Args('limit', { type: () => Int, defaultValue: 10, description: 'Of the sample, at most 100.' })
    limit: number,
  ): Promise<SegmentPreviewType> {
    const { count, sample } = await this.evaluation.preview(scopeOf(principal), { match, conditions }, limit);
    return { count, found: sample };
  }

  @Mutation(() => SegmentType, {
    complexity: COST.change,
    description: 'Makes a segment; its members are looked up at once.',
  })
  @Requires(WRITE)
  async createSegment(
    @CurrentPrincipal() principal: Principal,
    @Args('input') input: CreateSegmentInput,
  ): Promise<SegmentType> {
    return this.service.create(scopeOf(principal), readSegment(givenOf(input)), actorOf(principal));
  }

  @Mutation(() => SegmentType, {
    complexity: COST.change,
    description: 'Changes a segment; its members are looked up again.',
  })
  @Requires(WRITE)
  async updateSegment(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
    @Args('input') input: UpdateSegmentInput,
  ): Promise<SegmentType> {
    return this.service.update(scopeOf(principal), id, givenOf(input));
  }

  @Mutation(() => Boolean, {
    complexity: COST.change,
    description: 'Deletes a segment that no other one names; answers true.',
  })
  @Requires(WRITE)
  async deleteSegment(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<boolean> {
    await this.service.remove(scopeOf(principal), id);
    return true;
  }

  @ResolveField(() => [SegmentMemberType], {
    complexity: COST.record,
    description: 'Members, the newest contacts first.',
  })
  @Requires(READ_PEOPLE)
  async members(
    @Parent() segment: SegmentType,
    @CurrentPrincipal() principal: Principal,
    @Context() context: GraphqlContext,
    @Args('limit', { type: () => Int, defaultValue: 25 }) limit: number,
    @Args('offset', { type: () => Int, defaultValue: 0 }) offset: number,
  ): Promise<SegmentMemberType[]> {
    const page = pageOf(limit, offset);
    const pages = loader(
      context,
      `segments.members ${page.limit} ${page.offset}`,
      () =>
        new DataLoader(async (ids: readonly string[]) => {
          const members = await this.membership.membersOf(scopeOf(principal), ids, page);
          return ids.map((id) => members.get(id) ?? []);
        }),
    );
    return (await pages.load(segment.id)).map(({ contact, enteredAt }) => ({
      contact: contactType(contact),
      enteredAt,
    }));
  }
}

@Resolver(() => SegmentPreviewType)
export class SegmentPreviewResolver {
  @ResolveField(() => [ContactType], { complexity: 0, description: 'The newest contacts first.' })
  @Requires(READ_PEOPLE)
  sample(@Parent() { found }: SegmentPreviewType): ContactType[] {
    return found.map(contactType);
  }
}

function pageOf(limit: number, offset: number): { limit: number; offset: number } {
  return { limit: Math.min(Math.max(limit, 1), LARGEST_PAGE), offset: Math.max(offset, 0) };
}
