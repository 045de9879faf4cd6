/** The segments of a contact, for the dashboard; one query for each kind, however many contacts. */
import { Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import DataLoader from 'dataloader';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { loader, type GraphqlContext } from '../../../platform/graphql/loaders.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { ContactType } from '../../contacts/graphql/contact.type.js';
import { SegmentMembership } from '../application/segment-membership.js';
import { SegmentOfContactType } from './segment.type.js';

@Resolver(() => ContactType)
export class ContactSegmentsResolver {
  constructor(private readonly membership: SegmentMembership) {}

  @ResolveField(() => [SegmentOfContactType], {
    complexity: COST.record,
    description: 'The segments that the contact is in, by name.',
  })
  @Requires({ permission: 'contacts:read', keyScopes: ['data'] })
  async segments(
    @Parent() contact: ContactType,
    @CurrentPrincipal() principal: Principal,
    @Context() context: GraphqlContext,
  ): Promise<SegmentOfContactType[]> {
    const segments = loader(
      context,
      'contacts.segments',
      () =>
        new DataLoader(async (ids: readonly string[]) => {
          const found = await this.membership.segmentsOf(scopeOf(principal), ids);
          return ids.map((id) => found.get(id) ?? []);
        }),
    );
    return segments.load(contact.id);
  }
}
