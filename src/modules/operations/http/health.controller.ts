/** Health of this process: alive (no restart needed) and ready (accepts requests). Section 8.1: never rate limited. */
import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DomainError } from '../../../kernel/domain-error.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { RELEASE } from '../../../platform/release.js';
import { Public } from '../../access/public.decorator.js';
import { HealthService, type HealthReport } from '../application/health.service.js';
import { AliveResponse, HealthResponse, healthResponse, WholeHealthResponse } from './health.response.js';

@ApiTags('Operations')
@Public()
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Check that the process is running' })
  @ApiOkResponse({ type: AliveResponse })
  live(): AliveResponse {
    return { status: 'ok' };
  }

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Check that every part of the service works' })
  @ApiOkResponse({ type: WholeHealthResponse })
  @ApiErrors('service_unavailable')
  async whole(): Promise<WholeHealthResponse> {
    return { ...(await this.report()), version: RELEASE };
  }

  @Get('ready')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Check that the process can accept requests' })
  @ApiOkResponse({ type: HealthResponse })
  @ApiErrors('service_unavailable')
  async ready(): Promise<HealthResponse> {
    return this.report();
  }

  private async report(): Promise<HealthResponse> {
    const report = await this.health.report();
    const body = healthResponse(report);
    if (report.ready) return body;
    throw new DomainError('service_unavailable', reasonOf(report), { ...body, retry_after: 1 });
  }
}

function reasonOf({ phase, checks }: HealthReport): string {
  if (phase === 'draining') return 'The process is shutting down.';
  const down = Object.entries(checks).flatMap(([part, state]) => (state === 'down' ? [part] : []));
  return down.length > 0 ? `Unavailable: ${down.join(', ')}.` : 'The process is starting.';
}
