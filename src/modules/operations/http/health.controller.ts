/** Health of this process: alive (no restart needed) and ready (accepts requests). Section 8.1: never rate limited. */
import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DomainError } from '../../../kernel/domain-error.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { RELEASE } from '../../../platform/release.js';
import { Public } from '../../access/public.decorator.js';
import { HealthService, type HealthReport } from '../application/health.service.js';
import { AliveOutput, HealthOutput, healthOutput, WholeHealthOutput } from '../output/health.output.js';

@ApiTags('Operations')
@Public()
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Check that the process is running' })
  @ApiOkResponse({ type: AliveOutput })
  live(): object {
    return restOf(AliveOutput, { status: 'ok' });
  }

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Check that every part of the service works' })
  @ApiOkResponse({ type: WholeHealthOutput })
  @ApiErrors('service_unavailable')
  async whole(): Promise<object> {
    return restOf(WholeHealthOutput, { ...(await this.report()), version: RELEASE });
  }

  @Get('ready')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Check that the process can accept requests' })
  @ApiOkResponse({ type: HealthOutput })
  @ApiErrors('service_unavailable')
  async ready(): Promise<object> {
    return restOf(HealthOutput, await this.report());
  }

  private async report(): Promise<HealthOutput> {
    const report = await this.health.report();
    const health = healthOutput(report);
    if (report.ready) return health;
    throw new DomainError('service_unavailable', reasonOf(report), { ...health, retry_after: 1 });
  }
}

function reasonOf({ phase, checks }: HealthReport): string {
  if (phase === 'draining') return 'The process is shutting down.';
  const down = Object.entries(checks).flatMap(([part, state]) => (state === 'down' ? [part] : []));
  return down.length > 0 ? `Unavailable: ${down.join(', ')}.` : 'The process is starting.';
}
