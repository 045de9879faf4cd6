/**
 * The sender on a real database and a real SMTP server, without queue workers: a test runs each batch itself and
 * controls the clock.
 */
import 'reflect-metadata';
import { Global, Module, type Type } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import pg from 'pg';
import type { Environment, TenantScope, WorkspaceScope } from '../../src/kernel/tenant-scope.js';
import { uuidv7 } from '../../src/kernel/uuid.js';
import {
  PauseNotifications,
  type StartedPause,
} from '../../src/modules/delivery/application/pause-notifications.port.js';
import { TerminatedTrips } from '../../src/modules/delivery/application/terminated-trips.port.js';
import { SendRules } from '../../src/modules/delivery/application/send-rules.port.js';
import { SendThrottles } from '../../src/modules/delivery/application/send-throttles.port.js';
import { SettledMessagesListener } from '../../src/modules/delivery/application/settled-messages.listener.js';
import { Listeners } from '../../src/platform/database/listener.js';
import { SenderService } from '../../src/modules/delivery/application/sender.service.js';
import type { MessageState, NewEmailLog } from '../../src/modules/delivery/domain/email-log.js';
import type { StepRules } from '../../src/modules/delivery/domain/send-hours-settings.js';
import type { Throttle } from '../../src/modules/delivery/domain/throttle.js';
import { MessageQueueRepository } from '../../src/modules/delivery/persistence/message-queue.repository.js';
import { WORK } from '../../src/modules/delivery/queue/sends.work.js';
import {
  CampaignDeliveryStates,
  type CampaignDeliveryState,
  type CampaignStopReason,
} from '../../src/modules/delivery/application/campaign-delivery-states.port.js';
import { DomainNotifications } from '../../src/modules/domains/application/domain-notifications.port.js';
import { loadConfig, type RuntimeConfig } from '../../src/platform/config/config.js';
import { Database, type Transaction } from '../../src/platform/database/database.js';
import { makeLogger } from '../../src/platform/logging/logger.js';
import { PlatformModule } from '../../src/platform/platform.module.js';
import { QueueModule } from '../../src/platform/queue/queue.module.js';
import { ContactBindingsModule } from '../support/contact-bindings.js';
import { THREAD_ENTRY } from '../../src/processes/thread-entry.js';
import { ThreadsModule } from '../../src/platform/threads/threads.module.js';
import { SCHEMA } from '../../src/processes/schema.js';
import { ManualClock } from '../support/clock.js';
import type { TestDatabase } from '../support/database.js';

/** Throttles of flows, set by the test. */
export class StubThrottles extends SendThrottles {
  readonly byFlow = new Map<string, Throttle>();

  override of(_tx: Transaction, _scope: WorkspaceScope, flowIds: readonly string[]) {
    return Promise.resolve(among(flowIds, (id) => this.byFlow.get(id)));
  }

  override read(tx: Transaction, scope: WorkspaceScope, flowIds: readonly string[]) {
    return this.of(tx, scope, flowIds);
  }
}

/** Send rules of flows' steps, set by the test. They simulate a process's cache, which may be stale. */
export class StubSendRules extends SendRules {
  readonly current = new Map<string, StepRules>();
  readonly cached = new Map<string, StepRules>();

  override of(_tx: Transaction, _scope: WorkspaceScope, flowIds: readonly string[]) {
    return Promise.resolve(among(flowIds, (id) => this.cached.get(id) ?? this.current.get(id)));
  }

  override read(_tx: Transaction, _scope: WorkspaceScope, flowIds: readonly string[]) {
    return Promise.resolve(among(flowIds, (id) => this.current.get(id)));
  }
}

function among<Value>(
  ids: readonly string[],
  valueOf: (id: string) => Value | undefined,
): Map<string, Value> {
  return new Map(
    ids.flatMap((id) => {
      const value = valueOf(id);
      return value === undefined ? [] : [[id, value] as const];
    }),
  );
}

/** Trips that the test declares as ended. */
export class StubTerminatedTrips extends TerminatedTrips {
  readonly ended = new Set<string>();

  override among(_tx: Transaction, _scope: TenantScope, tripIds: readonly string[]): Promise<Set<string>> {
    return Promise.resolve(new Set(tripIds.filter((id) => this.ended.has(id))));
  }
}

/** Campaigns that the test declares as stopped, by id; all others may send. */
export class StubCampaignStates extends CampaignDeliveryStates {
  readonly states = new Map<string, CampaignDeliveryState>();
  /** The reason for each stop. */
  readonly stops = new Map<string, CampaignStopReason>();

  override of(
    _tx: Transaction,
    _scope: TenantScope,
    campaignIds: readonly string[],
  ): Promise<Map<string, CampaignDeliveryState>> {
    return Promise.resolve(among(campaignIds, (id) => this.states.get(id) ?? 'going'));
  }

