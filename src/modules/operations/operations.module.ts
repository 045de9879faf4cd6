/** How the service is watched: health and metrics. Its documentation is served beside, by `serveDocs`. */
import { Module } from '@nestjs/common';
import { HttpModule } from '../../platform/http/http.module.js';
import { HealthService } from './application/health.service.js';
import { HealthController } from './http/health.controller.js';
import { MetricsController } from './http/metrics.controller.js';

@Module({
  imports: [HttpModule],
  providers: [HealthService],
  controllers: [HealthController, MetricsController],
})
export class OperationsModule {}
