/** The base services of every process: configuration, logger, clock, database, metrics. */
import {
  type DynamicModule,
  Global,
  Inject,
  Injectable,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { Logger } from 'pino';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { Clock } from '../kernel/clock.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from './config/config.js';
import { ChangeFeed } from './database/change-feed.js';
import { appOptions, dispatchPool, readerPool, type SchemaSource } from './database/data-source.js';
import { Database } from './database/database.js';
import { ProcessLease } from './database/process-lease.js';
import { followProductClock, openProductClock } from './database/product-clock.js';
import { APP_ROLE, urlAs } from './database/roles.js';
import { ReaderDatabase } from './database/reader-database.js';
import { LOGGER } from './logging/logger.js';
import { Metrics } from './telemetry/metrics.js';

export interface PlatformOptions {
  readonly config: RuntimeConfig;
  readonly logger: Logger;
  readonly schema: SchemaSource;
  /** Number of connections in this process's pool. */
  readonly poolSize?: number;
  /** Whether the process only reads the service's clock and leaves it unchanged. */
  readonly followsClock?: boolean;
  /** Replaces the product's clock in tests. */
  readonly clock?: Clock;
}

@Injectable()
class DatabaseConnectionsShutdown implements OnApplicationShutdown {
  constructor(
    @Inject(ChangeFeed) private readonly changes: ChangeFeed,
    @Inject(ProcessLease) private readonly lease: ProcessLease,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.changes.close(), this.lease.close()]);
  }
}

@Global()
@Module({})
export class PlatformModule {
  static register(options: PlatformOptions): DynamicModule {
    const { config, logger, schema, poolSize = 16, followsClock = false, clock } = options;
    const { databaseUrl, databaseWaitMs, roleSuffix } = config;
    const url = urlAs(APP_ROLE, databaseUrl, roleSuffix);
    const source = getDataSourceToken();
    return {
      module: PlatformModule,
      imports: [
        TypeOrmModule.forRoot({
          ...appOptions(databaseUrl, schema, poolSize, databaseWaitMs, roleSuffix),
          retryAttempts: 0,
        }),
      ],
      providers: [
        { provide: RUNTIME_CONFIG, useValue: config },
        { provide: LOGGER, useValue: logger },
        {
          provide: Clock,
          inject: [source],
          useFactory: async (data: DataSource) =>
            clock ??
            (await (followsClock ? followProductClock(data) : openProductClock(data, config.clockSpeed))),
        },
        {
          provide: Database,
          inject: [source, Metrics],
          useFactory: (data: DataSource, metrics: Metrics) =>
            new Database(
              data,
              withErrorLog(dispatchPool(databaseUrl, databaseWaitMs, roleSuffix), logger),
              logger,
              (sqlstate) => metrics.databaseShortages.inc({ sqlstate }),
            ),
        },
        {
          provide: ReaderDatabase,
          inject: [Metrics],
          useFactory: (metrics: Metrics) =>
            new ReaderDatabase(
              withErrorLog(readerPool(databaseUrl, databaseWaitMs, roleSuffix), logger),
              ({ workspaceId, environment }, reason) => {
                metrics.exportsCut.inc();
                logger.info({ workspaceId, environment, reason }, 'An export was cut off');
              },
            ),
        },
        {
          provide: ChangeFeed,
          useFactory: async () => {
            const feed = new ChangeFeed(url, logger);
            await feed.open();
            return feed;
          },
        },
        { provide: ProcessLease, useFactory: () => new ProcessLease(url, logger) },
        DatabaseConnectionsShutdown,
        Metrics,
      ],
      exports: [RUNTIME_CONFIG, LOGGER, Clock, Database, ReaderDatabase, ChangeFeed, ProcessLease, Metrics],
    };
  }
}

/** Logs the loss of an idle connection, which is replaced at the next use. */
function withErrorLog(pool: Pool, logger: Logger): Pool {
  return pool.on('error', (error) => logger.warn({ err: error }, 'An idle database connection was lost'));
}