  override async reportStopped(
    ...[, , campaignIds, why]: Parameters<CampaignDeliveryStates['reportStopped']>
  ): Promise<void> {
    for (const id of campaignIds) this.stops.set(id, why);
    await Promise.resolve();
  }
}

/** Records the domains that notifications would mention. */
export class RecordedDomainNotifications extends DomainNotifications {
  readonly domains: string[] = [];

  override async notifyFailing(
    ...[, , { domain }]: Parameters<DomainNotifications['notifyFailing']>
  ): Promise<void> {
    this.domains.push(domain);
    await Promise.resolve();
  }
}

/** Records the pauses that notifications would mention. */
export class RecordedPauseNotifications extends PauseNotifications {
  readonly pauses: StartedPause[] = [];

  override async notifyPaused(_tx: Transaction, _scope: TenantScope, pause: StartedPause): Promise<void> {
    this.pauses.push(pause);
    await Promise.resolve();
  }
}

/** Records the domain events that listeners would receive. */
export class RecordedOutcomes extends SettledMessagesListener {
  readonly settledLogs: MessageState[] = [];
  /** Called while a batch of outcomes is announced. */
  onHearing: () => void = () => undefined;

  override async handle(
    _tx: Transaction,
    _scope: TenantScope,
    messages: readonly MessageState[],
  ): Promise<void> {
    this.settledLogs.push(...messages);
    this.onHearing();
    await Promise.resolve();
  }
}

@Global()
@Module({
  providers: [
    RecordedOutcomes,
    StubCampaignStates,
    RecordedDomainNotifications,
    StubTerminatedTrips,
    RecordedPauseNotifications,
    StubSendRules,
    StubThrottles,
    { provide: CampaignDeliveryStates, useExisting: StubCampaignStates },
    { provide: DomainNotifications, useExisting: RecordedDomainNotifications },
    { provide: PauseNotifications, useExisting: RecordedPauseNotifications },
    { provide: TerminatedTrips, useExisting: StubTerminatedTrips },
    { provide: SendRules, useExisting: StubSendRules },
    { provide: SendThrottles, useExisting: StubThrottles },
    {
      provide: SettledMessagesListener,
      inject: [RecordedOutcomes],
      useFactory: (recorded: RecordedOutcomes) => new Listeners([recorded]),
    },
  ],
  exports: [
    CampaignDeliveryStates,
    DomainNotifications,
    PauseNotifications,
    TerminatedTrips,
    SendRules,
    SendThrottles,
    SettledMessagesListener,
  ],
})
class Bindings {}

export interface LogRow {
  readonly id: string;
  readonly contact_id: string;
  readonly origin_id: string;
  readonly status: string;
  readonly attempts: number;
  readonly reissues: number;
  readonly error_code: string | null;
  readonly error_detail: string | null;
  readonly suppressed_reason: string | null;
  readonly message_id: string;
  readonly transport: string | null;
  readonly subject: string | null;
  readonly from_email: string | null;
  readonly to_email: string | null;
  readonly template_version: number | null;
  readonly next_attempt_at: Date;
  readonly sent_at: Date | null;
}

