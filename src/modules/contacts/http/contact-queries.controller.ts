/** REST endpoints that read contacts, section 4.10. */
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { camelCase } from '../../../kernel/letter-case.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { ContactListService } from '../application/contact-list.service.js';
import { ContactService } from '../application/contact.service.js';
import { ContactListQuery, DEFAULT_PAGE_SIZE } from '../input/contact-list.input.js';
import { ContactListOutput, ContactOutput } from '../output/contact.output.js';

@ApiTags('contacts')
@ApiErrors('missing_permission', 'insufficient_scope')
@Controller('v1/contacts')
export class ContactQueriesController {
  constructor(
    private readonly lists: ContactListService,
    private readonly contacts: ContactService,
  ) {}

  @Get()
  @Requires({ permission: 'contacts:read', keyScopes: ['data'] })
  @ApiOperation({ summary: 'List and search contacts' })
  @ApiOkResponse({ type: ContactListOutput })
  @ApiErrors('invalid_field')
  async list(@CurrentPrincipal() principal: Principal, @Query() query: ContactListQuery): Promise<object> {
    const { search = null, page, limit, sortBy, sortOrder } = query;
    const perPage = query.perPage ?? limit ?? DEFAULT_PAGE_SIZE;
    const order = { by: camelCase(sortBy), order: sortOrder };
    const options = { search, order, limit: perPage, page };
    const { contacts, total } = await this.lists.page(scopeOf(principal), options);
    const meta = { total, page, perPage, totalPages: Math.ceil(total / perPage) };
    return restOf(ContactListOutput, { data: contacts, meta });
  }

  @Get(':id')
  @Requires({ permission: 'contacts:read', keyScopes: ['data'] })
  @ApiOperation({ summary: 'Retrieve a contact by its ID or external_id' })
  @ApiOkResponse({ type: ContactOutput })
  @ApiErrors('contact_not_found')
  async get(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    return restOf(ContactOutput, await this.contacts.get(scopeOf(principal), id));
  }
}
