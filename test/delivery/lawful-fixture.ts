/**
 * Creates each case of the lawful sending test in the database, through the product's own API where people use
 * one, and reports its state.
 */
import { Module } from '@nestjs/common';
import { OPERATOR_AUTHOR } from '../../src/kernel/principal.js';
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { uuidv7 } from '../../src/kernel/uuid.js';
import { ContactsModule } from '../../src/modules/contacts/contacts.module.js';
import { OptOuts } from '../../src/modules/contacts/application/opt-outs.js';
import { MessagePreferenceChecks } from '../../src/modules/delivery/application/message-preference-checks.js';
import { MessageRequests } from '../../src/modules/delivery/application/message-requests.js';
import { RecipientSendStates } from '../../src/modules/delivery/application/recipient-send-states.js';
import { MessageTemplates } from '../../src/modules/delivery/application/message-templates.js';
import { ResendService } from '../../src/modules/delivery/application/resend.service.js';
import { PromotionalSendings } from '../../src/modules/delivery/application/promotional-sendings.js';
import { DeliveryModule } from '../../src/modules/delivery/delivery.module.js';
import type { RequestedMessage } from '../../src/modules/delivery/domain/direct-send.js';
import { EmailLogRepository } from '../../src/modules/delivery/persistence/email-log.repository.js';
import { MessageQueueRepository } from '../../src/modules/delivery/persistence/message-queue.repository.js';
import { SendSimulationModule } from '../../src/modules/delivery/send-simulation.module.js';
import { DomainsModule } from '../../src/modules/domains/domains.module.js';
import { LimitsModule } from '../../src/modules/limits/limits.module.js';
import { PreferenceChanges } from '../../src/modules/preferences/application/preference-changes.js';
import { PreferencesModule } from '../../src/modules/preferences/preferences.module.js';
import { Suppressions } from '../../src/modules/suppressions/application/suppressions.js';
import { SuppressionsModule } from '../../src/modules/suppressions/suppressions.module.js';
import { TemplatesModule } from '../../src/modules/templates/templates.module.js';
import { WorkspacesModule } from '../../src/modules/workspaces/workspaces.module.js';
import { Database, type Transaction } from '../../src/platform/database/database.js';
import { DAY, HOUR } from '../support/clock.js';
import { ADDRESS, BODIES, NO_ADDRESS, type Case, type Later, type OtherName } from './lawful-cases.js';
import { isOfSource, REST, type Facts } from './lawful-facts.js';
import type { SendingApp } from './sending-app.js';

const MINUTE = 60_000;
const BY_CONTACT = { way: 'page' as const, messageId: null, actor: null };

/** The services that resend messages, as in the API process. */
@Module({
  imports: [
    ...[ContactsModule, DeliveryModule, DomainsModule, LimitsModule, PreferencesModule, SendSimulationModule],
    ...[SuppressionsModule, TemplatesModule, WorkspacesModule],
  ],
  providers: [
    ...[
      EmailLogRepository,
      MessagePreferenceChecks,
      MessageQueueRepository,
      MessageRequests,
      RecipientSendStates,
      MessageTemplates,
    ],
    ResendService,
  ],
})
export class ResendsModule {}

export class LawfulCase {
  private constructor(
    private readonly app: SendingApp,
    readonly scope: TenantScope,
    private readonly contactId: string,
    private readonly sourceId: string,
    private readonly state: Facts,
  ) {}

  static async make(app: SendingApp, given: Case): Promise<LawfulCase> {
    // A whole minute of a new day.
    app.clock.wind(DAY - (app.clock.now().getTime() % DAY) + given.begin * MINUTE);
    const now = app.clock.now();
    const scope = await app.workspace(workspaceOf(given, now), given.environment);
    if (given.isBeyondCap)
      for (const at of [now, new Date(now.getTime() + 28 * DAY)])
        await app.admin.query(
          `INSERT INTO monthly_emails (workspace_id, environment, month, used) VALUES ($1, $2, $3, 1000) ON CONFLICT DO NOTHING`,
          [scope.workspaceId, scope.environment, `${at.toISOString().slice(0, 7)}-01`],
        );
    const email = { good: ADDRESS, bad: NO_ADDRESS, none: null }[given.email];
    const contactId = await app.contact(scope, { email, timezone: given.contactZone ?? null });
    const [counted, slots] = [new Map<string, Date>(), []];
    const state: Facts = {
      ...{ given, now, email, counted, slots, status: 'subscribed', isListed: false, wasResumed: false },
      ...{ refused: undefined, choice: undefined, restsUntil: undefined, stoppedAt: undefined },
      firstId: undefined,
    };
    const sourceId = uuidv7(now.getTime());
    if (given.throttle !== undefined) app.throttles.set(sourceId, { limit: given.throttle, period: 'hour' });
    const made = new LawfulCase(app, scope, contactId, sourceId, state);
    await made.furnish();
    return made;
  }

