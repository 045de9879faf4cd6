/**
 * The root module of the API: every module with its REST and GraphQL APIs, and optionally workers in the same process.
 */
import { type DynamicModule, Module } from '@nestjs/common';
import { ApiKeysApiModule } from '../modules/api-keys/api-keys.api.module.js';
import { AuditApiModule } from '../modules/audit/audit.api.module.js';
import { AuthModule } from '../modules/auth/auth.module.js';
import { BillingApiModule } from '../modules/billing/billing.api.module.js';
import { CampaignsApiModule } from '../modules/campaigns/campaigns.api.module.js';
import { ContactsApiModule } from '../modules/contacts/contacts.api.module.js';
import { DeliveryApiModule } from '../modules/delivery/delivery.api.module.js';
import { DomainsApiModule } from '../modules/domains/domains.api.module.js';
import { EventsApiModule } from '../modules/events/events.api.module.js';
import { FeedbackApiModule } from '../modules/feedback/feedback.api.module.js';
import { FlowsApiModule } from '../modules/flows/flows.api.module.js';
import { ImportsApiModule } from '../modules/imports/imports.api.module.js';
import { InspectApiModule } from '../modules/inspect/inspect.api.module.js';
import { NoticesApiModule } from '../modules/notices/notices.api.module.js';
import { OperationsModule } from '../modules/operations/operations.module.js';
import { PreferencesApiModule } from '../modules/preferences/preferences.api.module.js';
import { ReportsApiModule } from '../modules/reports/reports.api.module.js';
import { SegmentsApiModule } from '../modules/segments/segments.api.module.js';
import { DeadLettersApiModule } from '../modules/dead-letters/dead-letters.api.module.js';
import { SuppressionsApiModule } from '../modules/suppressions/suppressions.api.module.js';
import { TemplatesApiModule } from '../modules/templates/templates.api.module.js';
import { TripsApiModule } from '../modules/trips/trips.api.module.js';
import { UsageApiModule } from '../modules/usage/usage.api.module.js';
import { UnsubscribeApiModule } from '../modules/unsubscribe/unsubscribe.api.module.js';
import { WorkspacesApiModule } from '../modules/workspaces/workspaces.api.module.js';
import { GraphqlModule } from '../platform/graphql/graphql.module.js';
import { ThreadsModule } from '../platform/threads/threads.module.js';
import { PlatformModule, type PlatformOptions } from '../platform/platform.module.js';
import { QueueModule } from '../platform/queue/queue.module.js';
import { QUEUES, type QueueName } from '../platform/queue/wake-ups.js';
import { THREAD_ENTRY } from './thread-entry.js';
import { BindingsModule } from './bindings.module.js';
import { QueueWorkersModule } from './worker.module.js';

@Module({})
export class ApiModule {
  /** @param queues queues to process in this process too; none by default. */
  static register(options: PlatformOptions, queues: readonly QueueName[] = []): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        PlatformModule.register(options),
        ThreadsModule.register(THREAD_ENTRY),
        QueueModule.register(options.config, QUEUES),
        GraphqlModule.register(options.config),
        BindingsModule,
        AuthModule.register(options.config),
        ApiKeysApiModule,
        AuditApiModule,
        BillingApiModule,
        CampaignsApiModule,
        ContactsApiModule,
        DeliveryApiModule,
        DomainsApiModule,
        EventsApiModule,
        FeedbackApiModule,
        FlowsApiModule,
        NoticesApiModule,
        OperationsModule,
        PreferencesApiModule,
        ReportsApiModule,
        SegmentsApiModule,
        DeadLettersApiModule,
        SuppressionsApiModule,
        TemplatesApiModule,
        ImportsApiModule,
        InspectApiModule,
        TripsApiModule,
        UnsubscribeApiModule,
        UsageApiModule,
        WorkspacesApiModule,
        ...(queues.length > 0 ? [QueueWorkersModule.register(queues)] : []),
      ],
    };
  }
}
