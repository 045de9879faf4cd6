/** Analyses, which read flows, goals, campaigns and templates. */
import { Module } from '@nestjs/common';
import { CampaignsModule } from '../campaigns/campaigns.module.js';
import { FlowsModule } from '../flows/flows.module.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { TripsModule } from '../trips/trips.module.js';
import { ReportAnalysesService } from './application/report-analyses.service.js';
import { ReportFlowRepository } from './persistence/report-flow.repository.js';

@Module({
  imports: [CampaignsModule, FlowsModule, MetricsModule, TemplatesModule, TripsModule],
  providers: [ReportAnalysesService, ReportFlowRepository],
  exports: [ReportAnalysesService],
})
export class ReportAnalysesModule {}
