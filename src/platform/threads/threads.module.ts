/** Provides the worker threads of a process. Each process defines the file that they run. */
import {
  type DynamicModule,
  Global,
  Inject,
  Injectable,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logger.js';
import { Metrics } from '../telemetry/metrics.js';
import { Threads } from './threads.js';

/** Ends the threads after requests and jobs have finished. */
@Injectable()
class ThreadsShutdown implements OnApplicationShutdown {
  constructor(@Inject(Threads) private readonly threads: Threads) {}

  async onApplicationShutdown(): Promise<void> {
    await this.threads.close();
  }
}

@Global()
@Module({})
export class ThreadsModule {
  /** @param entry the file whose default export a thread runs. */
  static register(entry: URL): DynamicModule {
    return {
      module: ThreadsModule,
      providers: [
        {
          provide: Threads,
          inject: [Metrics, LOGGER],
          useFactory: (metrics: Metrics, logger: Logger) => new Threads(entry, metrics, logger),
        },
        ThreadsShutdown,
      ],
      exports: [Threads],
    };
  }
}
