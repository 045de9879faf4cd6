/** Contacts for the dashboard. */
import { Args, ID, Query, Resolver } from '@nestjs/graphql';
import { sliceOf } from '../../../kernel/page-cursor.js';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { connectionOf, type CountedConnection, type Edge } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { ContactListService } from '../application/contact-list.service.js';
import { ContactService } from '../application/contact.service.js';
import { contactCursor, parseContactCursor, type ContactOrder } from '../domain/contact-order.js';
import type { Contact } from '../domain/contact.js';
import { ContactsArgs } from '../input/contact-list.input.js';
import { ContactConnection, ContactOutput } from '../output/contact.output.js';

@Resolver(() => ContactOutput)
export class ContactsResolver {
  constructor(
    private readonly service: ContactService,
    private readonly lists: ContactListService,
  ) {}

  @Query(() => ContactConnection, {
    complexity: COST.search,
    description: 'Searches and lists contacts of the environment. Deleted contacts are excluded.',
  })
  @Requires({ permission: 'contacts:read', keyScopes: ['data'] })
  async contacts(
    @CurrentPrincipal() principal: Principal,
    @Args() args: ContactsArgs,
  ): Promise<CountedConnection<Contact>> {
    const { first, after, search, sortBy, sortOrder } = args;
    const order: ContactOrder = { by: sortBy, order: sortOrder };
    const { contacts, total } = await this.lists.listAfter(scopeOf(principal), {
      search: search ?? null,
      order,
      limit: first + 1,
      after: parseContactCursor(after, order),
    });
    const edgeOf = (node: Contact): Edge<Contact> => ({ cursor: contactCursor(node, order), node });
    return { ...connectionOf(sliceOf(contacts, first), args, edgeOf), totalCount: total };
  }

  @Query(() => ContactOutput, {
    complexity: COST.record,
    nullable: true,
    description: 'Retrieves a contact by its ID or external_id.',
  })
  @Requires({ permission: 'contacts:read', keyScopes: ['data'] })
  async contact(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<Contact | undefined> {
    return this.service.byIdOrExternalId(scopeOf(principal), id);
  }
}