  /** The current state. */
  get facts(): Facts {
    this.state.now = this.app.clock.now();
    return this.state;
  }

  /** Requests the message; returns its id. */
  async ask(): Promise<string> {
    const { given } = this.state;
    this.state.firstId = await this.app.enqueue(this.scope, {
      contactId: this.contactId,
      contentType: given.contentType,
      origin: given.origin,
      sourceId: isOfSource(given) ? this.sourceId : null,
      options: {
        emailSendSettings: {
          sendToUnsubscribed: given.sendToUnsubscribed,
          ignoreDnd: given.ignoresRest,
          ignoreFrequencyCapping: given.ignoresCap,
          countForFrequencyCapping: given.countsForCap,
          sendWindowEnabled: given.window !== undefined,
          ...(given.window ? { sendWindowStart: given.window[0], sendWindowEnd: given.window[1] } : {}),
          sendWindowTimezone: given.windowZone,
        },
      },
    });
    return this.state.firstId;
  }

  /**
   * Requests a message again, as the API does.
   * @throws DomainError as ResendService.
   */
  askAgain(id: string): Promise<RequestedMessage> {
    const plan = this.state.given.isBeyondCap ? 'free' : 'enterprise';
    return this.app.module.get(ResendService, { strict: false }).resend(this.scope, plan, id);
  }

  /** Runs the sender until no message is due. */
  async look(): Promise<void> {
    for (let turn = 0; (await this.app.drain(this.scope)) && turn < 5;) turn++;
  }

  /** Records a sent message for caps and throttles. */
  noteSent(id: string): void {
    const { given, counted, slots } = this.state;
    if (given.countsForCap) counted.set(id, this.app.clock.now());
    if (isOfSource(given)) slots.push(this.app.clock.now());
  }

  /** Simulates a crash between the server's answer and the update of the ledger. */
  async loseFate(id: string): Promise<void> {
    await this.app.admin.query(`UPDATE email_logs SET status = 'unknown' WHERE id = $1`, [id]);
  }

  /**
   * Advances the clock.
   * @param opening when the gate that holds the message opens; undefined for a finished message, which is never
   *   sent twice at the same time.
   */
  wait({ wait }: Later, opening: Date | undefined): void {
    const { clock } = this.app;
    if (!opening) clock.wind(MINUTE);
    if (wait !== 'opening') clock.wind(wait * MINUTE);
    else if (opening && opening > clock.now()) clock.wind(opening.getTime() - clock.now().getTime());
  }

  /** The latest time at which the source's throttle has a free slot. */
  lineOpens(): Date {
    return new Date(Math.max(...this.state.slots.map((at) => at.getTime())) + HOUR);
  }

  async change({ change }: Later): Promise<void> {
    const { state } = this;
    switch (change) {
      case 'none':
        return;
      case 'unsubscribed':
      case 'deleted':
        if (state.status !== 'deleted') await this.setStatus(change);
        return;
      case 'listed':
        return this.list();
      case 'refused':
        return this.refuse(state.given.refusedAs ?? 'mail of another');
      case 'topic refused':
        return this.choose(false);
      case 'rest':
        return this.rest();
      case 'moved':
        state.email = 'lovelace@example.com';
        state.isListed = false;
        if (state.refused === 'address') state.refused = undefined;
        await this.setContact('email', state.email);
        return;
      case 'sending stops':
        if (!state.stoppedAt && !state.wasResumed) await this.stop(0);
        return;
      case 'sending goes on':
        if (!state.stoppedAt) return;
        await this.app.module
          .get(PromotionalSendings, { strict: false })
          .resume(this.scope, OPERATOR_AUTHOR, null);
        [state.stoppedAt, state.wasResumed] = [undefined, true];
    }
  }

  private async furnish(): Promise<void> {
    const { given } = this.state;
    await this.app.template(this.scope, {
      body_html: BODIES[given.body],
      body_text: given.body === 'required' ? '' : given.text,
      is_active: given.isActive,
      ...(given.topic ? { topic: 'news' } : {}),
    });
    const times = [this.app.clock.now(), this.app.clock.now()];
    if (given.topic)
      await this.app.admin.query(
        `INSERT INTO topics (workspace_id, key, name, description, subscribed_by_default, created_at, updated_at)
         VALUES ($1, 'news', 'News', '', $2, $3, $4)`,
        [this.scope.workspaceId, given.topic === 'on', ...times],
      );
    if (given.earlier !== undefined) await this.sentBefore(given.earlier);
    if (given.choice !== undefined) await this.choose(given.choice);
    if (given.isResting) await this.rest();
    if (given.isListed) await this.list();
    if (given.refusedAs) await this.refuse(given.refusedAs);
    if (given.stoppedFor !== undefined) await this.stop(given.stoppedFor);
    await this.setStatus(given.status);
  }

