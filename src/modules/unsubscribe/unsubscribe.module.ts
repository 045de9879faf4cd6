/** Unsubscribing by the link of an email. */
import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { UnsubscribeLinks } from './application/unsubscribe-links.js';
import { UnsubscribeService } from './application/unsubscribe.service.js';
import { UnsubscribeRepository } from './persistence/unsubscribe.repository.js';

@Module({
  imports: [ContactsModule],
  providers: [UnsubscribeLinks, UnsubscribeRepository, UnsubscribeService],
  exports: [UnsubscribeLinks, UnsubscribeService],
})
export class UnsubscribeModule {}
