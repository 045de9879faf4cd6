/** REST of contacts, section 4.10. */
import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import { Requires } from '../../auth/requires.decorator.js';
import { ContactService } from '../application/contact.service.js';
import { readContact } from '../domain/read-contact.js';
import { ContactBody, presentUpsert, UpsertedContactResponse } from './contact.presenter.js';

@ApiTags('contacts')
@Controller('v1/contacts')
export class ContactsController {
  constructor(private readonly contacts: ContactService) {}

  @Post()
  @Requires({ permission: 'contacts:write', keyScopes: ['data'], contactWrite: true })
  @ApiOperation({ summary: 'Create a contact, or merge into the one with this external_id' })
  @ApiBody({ type: ContactBody })
  @ApiCreatedResponse({ type: UpsertedContactResponse, description: 'Created.' })
  @ApiOkResponse({ type: UpsertedContactResponse, description: 'Known already; merged.' })
  @ApiErrors('validation_error', 'invalid_email', 'invalid_field', 'scope_forbidden')
  async upsert(
    @CurrentPrincipal() principal: Principal,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UpsertedContactResponse> {
    const upserted = await this.contacts.upsert(scopeOf(principal), readContact(body));
    reply.status(upserted.created ? 201 : 200);
    return presentUpsert(upserted);
  }
}
