/** Segments in GraphQL: they are created, changed and listed only here; REST only evaluates them. */
import { Args, Context, ID, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import DataLoader from 'dataloader';
import { encodeCursor, KEY, decodeCursor, type Slice } from '../../../kernel/page-cursor.js';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import {
  connectionOf,
  type Connection,
  type CountedConnection,
  type Edge,
} from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { loader, type GraphqlContext } from '../../../platform/graphql/loaders.js';
import { NestedPageArgs } from '../../../platform/input/page.input.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { assertReadsContacts } from '../../access/domain/access.js';
import { Requires } from '../../access/requires.decorator.js';
import { ContactOutput } from '../../contacts/output/contact.output.js';
import { SegmentEvaluationService } from '../application/segment-evaluation.service.js';
import { SegmentMembership, type SegmentMember } from '../application/segment-membership.js';
import { SegmentService } from '../application/segment.service.js';
import type { FilterGroup } from '../domain/filter.js';
import { searchesAddresses } from '../domain/filter-inputs.js';
import {
  CreateSegmentInput,
  filterOf,
  newSegmentOf,
  PreviewSegmentArgs,
  SegmentsArgs,
  UpdateSegmentInput,
} from '../input/segment.input.js';
import {
  type MembershipOutput,
  SegmentConnection,
  SegmentMemberConnection,
  SegmentOutput,
  SegmentPreviewOutput,
} from '../output/segment.output.js';

/** List names in their cursors. */
const SEGMENTS = 'segments';
const MEMBERS = 'members of a segment';
const NO_MEMBERS: Slice<SegmentMember> = { items: [], hasNextPage: false };

const READ = { permission: 'segments:read', keyScopes: ['management'] } as const;
const WRITE = { permission: 'segments:write', keyScopes: ['management'] } as const;
/** The contacts in a segment are personal data. */
const READ_PEOPLE = { permission: 'contacts:read', keyScopes: ['management'] } as const;

@Resolver(() => SegmentOutput)
export class SegmentsResolver {
  constructor(
    private readonly service: SegmentService,
    private readonly evaluation: SegmentEvaluationService,
    private readonly membership: SegmentMembership,
  ) {}

  @Query(() => SegmentConnection, {
    complexity: COST.list,
    description: 'Segments by name, with their member counts.',
  })
  @Requires(READ)
  async segments(
    @CurrentPrincipal() principal: Principal,
    @Args() args: SegmentsArgs,
  ): Promise<CountedConnection<SegmentOutput>> {
    const { search, first } = args;
    const after = decodeCursor(SEGMENTS, args.after, KEY.text);
    const page = { search: search ?? null, first, after };
    const { segments, total } = await this.service.list(scopeOf(principal), page);
    const edgeOf = (node: SegmentOutput): Edge<SegmentOutput> => ({
      cursor: encodeCursor(SEGMENTS, { key: node.name, id: node.id }),
      node,
    });
    return { ...connectionOf(segments, args, edgeOf), totalCount: total };
  }

  @Query(() => SegmentOutput, {
    complexity: COST.record,
    description: 'Retrieves a segment. Returns segment_not_found if it does not exist.',
  })
  @Requires(READ)
  async segment(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<SegmentOutput> {
    return this.service.get(scopeOf(principal), id);
  }

  @Query(() => SegmentPreviewOutput, {
    description: 'Counts the contacts that match a filter and returns a sample. Nothing is saved.',
    complexity: COST.wholeTenant,
  })
  @Requires(READ)
  async previewSegment(
    @CurrentPrincipal() principal: Principal,
    @Args() args: PreviewSegmentArgs,
  ): Promise<SegmentPreviewOutput> {
    const filter = filterOf(args);
    assertMayFilter(principal, filter);
    const { count, sample, warnings } = await this.evaluation.preview(scopeOf(principal), filter, args.first);
    return { count, warnings, found: sample };
  }

  @Mutation(() => SegmentOutput, {
    complexity: COST.change,
    description: 'Creates a segment and evaluates its members immediately.',
  })
  @Requires(WRITE)
  async createSegment(
    @CurrentPrincipal() principal: Principal,
    @Args('input') input: CreateSegmentInput,
  ): Promise<SegmentOutput> {
    const segment = newSegmentOf(input);
    assertMayFilter(principal, filterOf(segment));
    return this.service.create(scopeOf(principal), segment, actorOf(principal));
  }

  @Mutation(() => SegmentOutput, {
    complexity: COST.change,
    description: 'Updates a segment and evaluates its members again.',
  })
  @Requires(WRITE)
  async updateSegment(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
    @Args('input') input: UpdateSegmentInput,
  ): Promise<SegmentOutput> {
    const { match = 'all', conditions } = input;
    if (conditions) assertMayFilter(principal, filterOf({ match, conditions }));
    return this.service.update(scopeOf(principal), id, input);
  }

  @Mutation(() => Boolean, {
    complexity: COST.change,
    description: 'Deletes a segment that no other segment refers to. Returns true.',
  })
  @Requires(WRITE)
  async deleteSegment(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<boolean> {
    await this.service.remove(scopeOf(principal), id);
    return true;
  }

  @ResolveField(() => SegmentMemberConnection, {
    complexity: COST.record,
    description: 'Members of the segment, newest contacts first.',
  })
  @Requires(READ_PEOPLE)
  async members(
    @Parent() segment: SegmentOutput,
    @CurrentPrincipal() principal: Principal,
    @Context() context: GraphqlContext,
    @Args() args: NestedPageArgs,
  ): Promise<Connection<Edge<ContactOutput> & MembershipOutput>> {
    const page = { first: args.first, after: decodeCursor(MEMBERS, args.after, KEY.none) };
    const pages = loader(
      context,
      `segments.members ${page.first} ${page.after?.id ?? ''}`,
      () =>
        new DataLoader(async (ids: readonly string[]) => {
          const members = await this.membership.membersOf(scopeOf(principal), ids, page);
          return ids.map((id) => members.get(id) ?? NO_MEMBERS);
        }),
    );
    return connectionOf(await pages.load(segment.id), args, ({ contact, enteredAt }) => ({
      cursor: encodeCursor(MEMBERS, { key: '', id: contact.id }),
      node: contact,
      enteredAt,
    }));
  }
}

/**
 * The number of matches reveals the part of an address that the filter searches.
 * @throws DomainError missing_permission.
 */
function assertMayFilter(principal: Principal, filter: FilterGroup): void {
  if (searchesAddresses(filter)) assertReadsContacts(principal);
}

@Resolver(() => SegmentPreviewOutput)
export class SegmentPreviewResolver {
  @ResolveField(() => [ContactOutput], {
    complexity: 0,
    description: 'A sample of matching contacts, newest first.',
  })
  @Requires(READ_PEOPLE)
  sample(@Parent() { found }: SegmentPreviewOutput): readonly ContactOutput[] {
    return found;
  }
}
