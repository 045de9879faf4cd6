/** Topics, and what contacts have chosen for promotional mail. */
import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ContactsModule } from '../contacts/contacts.module.js';
import { ContactChoices } from './application/contact-choices.js';
import { PreferenceChecks } from './application/preference-checks.js';
import { PreferenceChanges } from './application/preference-changes.js';
import { TopicService } from './application/topic.service.js';
import { ContactPreferencesRepository } from './persistence/contact-preferences.repository.js';
import { PreferenceChangeRepository } from './persistence/preference-change.repository.js';
import { TopicRepository } from './persistence/topic.repository.js';

@Module({
  imports: [AuditModule, ContactsModule],
  providers: [
    ContactChoices,
    ContactPreferencesRepository,
    PreferenceChecks,
    PreferenceChangeRepository,
    PreferenceChanges,
    TopicRepository,
    TopicService,
  ],
  exports: [ContactChoices, PreferenceChecks, PreferenceChanges, TopicService],
})
export class PreferencesModule {}
