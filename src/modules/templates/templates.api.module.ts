/** Templates with their REST and GraphQL interfaces. */
import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { EventsModule } from '../events/events.module.js';
import { PreferencesModule } from '../preferences/preferences.module.js';
import { PreviewContextService } from './application/preview-context.service.js';
import { TemplateLanguageService } from './application/template-language.service.js';
import { TemplatePreviewService } from './application/template-preview.service.js';
import { TemplateTopicService } from './application/template-topic.service.js';
import { TemplateLanguageResolver } from './graphql/template-language.resolver.js';
import { TemplatePreviewResolver } from './graphql/template-preview.resolver.js';
import { TemplateTopicResolver } from './graphql/template-topic.resolver.js';
import { TemplateVersionsResolver } from './graphql/template-versions.resolver.js';
import { TemplatesResolver } from './graphql/templates.resolver.js';
import { TemplateLanguageController } from './http/template-language.controller.js';
import { TemplatePreviewController } from './http/template-preview.controller.js';
import { TemplateVersionsController } from './http/template-versions.controller.js';
import { TemplatesController } from './http/templates.controller.js';
import { TemplateRepository } from './persistence/template.repository.js';
import { TemplatesModule } from './templates.module.js';

@Module({
  imports: [ContactsModule, EventsModule, PreferencesModule, TemplatesModule],
  controllers: [
    TemplateLanguageController,
    TemplatePreviewController,
    TemplateVersionsController,
    TemplatesController,
  ],
  providers: [
    PreviewContextService,
    TemplateLanguageService,
    TemplateLanguageResolver,
    TemplatePreviewService,
    TemplatePreviewResolver,
    TemplateRepository,
    TemplateTopicResolver,
    TemplateTopicService,
    TemplateVersionsResolver,
    TemplatesResolver,
  ],
})
export class TemplatesApiModule {}
