/** The list of suppressed addresses. */
import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { SuppressionList } from './application/suppression-list.js';
import { Suppressions } from './application/suppressions.js';
import { SuppressionRepository } from './persistence/suppression.repository.js';

@Module({
  imports: [ContactsModule],
  providers: [SuppressionList, SuppressionRepository, Suppressions],
  exports: [SuppressionList, Suppressions],
})
export class SuppressionsModule {}
