/** Templates: their storage, their services and their compiled form. */
import { Module } from '@nestjs/common';
import { TemplateCatalogue } from './application/template-catalogue.js';
import { TemplateService } from './application/template.service.js';
import { TemplateRepository } from './persistence/template.repository.js';

@Module({
  providers: [TemplateCatalogue, TemplateRepository, TemplateService],
  exports: [TemplateCatalogue, TemplateRepository, TemplateService],
})
export class TemplatesModule {}
