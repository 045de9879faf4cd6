/**
 * The services that the commands use, without HTTP, GraphQL or workers. Commands may enqueue wake-ups, which other
 * processes handle.
 */
import { type DynamicModule, Module } from '@nestjs/common';
import { ApiKeysModule } from '../../modules/api-keys/api-keys.module.js';
import { BillingModule } from '../../modules/billing/billing.module.js';
import { ContactsModule } from '../../modules/contacts/contacts.module.js';
import { DomainsModule } from '../../modules/domains/domains.module.js';
import { FeedbackModule } from '../../modules/feedback/feedback.module.js';
import { FlowsModule } from '../../modules/flows/flows.module.js';
import { ImportsModule } from '../../modules/imports/imports.module.js';
import { MetricsModule } from '../../modules/metrics/metrics.module.js';
import { SegmentsModule } from '../../modules/segments/segments.module.js';
import { SuppressionsModule } from '../../modules/suppressions/suppressions.module.js';
import { TemplatesModule } from '../../modules/templates/templates.module.js';
import { SimulationModule } from '../../modules/trips/simulation.module.js';
import { TripsModule } from '../../modules/trips/trips.module.js';
import { WorkspacesModule } from '../../modules/workspaces/workspaces.module.js';
import { PlatformModule, type PlatformOptions } from '../../platform/platform.module.js';
import { ThreadsModule } from '../../platform/threads/threads.module.js';
import { QueueModule } from '../../platform/queue/queue.module.js';
import { QUEUES } from '../../platform/queue/wake-ups.js';
import { BindingsModule } from '../bindings.module.js';
import { THREAD_ENTRY } from '../thread-entry.js';

@Module({})
export class CliModule {
  static register(options: PlatformOptions): DynamicModule {
    return {
      module: CliModule,
      imports: [
        PlatformModule.register({ ...options, followsClock: true }),
        ThreadsModule.register(THREAD_ENTRY),
        QueueModule.register(options.config, QUEUES),
        BindingsModule,
        ApiKeysModule,
        BillingModule,
        ContactsModule,
        DomainsModule,
        FeedbackModule,
        FlowsModule,
        ImportsModule,
        MetricsModule,
        SegmentsModule,
        SimulationModule,
        SuppressionsModule,
        TemplatesModule,
        TripsModule,
        WorkspacesModule,
      ],
    };
  }
}
