/** Flows: their storage, their life cycle, and what the engine reads of them. */
import { Module } from '@nestjs/common';
import { TemplatesModule } from '../templates/templates.module.js';
import { FlowCatalogue } from './application/flow-catalogue.js';
import { FlowService } from './application/flow.service.js';
import { FlowRepository } from './persistence/flow.repository.js';

@Module({
  imports: [TemplatesModule],
  providers: [FlowCatalogue, FlowRepository, FlowService],
  exports: [FlowCatalogue, FlowService],
})
export class FlowsModule {}
