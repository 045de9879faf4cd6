/** Contacts: their storage and the services that change and read them. */
import { Module } from '@nestjs/common';
import { AddressDigests } from './application/address-digests.js';
import { ContactBulkService } from './application/contact-bulk.service.js';
import { ContactErasureService } from './application/contact-erasure.service.js';
import { ContactExportService } from './application/contact-export.service.js';
import { ContactListService } from './application/contact-list.service.js';
import { ContactStore } from './application/contact-store.js';
import { ContactTally } from './application/contact-tally.js';
import { ContactUpserts } from './application/contact-upserts.js';
import { ContactService } from './application/contact.service.js';
import { KnownContacts } from './application/known-contacts.js';
import { RefusalDigests } from './application/refusal-digests.js';
import { Refusals } from './application/refusals.js';
import { StatusRequests } from './application/status-requests.js';
import { ContactCountRepository } from './persistence/contact-count.repository.js';
import { ContactExportRepository } from './persistence/contact-export.repository.js';
import { ContactRepository } from './persistence/contact.repository.js';
import { ContactSearchRepository } from './persistence/contact-search.repository.js';
import { ContactWritesRepository } from './persistence/contact-writes.repository.js';
import { RefusalRepository } from './persistence/refusal.repository.js';

@Module({
  providers: [
    AddressDigests,
    ContactBulkService,
    ContactCountRepository,
    ContactErasureService,
    ContactExportRepository,
    ContactExportService,
    ContactListService,
    ContactRepository,
    ContactSearchRepository,
    ContactService,
    ContactStore,
    ContactTally,
    ContactUpserts,
    ContactWritesRepository,
    KnownContacts,
    RefusalDigests,
    RefusalRepository,
    Refusals,
    StatusRequests,
  ],
  exports: [
    AddressDigests,
    ContactBulkService,
    ContactErasureService,
    ContactExportService,
    ContactListService,
    ContactService,
    ContactTally,
    ContactUpserts,
    KnownContacts,
    Refusals,
  ],
})
export class ContactsModule {}
