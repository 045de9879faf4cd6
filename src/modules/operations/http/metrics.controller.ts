/** What this process counts, for Prometheus. Section 8.1: never limited. */
import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { Registry } from 'prom-client';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import { Public } from '../../access/public.decorator.js';

@ApiTags('Operations')
@Public()
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Header('content-type', Registry.PROMETHEUS_CONTENT_TYPE)
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Metrics of this process, in the text format of Prometheus' })
  @ApiProduces('text/plain')
  @ApiOkResponse({
    schema: {
      type: 'string',
      example: '# TYPE waypost_events_accepted_total counter\nwaypost_events_accepted_total 42\n',
    },
  })
  read(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
