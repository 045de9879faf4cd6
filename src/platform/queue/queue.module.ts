/**
 * BullMQ, on the service's own PostgreSQL or on Redis; nothing else in the house knows which. Its tables are cache:
 * emptying them loses nothing.
 */
import { type DynamicModule, Global, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { BullModule } from '@nestjs/bullmq';
import { createPostgresBackend, setDefaultBackendFactory, type QueueOptions } from 'bullmq';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { ConfigError, RUNTIME_CONFIG, type RuntimeConfig } from '../config/config.js';
import { QUEUE_SCHEMA } from '../database/migrate.js';
import { QUEUE_ROLE, urlAs } from '../database/roles.js';
import { LOGGER } from '../logging/logger.js';
import { BellTools } from './bell.processor.js';
import { Dispatcher } from './dispatcher.js';
import { JobRegistry } from './job-registry.js';
import { QueuePool } from './queue-pool.js';
import { Sweeper } from './sweeper.js';
import { WorkSession } from './work-session.js';

const QUEUE_CONNECTIONS = 16;

/** The connection that all queues of the process have together. */
@Injectable()
export class QueueConnection implements OnApplicationShutdown {
  private constructor(readonly connection: QueuePool | Redis) {}

  /**
   * Connects, once it is sure that somebody is there: later outages are lived through, a wrong address is not.
   * @throws ConfigError naming REDIS_URL; whatever PostgreSQL says.
   */
  static async open(config: RuntimeConfig, logger: Logger): Promise<QueueConnection> {
    const { queue, databaseUrl } = config;
    if (queue.kind === 'redis') await assertRedis(queue.url);
    const opened = new QueueConnection(
      queue.kind === 'redis' ? redis(queue.url) : postgres(databaseUrl, logger),
    );
    await opened.ping();
    return opened;
  }

  /** Answers when the queue's storage answers. */
  async ping(): Promise<void> {
    if (this.connection instanceof Redis) await this.connection.ping();
    else await this.connection.query('SELECT 1');
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.connection instanceof Redis) this.connection.disconnect();
    else await this.connection.end();
  }
}

async function assertRedis(url: string): Promise<void> {
  const probe = new Redis(url, { lazyConnect: true, connectTimeout: 5_000, retryStrategy: () => null });
  let reason = '';
  // The first error is the cause; what the calls throw only says that the connection is closed.
  probe.on('error', (error: Error) => (reason ||= error.message));
  try {
    await probe.connect();
    await probe.ping();
  } catch (error) {
    reason ||= error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      `REDIS_URL cannot be reached (${reason}): start the Redis or Valkey server, or give another address.`,
    );
  } finally {
    probe.disconnect();
  }
}

function postgres(databaseUrl: string, logger: Logger): QueuePool {
  return new QueuePool(
    {
      connectionString: urlAs(QUEUE_ROLE, databaseUrl),
      // Bells are cache: a commit that a crash of the server forgets is rung again by the sweeper.
      options: `-c search_path=${QUEUE_SCHEMA} -c synchronous_commit=off`,
      max: QUEUE_CONNECTIONS,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      application_name: 'waypost-queue',
    },
    logger,
  );
}

function redis(url: string): Redis {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  // Each queue and worker listens on the one connection; lost connections are retried by their owners.
  connection.setMaxListeners(0);
  connection.on('error', () => undefined);
  return connection;
}

@Global()
@Module({
  providers: [
    {
      provide: QueueConnection,
      inject: [RUNTIME_CONFIG, LOGGER],
      useFactory: (config: RuntimeConfig, logger: Logger) => QueueConnection.open(config, logger),
    },
  ],
  exports: [QueueConnection],
})
class QueueConnectionModule {}

@Global()
@Module({})
export class QueueModule {
  /** @param queues every queue that the service has, so that any process can ring any bell. */
  static register(config: RuntimeConfig, queues: readonly string[]): DynamicModule {
    // Process-wide, since QueueEvents of @nestjs/bullmq takes no class of its own.
    setDefaultBackendFactory(config.queue.kind === 'redis' ? undefined : (createPostgresBackend as never));
    return {
      module: QueueModule,
      imports: [
        QueueConnectionModule,
        BullModule.forRootAsync({
          inject: [QueueConnection],
          useFactory: ({ connection }: QueueConnection) => ({
            connection: connection as unknown as QueueOptions['connection'],
          }),
        }),
        BullModule.registerQueue(...queues.map((name) => ({ name }))),
      ],
      providers: [BellTools, Dispatcher, JobRegistry, Sweeper, WorkSession],
      exports: [BellTools, BullModule, Dispatcher, JobRegistry, Sweeper, WorkSession],
    };
  }
}
