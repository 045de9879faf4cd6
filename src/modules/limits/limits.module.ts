/** Plans, caps, monthly usage, and request-rate windows, section 8. */
import { Module, type Provider } from '@nestjs/common';
import type { Logger } from 'pino';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../platform/config/config.js';
import { ratesPool } from '../../platform/database/data-source.js';
import { LOGGER } from '../../platform/logging/logger.js';
import { FailFastRedis } from '../../platform/queue/fail-fast-redis.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { AllowanceService } from './application/allowance.service.js';
import { MonthlyEmails } from './application/monthly-emails.js';
import { MonthlyUsage } from './application/monthly-usage.js';
import { NetworkRates } from './application/network-rates.js';
import { LocalWindows } from './application/local-windows.js';
import { RateLimitService } from './application/rate-limit.service.js';
import { RateWindows } from './application/rate-windows.port.js';
import { SharedWindows } from './application/shared-windows.js';
import { UsageRenewal } from './application/usage-renewal.js';
import { AllowanceRepository } from './persistence/allowance.repository.js';
import { MonthlyEmailsRepository } from './persistence/monthly-emails.repository.js';
import { MonthlyUsageRepository } from './persistence/monthly-usage.repository.js';
import type { RateStore } from './domain/rate-store.js';
import { PostgresRateStore } from './persistence/postgres-rate-store.js';
import { RedisRateStore } from './persistence/redis-rate-store.js';

/** Connects lazily, at the first request. */
const RATE_WINDOWS: Provider = {
  provide: RateWindows,
  inject: [RUNTIME_CONFIG, LOGGER, Metrics],
  useFactory: (config: RuntimeConfig, logger: Logger, metrics: Metrics) =>
    config.isSingleProcess
      ? new LocalWindows()
      : new SharedWindows(storeOf(config, logger), {
          logger,
          failures: metrics.rateStoreFailures,
          timeoutMs: config.databaseWaitMs / 5,
        }),
};

function storeOf(
  { queue, databaseUrl, databaseWaitMs, roleSuffix, redisPrefix }: RuntimeConfig,
  logger: Logger,
): RateStore {
  if (queue.kind === 'redis') return new RedisRateStore(new FailFastRedis(queue.url, logger), redisPrefix);
  const pool = ratesPool(
    databaseUrl,
    { statementMs: Math.ceil(databaseWaitMs / 20), connectMs: Math.ceil(databaseWaitMs / 5) },
    roleSuffix,
  );
  pool.on('error', (error) => logger.debug({ err: error }, 'An idle connection of the rate limits was lost'));
  return new PostgresRateStore(pool);
}

@Module({
  providers: [
    AllowanceRepository,
    AllowanceService,
    MonthlyEmails,
    MonthlyEmailsRepository,
    MonthlyUsage,
    MonthlyUsageRepository,
    NetworkRates,
    RATE_WINDOWS,
    RateLimitService,
    UsageRenewal,
  ],
  exports: [AllowanceService, MonthlyEmails, MonthlyUsage, NetworkRates, RateLimitService, UsageRenewal],
})
export class LimitsModule {}
