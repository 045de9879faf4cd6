/** Contacts: their storage and the services that change and read them. */
import { Module } from '@nestjs/common';
import { AddressDigests } from './application/address-digests.js';
import { ContactBulkService } from './application/contact-bulk.service.js';
import { ContactErasureService } from './application/contact-erasure.service.js';
import { ContactExportService } from './application/contact-export.service.js';
import { ContactListService } from './application/contact-list.service.js';
import { ContactStore } from './application/contact-store.js';
import { ContactCounter } from './application/contact-counter.js';
import { ContactUpserts } from './application/contact-upserts.js';
import { ContactService } from './application/contact.service.js';
import { KnownContacts } from './application/known-contacts.js';
import { OptOutDigests } from './application/opt-out-digests.js';
import { OptOuts } from './application/opt-outs.js';
import { StatusRequests } from './application/status-requests.js';
import { ContactCountRepository } from './persistence/contact-count.repository.js';
import { ContactExportRepository } from './persistence/contact-export.repository.js';
import { ContactRepository } from './persistence/contact.repository.js';
import { ContactSearchRepository } from './persistence/contact-search.repository.js';
import { ContactWritesRepository } from './persistence/contact-writes.repository.js';
import { OptOutRepository } from './persistence/opt-out.repository.js';

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
    ContactCounter,
    ContactUpserts,
    ContactWritesRepository,
    KnownContacts,
    OptOutDigests,
    OptOutRepository,
    OptOuts,
    StatusRequests,
  ],
  exports: [
    AddressDigests,
    ContactBulkService,
    ContactErasureService,
    ContactExportService,
    ContactListService,
    ContactService,
    ContactCounter,
    ContactUpserts,
    KnownContacts,
    OptOuts,
  ],
})
export class ContactsModule {}
