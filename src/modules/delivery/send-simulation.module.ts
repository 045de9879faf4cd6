/** Sending without sending: what the outcome of a message would be, and what the message would look like. */
import { Module } from '@nestjs/common';
import { PreferencesModule } from '../preferences/preferences.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { MessageTexts } from './application/message-texts.js';
import { SendSimulations } from './application/send-simulations.js';
import { SubjectTemplates } from './application/subject-templates.js';
import { LatestEventsRepository } from './persistence/latest-events.repository.js';

@Module({
  imports: [PreferencesModule, TemplatesModule, WorkspacesModule],
  providers: [MessageTexts, LatestEventsRepository, SendSimulations, SubjectTemplates],
  exports: [SendSimulations],
})
export class SendSimulationModule {}