export interface SendingApp {
  readonly module: TestingModule;
  readonly clock: ManualClock;
  readonly admin: pg.Client;
  readonly config: RuntimeConfig;
  readonly outcomes: RecordedOutcomes;
  /** Trips that were ended from outside. */
  readonly endedTrips: Set<string>;
  /** Throttles of flows, by flow. */
  readonly throttles: Map<string, Throttle>;
  /** Rules of flows' steps: the current ones, and those in the process's cache. */
  readonly rules: StubSendRules;
  /** A new workspace that is live and complete; `columns` override the defaults. */
  workspace(columns?: Readonly<Record<string, unknown>>, environment?: Environment): Promise<TenantScope>;
  contact(scope: TenantScope, columns?: Readonly<Record<string, unknown>>): Promise<string>;
  template(scope: TenantScope, columns?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Queues one message; returns its id. */
  enqueue(scope: TenantScope, log: Partial<NewEmailLog> & { readonly contactId: string }): Promise<string>;
  /** Creates a workspace with a contact, a template and one message; returns them. */
  oneMessage(
    contentType?: NewEmailLog['contentType'],
  ): Promise<{ readonly scope: TenantScope; readonly contactId: string; readonly id: string }>;
  logs(scope: TenantScope): Promise<LogRow[]>;
  log(id: string): Promise<LogRow>;
  drain(scope: TenantScope): Promise<boolean>;
  close(): Promise<void>;
}

/** @param further modules that the test needs besides the sender. */
export async function startSending(
  database: TestDatabase,
  smtpUrl: string,
  sandboxSmtpUrl: string | undefined = smtpUrl,
  settings: Partial<RuntimeConfig> = {},
  further: readonly Type[] = [],
): Promise<SendingApp> {
  const config: RuntimeConfig = {
    ...loadConfig({}),
    databaseUrl: database.adminUrl,
    tokenSecrets: ['a secret of the tests that is long enough'],
    apiKeySecrets: ['a secret of the tests that is long enough'],
    encryptionKeys: ['0'.repeat(64)],
    smtpUrl,
    sandboxSmtpUrl,
    isSingleProcess: false,
    roleSuffix: '',
    redisPrefix: '',
    ...settings,
  };
  const clock = new ManualClock();
  const logger = makeLogger('test', 'silent');
  const module = await Test.createTestingModule({
    imports: [
      PlatformModule.register({ config, logger, schema: SCHEMA, clock, poolSize: 8 }),
      ThreadsModule.register(THREAD_ENTRY),
      QueueModule.register(config, ['sends']),
      Bindings,
      ContactBindingsModule,
      WORK.module,
      ...further,
    ],
  })
    .overrideProvider(WORK.processor)
    .useValue({})
    .compile();
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();

  const id = (): string => uuidv7(clock.now().getTime());
  const insert = async (table: string, columns: Readonly<Record<string, unknown>>): Promise<void> => {
    const names = Object.keys(columns);
    const values = Object.values(columns).map((value) =>
      typeof value === 'object' && value !== null && !(value instanceof Date) ? JSON.stringify(value) : value,
    );
    const places = names.map((_, index) => `$${index + 1}`).join(', ');
    await admin.query(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`, values);
  };
  const times = () => ({ created_at: clock.now(), updated_at: clock.now() });
  const inScope = <Result>(scope: TenantScope, work: (tx: Transaction) => Promise<Result>): Promise<Result> =>
    module.get(Database).inScope(scope, work);

  const app: SendingApp = {
    module,
    clock,
    admin,
    config,
    outcomes: module.get(RecordedOutcomes),
    endedTrips: module.get(StubTerminatedTrips).ended,
    throttles: module.get(StubThrottles).byFlow,
    rules: module.get(StubSendRules),
    workspace: async (columns = {}, environment = 'live') => {
      const workspaceId = id();
      await insert('workspaces', {
        id: workspaceId,
        name: 'Acme',
        plan: 'enterprise',
        live_at: clock.now(),
        company: COMPANY,
        sender: { from_email: 'hello@acme.test', from_name: 'Acme', reply_to: 'help@acme.test' },
        ...times(),
        ...columns,
      });
      return { workspaceId, environment };
    },
    contact: async (scope, columns = {}) => {
      const contactId = id();
      await insert('contacts', {
        workspace_id: scope.workspaceId,
        environment: scope.environment,
        id: contactId,
        external_id: contactId,
        email: `${contactId}@example.com`,
        first_name: 'Ada',
        ...times(),
        ...columns,
      });
      return contactId;
    },
    template: async (scope, columns = {}) => {
      const templateId = id();
      await insert('templates', {
        workspace_id: scope.workspaceId,
        id: templateId,
        name: 'Welcome',
        slug: 'welcome',
        subject: "Hello {the user's First Name}",
        body_html: "<html><body><p>Hi {the user's First Name}</p></body></html>",
        body_text: "Hi {the user's First Name}",
        version: 3,
        validation_status: 'valid',
        ...times(),
        ...columns,
      });
      return templateId;
    },
    enqueue: async (scope, log) => {
      const message = {
        id: id(),
        sourceId: null,
        origin: 'trip' as const,
        originId: id(),
        originStep: 0,
        triggerEventId: null,
        templateSlug: 'welcome',
        contentType: 'transactional' as const,
        options: {},
        ...log,
      };
      await inScope(scope, (tx) =>
        module.get(MessageQueueRepository).enqueue(tx, scope, [message], clock.now()),
      );
      return message.id;
    },
    oneMessage: async (contentType = 'transactional') => {
      const scope = await app.workspace();
      const contactId = await app.contact(scope);
      await app.template(scope);
      return { scope, contactId, id: await app.enqueue(scope, { contactId, contentType }) };
    },
    logs: async (scope) =>
      (
        await admin.query<LogRow>('SELECT * FROM email_logs WHERE workspace_id = $1 ORDER BY id', [
          scope.workspaceId,
        ])
      ).rows,
    log: async (logId) => {
      const { rows } = await admin.query<LogRow>('SELECT * FROM email_logs WHERE id = $1', [logId]);
      if (!rows[0]) throw new Error('There is no such log.');
      return rows[0];
    },
    drain: (scope) => module.get(SenderService).drain(scope, () => true),
    close: async () => {
      await admin.end();
      await module.close();
    },
  };
  return app;
}

const COMPANY = {
  name: 'Acme & Söhne',
  address_line1: '1 Main St',
  city: 'Springfield',
  region: 'IL',
  postal_code: '62701',
  country: 'US',
};
