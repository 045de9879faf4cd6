/** Contacts for the dashboard. */
import { Args, ID, Int, Query, Resolver } from '@nestjs/graphql';
import { COST } from '../../../platform/graphql/costs.js';
import { invalidFields } from '../../../kernel/domain-error.js';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { isLonger } from '../../../kernel/text-length.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { ContactListService } from '../application/contact-list.service.js';
import { ContactService } from '../application/contact.service.js';
import {
  cursorOf,
  LONGEST_SEARCH,
  NEWEST_FIRST,
  placeOf,
  type ContactOrder,
  type ContactSort,
  type SortOrder,
} from '../domain/contact-order.js';
import {
  ContactConnectionType,
  ContactPageType,
  ContactSortField,
  ContactType,
  contactType,
  SortDirection,
} from './contact.type.js';

const LARGEST_PAGE = 100;

@Resolver(() => ContactType)
export class ContactsResolver {
  constructor(
    private readonly service: ContactService,
    private readonly lists: ContactListService,
  ) {}

  @Query(() => ContactPageType, {
    complexity: COST.search,
    description: 'Contacts of the environment, newest first.',
  })
  @Requires({ permission: 'contacts:read', keyScopes: ['data'] })
  async contacts(
    @CurrentPrincipal() principal: Principal,
    @Args('limit', { type: () => Int, defaultValue: 25 }) limit: number,
    @Args('offset', { type: () => Int, defaultValue: 0 }) offset: number,
  ): Promise<ContactPageType> {
    const page = {
      search: null,
      order: NEWEST_FIRST,
      limit: Math.min(Math.max(limit, 1), LARGEST_PAGE),
      offset: Math.max(offset, 0),
    };
    const { contacts, total } = await this.lists.from(scopeOf(principal), page);
    return { contacts: contacts.map(contactType), total };
  }

  @Query(() => ContactConnectionType, {
    complexity: COST.search,
    description: 'Contacts of the environment, searched, sorted, and paged by cursor; deleted ones left out.',
  })
  @Requires({ permission: 'contacts:read', keyScopes: ['data'] })
  async contactConnection(
    @CurrentPrincipal() principal: Principal,
    @Args('first', { type: () => Int, defaultValue: 25 }) first: number,
    @Args('after', { type: () => String, nullable: true }) after: string | null | undefined,
    @Args('search', { type: () => String, nullable: true }) search: string | null | undefined,
    @Args('sortBy', { type: () => ContactSortField, defaultValue: NEWEST_FIRST.by })
    sortBy: ContactSort,
    @Args('sortOrder', { type: () => SortDirection, defaultValue: NEWEST_FIRST.order })
    sortOrder: SortOrder,
  ): Promise<ContactConnectionType> {
    if (first < 1 || first > LARGEST_PAGE)
      throw invalidFields([{ field: 'first', message: `must be from 1 to ${LARGEST_PAGE}` }]);
    if (search && isLonger(search, LONGEST_SEARCH))
      throw invalidFields([
        { field: 'search', message: `must be at most ${LONGEST_SEARCH} characters long` },
      ]);
    const order: ContactOrder = { by: sortBy, order: sortOrder };
    // One more than asked for tells whether there is a next page.
    const { contacts, total } = await this.lists.behind(scopeOf(principal), {
      search: search ?? null,
      order,
      limit: first + 1,
      after: after ? placeOf(after, order) : null,
    });
    const edges = contacts.slice(0, first).map((contact) => ({
      node: contactType(contact),
      cursor: cursorOf(contact, order),
    }));
    return {
      edges,
      pageInfo: { hasNextPage: contacts.length > first, endCursor: edges.at(-1)?.cursor ?? null },
      totalCount: total,
    };
  }

  @Query(() => ContactType, {
    complexity: COST.record,
    nullable: true,
    description: 'One contact by its id or external_id.',
  })
  @Requires({ permission: 'contacts:read', keyScopes: ['data'] })
  async contact(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<ContactType | null> {
    const contact = await this.service.byIdOrExternalId(scopeOf(principal), id);
    return contact ? contactType(contact) : null;
  }
}
