/** Contacts: their storage and the services that change them. */
import { Module } from '@nestjs/common';
import { ContactUpserts } from './application/contact-upserts.js';
import { ContactService } from './application/contact.service.js';
import { ContactRepository } from './persistence/contact.repository.js';

@Module({
  providers: [ContactRepository, ContactService, ContactUpserts],
  exports: [ContactRepository, ContactService, ContactUpserts],
})
export class ContactsModule {}
