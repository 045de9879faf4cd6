/** Two senders on one database and one mail server, with clocks that a test advances together. */
import type { EmailSendSettings } from '../../src/kernel/email-settings.js';
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { uuidv7 } from '../../src/kernel/uuid.js';
import { EmailLogService } from '../../src/modules/delivery/application/email-log.service.js';
import { HeldMessages } from '../../src/modules/delivery/application/held-messages.js';
import { MessageCancellation } from '../../src/modules/delivery/application/message-cancellation.js';
import type { StepRules } from '../../src/modules/delivery/domain/send-hours-settings.js';
import { storedOptions } from '../../src/modules/delivery/persistence/stored-options.js';
import { SendsPoller } from '../../src/modules/delivery/queue/sends.work.js';
import { Database } from '../../src/platform/database/database.js';
import { DAY } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { MailSink } from '../support/mail-sink.js';
import { startSending, type LogRow, type SendingApp } from './sending-app.js';

export type Settings = Partial<EmailSendSettings>;

export const NINE_TO_FIVE: Settings = {
  sendWindowEnabled: true,
  sendWindowStart: '09:00',
  sendWindowEnd: '17:00',
};

export interface Asked {
  readonly settings?: Settings;
  readonly workspace?: Readonly<Record<string, unknown>>;
  readonly contact?: Readonly<Record<string, unknown>>;
}

/** A throttled flow with messages. */
export interface ThrottledFlow {
  readonly scope: TenantScope;
  readonly flowId: string;
  /** Enqueues more messages of the flow; returns their ids. */
  readonly add: (count: number) => Promise<string[]>;
  readonly ids: readonly string[];
}

export class GatesFixture {
  private constructor(
    private readonly database: TestDatabase,
    readonly sink: MailSink,
    /** To the database, the two senders are separate processes. */
    readonly app: SendingApp,
    readonly other: SendingApp,
  ) {}

  static async lay(): Promise<GatesFixture> {
    const database = await createTestDatabase();
    const sink = await MailSink.start();
    const app = await startSending(database, sink.url);
    return new GatesFixture(database, sink, app, await startSending(database, sink.url));
  }

  async clear(): Promise<void> {
    await this.other.close();
    await this.app.close();
    await this.sink.stop();
    await this.database.drop();
  }

  /** Resets the fixture for each test: an empty mail server that accepts everything, and flows without throttles. */
  refresh(): void {
    this.sink.verdict = () => undefined;
    this.sink.mails.length = 0;
    for (const { throttles, rules } of [this.app, this.other]) {
      throttles.clear();
      rules.current.clear();
      rules.cached.clear();
    }
  }

  /** Advances both clocks to a time, which must not be in the past. */
  windTo(moment: string): void {
    for (const { clock } of [this.app, this.other]) {
      const ahead = Date.parse(moment) - clock.now().getTime();
      expect(ahead).toBeGreaterThanOrEqual(0);
      clock.wind(ahead);
    }
  }

  wind(milliseconds: number): void {
    for (const { clock } of [this.app, this.other]) clock.wind(milliseconds);
  }

  /** A UTC time of day, today. */
  today(time: string): string {
    return `${this.app.clock.now().toISOString().slice(0, 10)}T${time}Z`;
  }

  /** A UTC time of day, tomorrow. */
  tomorrow(time: string): string {
    const day = new Date(Math.floor(this.app.clock.now().getTime() / DAY) * DAY + DAY);
    return `${day.toISOString().slice(0, 10)}T${time}Z`;
  }

  callOff(scope: TenantScope, originIds: readonly string[]): Promise<void> {
    const { module, clock } = this.app;
    return module
      .get(Database)
      .inScope(scope, (tx) =>
        module.get(MessageCancellation, { strict: false }).cancel(tx, scope, 'trip', originIds, clock.now()),
      );
  }

  /** A workspace with one message to a contact. */
  async asked({ settings = {}, workspace = {}, contact = {} }: Asked) {
    const { app } = this;
    const scope = await app.workspace({ settings: workspace });
    const contactId = await app.contact(scope, contact);
    await app.template(scope);
    const id = await app.enqueue(scope, { contactId, options: { emailSendSettings: settings } });
    return { scope, contactId, id };
  }

