/**
 * BullMQ, on the service's own PostgreSQL or on Redis; nothing else in the house knows which. Its tables are cache:
 * emptying them loses nothing.
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
import { createPostgresBackend, setDefaultBackendFactory, type QueueOptions } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../config/config.js';
import { QUEUE_SCHEMA } from '../database/migrate.js';
import { QUEUE_ROLE, urlAs } from '../database/roles.js';
import { BellTools } from './bell.processor.js';
import { Dispatcher } from './dispatcher.js';
import { JobRegistry } from './job-registry.js';
import { Sweeper } from './sweeper.js';
import { WorkSession } from './work-session.js';

const QUEUE_CONNECTIONS = 16;

/** The connection that all queues of the process have together. */
@Injectable()
export class QueueConnection implements OnApplicationShutdown {
  readonly connection: pg.Pool | Redis;

  constructor(@Inject(RUNTIME_CONFIG) config: RuntimeConfig) {
    this.connection =
      config.queue.kind === 'redis'
        ? new Redis(config.queue.url, { maxRetriesPerRequest: null })
        : new pg.Pool({
            connectionString: urlAs(QUEUE_ROLE, config.databaseUrl),
            options: `-c search_path=${QUEUE_SCHEMA}`,
            max: QUEUE_CONNECTIONS,
            keepAlive: true,
            application_name: 'waypost-queue',
          });
    // Each queue and worker listens on the one connection; lost connections are retried by their owners.
    this.connection.setMaxListeners(0);
    this.connection.on('error', () => undefined);
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

@Global()
@Module({ providers: [QueueConnection], exports: [QueueConnection] })
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
