/** The segments of contacts in GraphQL; one query of each kind for any number of contacts. */
import { Args, Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import DataLoader from 'dataloader';
import { encodeCursor, KEY, decodeCursor, sliceAfter } from '../../../kernel/page-cursor.js';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { connectionOf, type Connection, type Edge } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { loader, type GraphqlContext } from '../../../platform/graphql/loaders.js';
import { NestedPageArgs } from '../../../platform/input/page.input.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { ContactOutput } from '../../contacts/output/contact.output.js';
import { SegmentMembership } from '../application/segment-membership.js';
import {
  type MembershipOutput,
  SegmentOfContactConnection,
  type SegmentOfContactOutput,
} from '../output/segment.output.js';

/** List name in its cursors; names of segments are unique. */
const LIST = 'segments of a contact';

@Resolver(() => ContactOutput)
export class ContactSegmentsResolver {
  constructor(private readonly membership: SegmentMembership) {}

  @ResolveField(() => SegmentOfContactConnection, {
    complexity: COST.record,
    description: 'Segments the contact belongs to, by name.',
  })
  @Requires({ permission: 'contacts:read', keyScopes: ['data'] })
  async segments(
    @Parent() contact: ContactOutput,
    @CurrentPrincipal() principal: Principal,
    @Context() context: GraphqlContext,
    @Args() args: NestedPageArgs,
  ): Promise<Connection<Edge<SegmentOfContactOutput> & MembershipOutput>> {
    const after = decodeCursor(LIST, args.after, KEY.text);
    const segments = loader(
      context,
      'contacts.segments',
      () =>
        new DataLoader(async (ids: readonly string[]) => {
          const found = await this.membership.segmentsOf(scopeOf(principal), ids);
          return ids.map((id) => found.get(id) ?? []);
        }),
    );
    const all = await segments.load(contact.id);
    const slice = sliceAfter(all, { first: args.first, after }, ({ name }, { key }) => name > key);
    return connectionOf(slice, args, ({ id, name, enteredAt }) => ({
      cursor: encodeCursor(LIST, { key: name, id }),
      node: { id, name },
      enteredAt,
    }));
  }
}
