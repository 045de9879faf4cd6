/** The root module of a worker: the processors of some queues in a Nest application context, without HTTP. */
import { type DynamicModule, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { PlatformModule, type PlatformOptions } from '../platform/platform.module.js';
import { JobRegistry } from '../platform/queue/job-registry.js';
import { QueueModule } from '../platform/queue/queue.module.js';
import { ThreadsModule } from '../platform/threads/threads.module.js';
import { BindingsModule } from './bindings.module.js';
import { THREAD_ENTRY } from './thread-entry.js';
import { QUEUES, WORKER_CATALOGUE } from './worker-catalogue.js';

const PROCESSED_QUEUES = Symbol('PROCESSED_QUEUES');

/** The processors of the given queues. Startup fails if a job of theirs has no processor, or two. */
@Module({})
export class QueueWorkersModule implements OnModuleInit {
  constructor(
    private readonly registry: JobRegistry,
    @Inject(PROCESSED_QUEUES) private readonly queues: readonly string[],
  ) {}

  static async register(queues: readonly string[]): Promise<DynamicModule> {
    return {
      module: QueueWorkersModule,
      imports: await Promise.all(entriesOf(queues).map(({ load }) => load())),
      providers: [{ provide: PROCESSED_QUEUES, useValue: queues }],
    };
  }

  onModuleInit(): void {
    this.registry.check(entriesOf(this.queues).map(({ wakeUp: wakeUp }) => wakeUp.name));
  }
}

function entriesOf(queues: readonly string[]): (typeof WORKER_CATALOGUE)[string][] {
  return queues.flatMap((queue) => WORKER_CATALOGUE[queue] ?? []);
}

@Module({})
export class WorkerModule {
  static register(options: PlatformOptions, queues: readonly string[]): DynamicModule {
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
