/** The metrics of this process, for Prometheus. Section 8.1: never rate limited. */
import { createHash } from 'node:crypto';
import { Controller, Get, Header, Headers, Inject } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { Registry } from 'prom-client';
import { DomainError } from '../../../kernel/domain-error.js';
import { SharedRuns } from '../../../kernel/shared-runs.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { equalDigests } from '../../../platform/crypto/equal-digests.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import { Public } from '../../access/public.decorator.js';

@ApiTags('Operations')
@Public()
@Controller('metrics')
export class MetricsController {
  /** Concurrent requests share one rendering, because rendering takes a while and requests are not limited. */
  private readonly texts = new SharedRuns<string>();

  constructor(
    private readonly metrics: Metrics,
    @Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'metricsTokens' | 'production'>,
  ) {}

  @Get()
  @Header('content-type', Registry.PROMETHEUS_CONTENT_TYPE)
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary: 'Get metrics of this process in Prometheus text format',
    description:
      'Send METRICS_TOKEN as a bearer token. In production, metrics are unavailable unless METRICS_TOKEN is set.',
  })
  @ApiBearerAuth()
  @ApiProduces('text/plain')
  @ApiOkResponse({
    schema: {
      type: 'string',
      example: '# TYPE waypost_events_accepted_total counter\nwaypost_events_accepted_total 42\n',
    },
  })
  @ApiErrors('missing_token', 'invalid_token', 'not_found')
  async read(@Headers('authorization') authorization: string | undefined): Promise<string> {
    this.admit(authorization);
    return this.texts.do('', () => this.metrics.registry.metrics());
  }

  /** @throws DomainError missing_token, invalid_token, not_found. */
  private admit(authorization: string | undefined): void {
    const { metricsTokens, production } = this.config;
    if (metricsTokens.length === 0) {
      if (production) throw new DomainError('not_found', 'Metrics are disabled: METRICS_TOKEN is not set.');
      return;
    }
    const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    if (token === undefined) throw new DomainError('missing_token', 'Send METRICS_TOKEN as a bearer token.');
    if (!metricsTokens.some((known) => equalDigests(digestOf(known), digestOf(token))))
      throw new DomainError('invalid_token', 'The bearer token is not the METRICS_TOKEN of this service.');
  }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
