/** Templates: their storage, their services and their compiled form. */
import { Module } from '@nestjs/common';
import { FrozenTemplates } from './application/frozen-templates.js';
import { TemplateCatalogue } from './application/template-catalogue.js';
import { TemplateTopics } from './application/template-topics.js';
import { TemplateVersionsService } from './application/template-versions.service.js';
import { TemplateService } from './application/template.service.js';
import { FrozenTemplateRepository } from './persistence/frozen-template.repository.js';
import { TemplateVersionRepository } from './persistence/template-version.repository.js';
import { TemplateRepository } from './persistence/template.repository.js';

@Module({
  providers: [
    FrozenTemplateRepository,
    FrozenTemplates,
    TemplateCatalogue,
    TemplateRepository,
    TemplateService,
    TemplateTopics,
    TemplateVersionRepository,
    TemplateVersionsService,
  ],
  exports: [FrozenTemplates, TemplateCatalogue, TemplateService, TemplateTopics, TemplateVersionsService],
})
export class TemplatesModule {}
