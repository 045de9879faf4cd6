/** REST endpoints that change contacts, section 4.10. */
import { Body, Controller, Delete, HttpCode, Param, Patch, Post, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { snakeCase } from '../../../kernel/letter-case.js';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { ContactBulkService } from '../application/contact-bulk.service.js';
import { ContactService } from '../application/contact.service.js';
import { readBulk } from '../domain/read-bulk.js';
import { readContact, readContactPatch } from '../domain/read-contact.js';
import { BulkOutput, ContactOutput, UpsertedContactOutput } from '../output/contact.output.js';
import { BulkBody, ContactBody, ContactPatchBody } from './contact.bodies.js';

@ApiTags('contacts')
@Controller('v1/contacts')
export class ContactsController {
  constructor(
    private readonly contacts: ContactService,
    private readonly bulk: ContactBulkService,
  ) {}

  @Post()
  @Requires({ permission: 'contacts:write', keyScopes: ['data'], contactWrite: true })
  @ApiOperation({ summary: 'Create a contact, or update the contact with this external_id' })
  @ApiBody({ type: ContactBody })
  @ApiCreatedResponse({ type: UpsertedContactOutput, description: 'The contact was created.' })
  @ApiOkResponse({ type: UpsertedContactOutput, description: 'The contact existed and was updated.' })
  @ApiErrors('validation_error', 'invalid_email', 'invalid_field', 'scope_forbidden', 'plan_limit_reached')
  async upsert(
    @CurrentPrincipal() principal: Principal,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const { contact, created, updatedFields } = await this.contacts.upsert(
      scopeOf(principal),
      principal.plan,
      readContact(body),
    );
    reply.status(created ? 201 : 200);
    return restOf(UpsertedContactOutput, {
      ...contact,
      created,
      updatedFields: updatedFields.map(snakeCase),
    });
  }

  @Post('bulk')
  @HttpCode(200)
  @Requires({ permission: 'contacts:write', keyScopes: ['data'], contactWrite: true })
  @ApiOperation({ summary: 'Upsert up to 1,000 contacts; an invalid item does not affect the others' })
  @ApiBody({ type: BulkBody })
  @ApiOkResponse({ type: BulkOutput })
  @ApiErrors('validation_error', 'invalid_field', 'scope_forbidden')
  async upsertMany(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<object> {
    const outcome = await this.bulk.upsert(scopeOf(principal), principal.plan, readBulk(body));
    return restOf(BulkOutput, outcome);
  }

  @Patch(':external_id')
  @Requires({ permission: 'contacts:write', keyScopes: ['data'], contactWrite: true })
  @ApiOperation({ summary: 'Update some fields of a contact' })
  @ApiBody({ type: ContactPatchBody })
  @ApiOkResponse({ type: ContactOutput })
  @ApiErrors('validation_error', 'invalid_email', 'invalid_field', 'contact_not_found', 'scope_forbidden')
  async patch(
    @CurrentPrincipal() principal: Principal,
    @Param('external_id') externalId: string,
    @Body() body: unknown,
  ): Promise<object> {
    const contact = await this.contacts.patch(scopeOf(principal), readContactPatch(externalId, body));
    return restOf(ContactOutput, contact);
  }

  @Delete(':external_id')
  @HttpCode(204)
  @Requires({ permission: 'contacts:write', keyScopes: ['data'], contactWrite: true })
  @ApiOperation({ summary: 'Soft-delete a contact: it receives no mail; an upsert restores it' })
  @ApiNoContentResponse()
  @ApiErrors('contact_not_found', 'scope_forbidden')
  async remove(
    @CurrentPrincipal() principal: Principal,
    @Param('external_id') externalId: string,
  ): Promise<void> {
    await this.contacts.remove(scopeOf(principal), externalId);
  }
}
