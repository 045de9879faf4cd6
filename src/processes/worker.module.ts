/** The root module of a worker: the work of some queues in a Nest application context, without HTTP. */
import { type DynamicModule, Module } from '@nestjs/common';
import { PlatformModule, type PlatformOptions } from '../platform/platform.module.js';
import { QueueModule } from '../platform/queue/queue.module.js';
import { QUEUES, type QueueName } from '../platform/queue/wake-ups.js';
import { ThreadsModule } from '../platform/threads/threads.module.js';
import { BindingsModule } from './bindings.module.js';
import { THREAD_ENTRY } from './thread-entry.js';
import { WORKER_CATALOGUE } from './worker-catalogue.js';

/** The work of the given queues. */
@Module({})
export class QueueWorkersModule {
  static async register(queues: readonly QueueName[]): Promise<DynamicModule> {
    const loaded = await Promise.all(queues.map((queue) => WORKER_CATALOGUE[queue]()));
    return { module: QueueWorkersModule, imports: loaded.map(({ WORK }) => WORK.module) };
  }
}

@Module({})
export class WorkerModule {
  static register(options: PlatformOptions, queues: readonly QueueName[]): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        PlatformModule.register(options),
        ThreadsModule.register(THREAD_ENTRY),
        QueueModule.register(options.config, QUEUES),
        BindingsModule,
        QueueWorkersModule.register(queues),
      ],
    };
  }
}