  private async sentBefore(minutes: number): Promise<void> {
    const { contactId, sourceId, state } = this;
    const options = { emailSendSettings: { countForFrequencyCapping: true } };
    const id = await this.app.enqueue(this.scope, { contactId, sourceId, options });
    const at = new Date(this.app.clock.now().getTime() - minutes * MINUTE);
    await this.app.admin.query(
      `UPDATE email_logs SET status = 'sent', sent_at = $2, updated_at = $2, slot_at = $2 WHERE id = $1`,
      [id, at],
    );
    state.counted.set(id, at);
    state.slots.push(at);
  }

  private async choose(isWanted: boolean): Promise<void> {
    const { state, scope } = this;
    if (state.status === 'deleted' || !state.given.topic) return;
    const chosen = new Map([['news', isWanted]]);
    await this.inScope((tx, now) =>
      this.app.module
        .get(PreferenceChanges, { strict: false })
        .choose(tx, scope, this.contactId, chosen, BY_CONTACT, now),
    );
    state.choice = isWanted;
  }

  private async rest(): Promise<void> {
    const { state, scope } = this;
    if (state.status === 'deleted' || (state.restsUntil && state.restsUntil > this.app.clock.now())) return;
    await this.inScope((tx, now) =>
      this.app.module
        .get(PreferenceChanges, { strict: false })
        .pause(tx, scope, this.contactId, BY_CONTACT, now),
    );
    state.restsUntil = new Date(this.app.clock.now().getTime() + REST);
  }

  private async list(): Promise<void> {
    const { scope, state } = this;
    if (state.email !== ADDRESS || state.isListed) return;
    const suppression = { email: ADDRESS, reason: 'manual' as const, by: 'test' };
    const nothing = { note: null, emailLogId: null, contactId: null };
    await this.inScope((tx, now) =>
      this.app.module
        .get(Suppressions, { strict: false })
        .add(tx, scope, [{ ...suppression, ...nothing, since: now }]),
    );
    state.isListed = true;
  }

  /** The person opts out under another record; the contact's own record does not change. */
  private async refuse(as: OtherName): Promise<void> {
    const { state, scope, app } = this;
    if (as !== 'same identifier' && state.email !== ADDRESS) return;
    const elsewhere = as === 'same address' ? ADDRESS.toUpperCase() : 'other@example.com';
    const contactId =
      as === 'same identifier' ? this.contactId : await app.contact(scope, { email: elsewhere });
    const sentTo = as === 'mail of another' ? ADDRESS : null;
    await this.inScope((tx, now) =>
      app.module.get(OptOuts, { strict: false }).record(tx, scope, { contactId, sentTo }, now),
    );
    if (as === 'same identifier') await this.setStatus(state.status);
    if (state.refused !== 'identifier') state.refused = as === 'same identifier' ? 'identifier' : 'address';
  }

  /** Records that all promotional mail of the workspace was stopped `hours` hours ago. */
  private async stop(hours: number): Promise<void> {
    const { app, scope, state } = this;
    const at = new Date(app.clock.now().getTime() - hours * HOUR);
    const values = [scope.workspaceId, scope.environment, at];
    await app.admin.query(
      `INSERT INTO sending_standings (workspace_id, environment, counts_since, paused_at) VALUES ($1, $2, $3, $3)
       ON CONFLICT (workspace_id, environment) DO UPDATE SET paused_at = excluded.paused_at`,
      values,
    );
    await app.admin.query(
      `INSERT INTO sending_pauses (workspace_id, environment, paused_at, id, reason, sent, bounced, complained)
       VALUES ($1, $2, $3, $4, 'high_bounce_rate', 200, 20, 0)`,
      [...values, uuidv7(at.getTime())],
    );
    state.stoppedAt = at;
  }

  private async setStatus(status: Facts['status']): Promise<void> {
    this.state.status = status;
    await this.setContact('subscription_status', status);
  }

  private async setContact(column: string, value: string): Promise<void> {
    await this.app.admin.query(`UPDATE contacts SET ${column} = $2 WHERE id = $1`, [this.contactId, value]);
  }

  private async inScope(work: (tx: Transaction, now: Date) => Promise<unknown>): Promise<void> {
    const { module, clock } = this.app;
    await module.get(Database).inScope(this.scope, (tx) => work(tx, clock.now()));
  }
}

function workspaceOf(given: Case, now: Date): Readonly<Record<string, unknown>> {
  const { rest, restZone, workspaceZone, cap } = given;
  return {
    company: given.company,
    sender: { from_email: given.fromEmail, from_name: 'Acme' },
    live_at: given.isLive ? now : null,
    status: given.isSuspended ? 'suspended' : 'active',
    settings: {
      ...(rest ? { dnd: { start: rest[0], end: rest[1], ...(restZone ? { timezone: restZone } : {}) } } : {}),
      ...(workspaceZone ? { timezone: workspaceZone } : {}),
      ...(cap === undefined ? {} : { frequency_cap: { max: cap, period_hours: 24 } }),
    },
    ...(given.isBeyondCap ? { plan: 'free' } : {}),
  };
}
