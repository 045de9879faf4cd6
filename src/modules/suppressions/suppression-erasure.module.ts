/** Erases a contact's data in suppressions. */
import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { SuppressionErasure } from './application/suppression-erasure.js';
import { SuppressionRepository } from './persistence/suppression.repository.js';

@Module({
  imports: [ContactsModule],
  providers: [SuppressionErasure, SuppressionRepository],
  exports: [SuppressionErasure],
})
export class SuppressionErasureModule {}
