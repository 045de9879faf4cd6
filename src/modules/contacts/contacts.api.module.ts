/** Contacts with their REST and GraphQL interfaces. */
import { Module } from '@nestjs/common';
import { ContactsModule } from './contacts.module.js';
import { ContactErasureResolver } from './graphql/contact-erasure.resolver.js';
import { ContactsResolver } from './graphql/contacts.resolver.js';
import { ContactQueriesController } from './http/contact-queries.controller.js';
import { ContactsController } from './http/contacts.controller.js';

@Module({
  imports: [ContactsModule],
  controllers: [ContactQueriesController, ContactsController],
  providers: [ContactErasureResolver, ContactsResolver],
})
export class ContactsApiModule {}
