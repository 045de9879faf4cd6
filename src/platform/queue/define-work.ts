/**
 * Defines a queue in one place: how the poller finds tenants with due work, and how a worker processes it. The
 * definition becomes the Nest module of the queue, with its BullMQ processor and its poller.
 */
import { Module, type ModuleMetadata, type Provider, type Type } from '@nestjs/common';
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../kernel/tenant-scope.js';
import { Database } from '../database/database.js';
import type { WakeUp } from './job-contract.js';
import { type DueTenantsSql, type Poller, TenantPoller } from './poller.js';
import { Sweeper } from './sweeper.js';
import { WakeUpProcessor, WakeUpTools, WORKER_OPTIONS } from './wakeup.processor.js';

/** SQL, or a poller if SQL alone does not find all tenants. It must be cheap, because it runs about once a second. */
type DueTenants = DueTenantsSql | readonly DueTenantsSql[] | Type<Poller>;

interface WorkDefinition<Queue extends string, Service> extends Pick<
  ModuleMetadata,
  'imports' | 'providers'
> {
  readonly wakeUp: WakeUp<Queue>;
  /** Tenants that a process works for concurrently; 4 if it is missing. */
  readonly concurrency?: number;
  readonly dueTenants: DueTenants;
  readonly process: {
    readonly with: Type<Service>;
    /**
     * Processes the tenant's due rows in batches while `mayContinue` returns true.
     * @returns whether due rows may be left.
     */
    readonly run: (service: Service, scope: TenantScope, mayContinue: () => boolean) => Promise<boolean>;
    /** Called at shutdown, after the last job and before the database connections close. */
    readonly finish?: (service: Service) => Promise<void>;
  };
}

/** A queue as the worker catalogue loads it. */
export interface Work<Queue extends string = string> {
  readonly wakeUp: WakeUp<Queue>;
  readonly module: Type;
  /** The class of the processor, for tests that process without jobs. */
  readonly processor: Type<WakeUpProcessor>;
}

export function defineWork<Queue extends string, Service>(
  definition: WorkDefinition<Queue, Service>,
): Work<Queue> {
  const {
    wakeUp,
    concurrency = WORKER_OPTIONS.concurrency,
    dueTenants,
    imports = [],
    providers = [],
  } = definition;
  const { with: service, run, finish } = definition.process;

  @Processor(wakeUp.queue, { ...WORKER_OPTIONS, concurrency })
  class QueueProcessor extends WakeUpProcessor {}

  @Module({
    imports,
    providers: [
      ...providers,
      {
        provide: QueueProcessor,
        inject: [service, WakeUpTools],
        useFactory: (worker: Service, tools: WakeUpTools) =>
          new QueueProcessor(
            wakeUp,
            {
              run: (scope, mayContinue) => run(worker, scope, mayContinue),
              finish: async () => finish?.(worker),
            },
            tools,
          ),
      },
      ...pollerOf(wakeUp, dueTenants),
    ],
  })
  class WorkModule {}
  // Nest names the module in its errors.
  Object.defineProperty(WorkModule, 'name', { value: `WorkModule(${wakeUp.queue})` });

  return { wakeUp, module: WorkModule, processor: QueueProcessor };
}

/** The poller, registered with the sweeper. */
function pollerOf(wakeUp: WakeUp, dueTenants: DueTenants): Provider[] {
  const provide = Symbol(`poller of ${wakeUp.queue}`);
  if (typeof dueTenants === 'function')
    return [
      dueTenants,
      {
        provide,
        inject: [Sweeper, dueTenants],
        useFactory: (sweeper: Sweeper, poller: Poller) => sweeper.watch(poller),
      },
    ];
  return [
    {
      provide,
      inject: [Sweeper, Database],
      useFactory: (sweeper: Sweeper, database: Database) =>
        sweeper.watch(new TenantPoller(wakeUp, dueTenants, database)),
    },
  ];
}
