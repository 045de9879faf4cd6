/** Sending, tried and not done: what a message would come to, and what it would look like. */
import { Module } from '@nestjs/common';
import { PreferencesModule } from '../preferences/preferences.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { MessageTexts } from './application/message-texts.js';
import { SendRehearsals } from './application/send-rehearsals.js';
import { SubjectTemplates } from './application/subject-templates.js';
import { SendLedgerRepository } from './persistence/send-ledger.repository.js';

@Module({
  imports: [PreferencesModule, TemplatesModule, WorkspacesModule],
  providers: [MessageTexts, SendLedgerRepository, SendRehearsals, SubjectTemplates],
  exports: [SendRehearsals],
})
export class RehearsalModule {}
