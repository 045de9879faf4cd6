/** Unsubscribing through the link of an email. */
import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { PreferencesModule } from '../preferences/preferences.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { UnsubscribeLinks } from './application/unsubscribe-links.js';
import { UnsubscribeService } from './application/unsubscribe.service.js';

@Module({
  imports: [ContactsModule, PreferencesModule, WorkspacesModule],
  providers: [UnsubscribeLinks, UnsubscribeService],
  exports: [UnsubscribeLinks, UnsubscribeService],
})
export class UnsubscribeModule {}