  /** A workspace with messages of a flow that may send `limit` of them per hour. */
  async throttled(limit: number, messages: number, settings: Settings = {}): Promise<ThrottledFlow> {
    const { app } = this;
    const scope = await app.workspace();
    await app.template(scope);
    const flowId = uuidv7(app.clock.now().getTime());
    this.setLimit(flowId, limit);
    const add = async (count: number): Promise<string[]> => {
      const ids: string[] = [];
      for (let made = 0; made < count; made++) {
        const contactId = await app.contact(scope);
        ids.push(
          await app.enqueue(scope, { contactId, sourceId: flowId, options: { emailSendSettings: settings } }),
        );
        this.wind(1);
      }
      return ids;
    };
    return { scope, flowId, add, ids: await add(messages) };
  }

  setLimit(flowId: string, limit: number | undefined): void {
    for (const { throttles } of [this.app, this.other])
      if (limit === undefined) throttles.delete(flowId);
      else throttles.set(flowId, { limit, period: 'hour' });
  }

  /** Changes settings like the dashboard does. */
  async changeSettings(scope: TenantScope, settings: object): Promise<void> {
    const { module, clock } = this.app;
    await module.get(Database).inScope({ workspaceId: scope.workspaceId }, async (tx) => {
      await tx.query('UPDATE workspaces SET settings = $2 WHERE id = $1', [scope.workspaceId, settings]);
      await module.get(HeldMessages, { strict: false }).changed(tx, scope, clock.now());
    });
  }

  /** Sets a flow's throttle for both senders, and announces the change. */
  async changeFlow(
    scope: TenantScope,
    flowId: string,
    { limit, rules }: { readonly limit?: number | undefined; readonly rules?: StepRules },
  ): Promise<void> {
    const { module, clock } = this.app;
    if (rules) for (const one of [this.app, this.other]) one.rules.current.set(flowId, rules);
    else this.setLimit(flowId, limit);
    const what = { hours: rules !== undefined, throttle: rules === undefined };
    await module
      .get(Database)
      .inScope({ workspaceId: scope.workspaceId }, (tx) =>
        module.get(HeldMessages, { strict: false }).sourceChanged(tx, scope, flowId, what, clock.now()),
      );
  }

  shown(scope: TenantScope, id: string) {
    return this.app.module.get(EmailLogService, { strict: false }).find(scope, id);
  }

  /** Database pages that a statement reads and writes. The statement is rolled back. */
  async pagesOf(sql: string, values: readonly unknown[]): Promise<number> {
    const { admin } = this.app;
    await admin.query('BEGIN');
    const { rows } = await admin.query<{ 'QUERY PLAN': readonly { Plan: Record<string, number> }[] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`,
      [...values],
    );
    await admin.query('ROLLBACK');
    const plan = rows[0]!['QUERY PLAN'][0]!.Plan;
    return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
  }

  /** Queues thousands of messages, all to one contact that does not exist. */
  async crowd(
    scope: TenantScope,
    count: number,
    columns: { readonly waitsFor: string; readonly until: Date; readonly settings?: Settings },
    sourceId: string = uuidv7(this.app.clock.now().getTime()),
  ): Promise<void> {
    await this.app.admin.query(
      `INSERT INTO email_logs (workspace_id, id, origin, origin_id, origin_step, environment, contact_id, source_id,
         template_slug, content_type, priority, status, waits_for, message_id, next_attempt_at, held_until, created_at,
         updated_at, options)
       SELECT $1, gen_random_uuid(), 'trip', gen_random_uuid(), 0, 'live', $1, $2, 'x', 'promotional', 1, 'queued', $3, '', $4,
         $4, $5, $5, $6 FROM generate_series(1, $7)`,
      [
        scope.workspaceId,
        sourceId,
        columns.waitsFor,
        columns.until,
        this.app.clock.now(),
        JSON.stringify(storedOptions(columns.settings ? { emailSendSettings: columns.settings } : {})),
        count,
      ],
    );
    await this.app.admin.query('VACUUM ANALYZE email_logs');
  }

  async isDue(scope: TenantScope): Promise<boolean> {
    const { scopes } = await this.app.module.get(SendsPoller).findDue(this.app.clock.now());
    return scopes.some(
      ({ workspaceId, environment }) =>
        workspaceId === scope.workspaceId && environment === scope.environment,
    );
  }

  /** The sent messages, by id. */
  async sent(scope: TenantScope): Promise<LogRow[]> {
    return (await this.app.logs(scope)).filter(({ status }) => status === 'sent');
  }
}
