/** Contacts for the dashboard. */
import { Args, ID, Int, Query, Resolver } from '@nestjs/graphql';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import { Requires } from '../../auth/requires.decorator.js';
import { ContactService } from '../application/contact.service.js';
import { ContactPageType, ContactType, contactType } from './contact.type.js';

const LARGEST_PAGE = 100;

@Resolver(() => ContactType)
export class ContactsResolver {
  constructor(private readonly service: ContactService) {}

  @Query(() => ContactPageType, { description: 'Contacts of the environment, newest first.' })
  @Requires({ permission: 'contacts:read', keyScopes: ['data'] })
  async contacts(
    @CurrentPrincipal() principal: Principal,
    @Args('limit', { type: () => Int, defaultValue: 25 }) limit: number,
    @Args('offset', { type: () => Int, defaultValue: 0 }) offset: number,
  ): Promise<ContactPageType> {
    const page = { limit: Math.min(Math.max(limit, 1), LARGEST_PAGE), offset: Math.max(offset, 0) };
    const { contacts, total } = await this.service.list(scopeOf(principal), page);
    return { contacts: contacts.map(contactType), total };
  }

  @Query(() => ContactType, { nullable: true, description: 'One contact by its id.' })
  @Requires({ permission: 'contacts:read', keyScopes: ['data'] })
  async contact(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<ContactType | null> {
    const contact = await this.service.byIdOrExternalId(scopeOf(principal), id);
    return contact ? contactType(contact) : null;
  }
}
