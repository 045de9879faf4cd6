/** Contacts: their storage and the services that change them. */
import { Module } from '@nestjs/common';
import { ContactBulkService } from './application/contact-bulk.service.js';
import { ContactUpserts } from './application/contact-upserts.js';
import { ContactService } from './application/contact.service.js';
import { ContactCountRepository } from './persistence/contact-count.repository.js';
import { ContactRepository } from './persistence/contact.repository.js';

@Module({
  providers: [ContactBulkService, ContactCountRepository, ContactRepository, ContactService, ContactUpserts],
  exports: [ContactBulkService, ContactCountRepository, ContactRepository, ContactService, ContactUpserts],
})
export class ContactsModule {}
