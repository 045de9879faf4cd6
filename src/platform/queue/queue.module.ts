/**
 * Configures BullMQ on the service's own PostgreSQL or on Redis; no other code depends on which. Its tables are a
 * cache: emptying them loses no work.
 */
import {
  type DynamicModule,
  Global,
  Inject,
  Injectable,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { BullModule } from '@nestjs/bullmq';
import { setDefaultBackendFactory, type QueueOptions } from 'bullmq';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../config/config.js';
import { QUEUE_SCHEMA } from '../database/migrate.js';
import { QUEUE_ROLE, urlAs } from '../database/roles.js';
import { LOGGER } from '../logging/logger.js';
import { WakeUpTools } from './wakeup.processor.js';
import { Dispatcher } from './dispatcher.js';
import { resilientBackend, QueuePool } from './queue-pool.js';
import { Sweeper } from './sweeper.js';
import { WorkSession } from './work-session.js';

/** More than the number of queues: each keeps one connection to listen on, and the rest serve their queries. */
const QUEUE_CONNECTIONS = 24;

/** The connection that all queues of the process share. */
@Injectable()
export class QueueConnection implements OnApplicationShutdown {
  readonly connection: QueuePool | Redis;

  constructor(@Inject(RUNTIME_CONFIG) config: RuntimeConfig, @Inject(LOGGER) logger: Logger) {
    this.connection = config.queue.kind === 'redis' ? redis(config.queue.url) : postgres(config, logger);
  }

  /** Resolves if the queue's storage responds. */
  async ping(): Promise<void> {
    if (this.connection instanceof Redis) await this.connection.ping();
    else await this.connection.query('SELECT 1');
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.connection instanceof Redis) this.connection.disconnect();
    else await this.connection.end();
  }
}

function postgres({ databaseUrl, databaseWaitMs, roleSuffix }: RuntimeConfig, logger: Logger): QueuePool {
  return new QueuePool(
    {
      connectionString: urlAs(QUEUE_ROLE, databaseUrl, roleSuffix),
      // Wake-ups are a cache: if a server crash loses a commit, the sweeper sends the wake-up again.
      options: `-c search_path=${QUEUE_SCHEMA} -c synchronous_commit=off`,
      max: QUEUE_CONNECTIONS,
      keepAlive: true,
      connectionTimeoutMillis: databaseWaitMs,
      application_name: 'waypost-queue',
    },
    logger,
  );
}

function redis(url: string): Redis {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  // Each queue and worker listens on the one connection; its owners reconnect after a loss.
  connection.setMaxListeners(0);
  connection.on('error', () => undefined);
  return connection;
}

@Global()
@Module({ providers: [QueueConnection], exports: [QueueConnection] })
class QueueConnectionModule {}

@Global()
@Module({})
export class QueueModule {
  /** @param queues all queues of the service, so that any process can send any wake-up. */
  static register(config: RuntimeConfig, queues: readonly string[]): DynamicModule {
    // Set globally, because QueueEvents of @nestjs/bullmq accepts no backend class.
    setDefaultBackendFactory(config.queue.kind === 'redis' ? undefined : (resilientBackend as never));
    return {
      module: QueueModule,
      imports: [
        QueueConnectionModule,
        BullModule.forRootAsync({
          inject: [QueueConnection],
          useFactory: ({ connection }: QueueConnection) => ({
            ...(config.redisPrefix === '' ? {} : { prefix: config.redisPrefix }),
            connection: connection as unknown as QueueOptions['connection'],
          }),
        }),
        BullModule.registerQueue(...queues.map((name) => ({ name }))),
      ],
      providers: [WakeUpTools, Dispatcher, Sweeper, WorkSession],
      exports: [WakeUpTools, BullModule, Dispatcher, Sweeper, WorkSession],
    };
  }
}
