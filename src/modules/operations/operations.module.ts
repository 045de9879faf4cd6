/** Monitoring of the service: health and metrics. `serveDocs` serves the API documentation separately. */
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
