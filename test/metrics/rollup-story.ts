/**
 * Runs random actions of two tenants in both environments on the database, and records the same facts in memory,
 * for comparison with the rollups.
 */
import { randomUUID } from 'node:crypto';
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import type { Rollups } from '../../src/modules/metrics/application/rollups.js';
import { ROLLUPS } from '../../src/modules/metrics/domain/rollup.js';
import type { RollupRepository } from '../../src/modules/metrics/persistence/rollup.repository.js';
import { StepDeltaRepository } from '../../src/modules/metrics/persistence/step-delta.repository.js';
import { formatHistory } from '../../src/modules/trips/domain/trip-history.js';
import type { Database, Transaction } from '../../src/platform/database/database.js';
import { HOUR } from '../support/clock.js';
import { type Act, START } from './rollup-acts.js';
import { type Fact, Written } from './written-facts.js';

/** The services that a story uses. */
export interface Fixture {
  readonly database: Database;
  readonly rollups: Rollups;
  readonly sums: RollupRepository;
}

const STEPS = new StepDeltaRepository();
const NO_SOURCE = '00000000-0000-0000-0000-000000000000';

const SOURCES = [null, randomUUID(), randomUUID()];
const FLOWS = [randomUUID(), randomUUID()];
const ADDRESSES = [null, 'a@Gmail.com', 'b@bücher.example', '"odd@home"@x.test', 'nobody'];
const UNDONE = new Error('undone');

interface Row {
  readonly scope: TenantScope;
  readonly id: string;
  readonly facts: Fact[];
  steps?: Fact[];
  state: Record<string, unknown>;
}

/** One run: rows in the database, and the facts recorded in memory. */
export class Story {
  readonly written = new Written();
  readonly scopes: readonly TenantScope[];
  private readonly rows: Record<'mail' | 'trip' | 'event' | 'contact', Row[]> = {
    mail: [],
    trip: [],
    event: [],
    contact: [],
  };

  constructor(private readonly fixture: Fixture) {
    const [one, other] = [randomUUID(), randomUUID()];
    this.scopes = [one, other].flatMap((workspaceId) =>
      (['live', 'test'] as const).map((environment) => ({ workspaceId, environment })),
    );
  }

  async play(one: Act): Promise<void> {
    const scope = this.scopes[one.tenant]!;
    if (one.kind === 'rebuild') {
      expect(Object.values(await this.fixture.rollups.rebuild(scope)).filter((count) => count !== 0)).toEqual(
        [],
      );
      return;
    }
    let then: (() => void) | undefined;
    try {
      await this.fixture.database.inScope(scope, async (tx) => {
        then = await this.does(tx, scope, one);
        if (one.isUndone) throw UNDONE;
      });
      then?.();
    } catch (error) {
      if (error !== UNDONE) throw error;
    }
  }

  /** Runs an action in the database; returns the function that records it after the commit. */
  private async does(tx: Transaction, scope: TenantScope, one: Act): Promise<(() => void) | undefined> {
    const at = new Date(START + one.moment);
    const { kind, choice } = one;
    switch (kind) {
      case 'mail':
        return this.mail(tx, scope, choice, at);
      case 'word':
        return this.word(tx, scope, one, at);
      case 'trip':
        return this.trip(tx, scope, choice, at);
      case 'tripGoesOn':
        return this.tripGoesOn(tx, scope, one, at);
      case 'conversion':
        return this.conversion(tx, scope, one, at);
      case 'step':
        return this.step(tx, scope, one, at);
      case 'event':
        return this.event(tx, scope, choice, at);
      case 'forgetMail':
        return this.forget(tx, scope, 'mail', 'email_logs', one);
      case 'forgetTrip':
        return this.forget(tx, scope, 'trip', 'trips', one);
      case 'forgetEvent':
        return this.forget(tx, scope, 'event', 'events', one);
      case 'contact':
        return this.contact(tx, scope, choice, at);
      case 'turn':
        return this.turn(tx, scope, one, at);
      case 'fold':
        await this.fixture.sums.lock(tx, scope);
        for (const name of ROLLUPS) await this.fixture.sums.fold(tx, scope, name, 1 + (choice % 5));
        return undefined;
      case 'rebuild':
        return undefined;
    }
  }

  private pick(kind: keyof Story['rows'], scope: TenantScope, which: number): Row | undefined {
    const ours = this.rows[kind].filter((row) => row.scope === scope);
    return ours[which % Math.max(1, ours.length)];
  }

  private async mail(tx: Transaction, scope: TenantScope, choice: number, at: Date): Promise<() => void> {
    const id = randomUUID();
    const statuses = ['queued', 'sending', 'sent', 'failed', 'suppressed', 'unknown', 'cancelled'];
    const state = {
      status: statuses[choice % statuses.length],
      source_id: SOURCES[choice % SOURCES.length],
      template_slug: `t${choice % 2}`,
      content_type: choice % 3 === 0 ? 'transactional' : 'promotional',
      to_email: ADDRESSES[choice % ADDRESSES.length],
      tracked: choice % 4,
      sent_at: statuses[choice % statuses.length] === 'sent' ? at : null,
      updated_at: at,
    };
    const row: Row = { scope, id, facts: [], state };
    await insert(tx, 'email_logs', {
      ...{ workspace_id: scope.workspaceId, environment: scope.environment, id, origin: 'direct' },
      ...{ origin_id: id, origin_step: 0, contact_id: id, priority: 0, message_id: 'x' },
      ...{ next_attempt_at: at, created_at: at, ...state },
    });
    return () => {
      this.rows.mail.push(row);
      this.recordFact(row);
    };
  }

  /** Records an outcome or a decision of a message, or erases its person. */
  private async word(
    tx: Transaction,
    scope: TenantScope,
    { which, choice }: Act,
    at: Date,
  ): Promise<(() => void) | undefined> {
    const row = this.pick('mail', scope, which);
    if (!row) return undefined;
    const changes: Record<string, unknown>[] = [
      { delivered_at: at },
      { opened_at: at },
      { clicked_at: at },
      { clicked_at: null },
      { bounced_at: at, bounce_kind: 'hard' },
      { bounced_at: at, bounce_kind: 'soft' },
      { complained_at: at },
      { unsubscribed_at: at },
      { to_email: null },
      { status: 'sent', sent_at: at, updated_at: at },
      { status: 'suppressed', sent_at: null, updated_at: at },
      { status: 'queued', sent_at: null, updated_at: at },
    ];
    const change = changes[choice % changes.length]!;
    await update(tx, 'email_logs', row.id, change);
    return () => {
      row.state = { ...row.state, ...change };
      this.recordFact(row);
    };
  }

  private recordFact(row: Row): void {
    const s = row.state as Record<string, Date | string | number | null | undefined>;
    for (const fact of row.facts.splice(0)) fact.isThere = false;
    const isSent = s['status'] === 'sent';
    const at = isSent ? s['sent_at'] : s['updated_at'];
    if (!['sent', 'suppressed', 'failed'].includes(String(s['status']))) return;
    const [delivered, bounced] = [s['delivered_at'] as Date | null, s['bounced_at'] as Date | null];
    const is = (holds: unknown): number => (isSent && Boolean(holds) ? 1 : 0);
    const address = s['to_email'] as string | null;
    const dimensions = [
      ...[s['source_id'] ?? NO_SOURCE, s['template_slug'], s['content_type'], s['status']].map(String),
      (address ?? '').slice((address ?? '').lastIndexOf('@') + 1).toLowerCase(),
      String(s['tracked']),
    ];
    const isBounce = bounced && (s['bounce_kind'] === 'hard' || !delivered || delivered < bounced);
    const counters = [
      1,
      ...[delivered, s['opened_at'] ?? s['clicked_at'], s['clicked_at'], isBounce].map(is),
      ...[s['complained_at'], s['unsubscribed_at']].map(is),
    ];
    row.facts.push(this.written.add(row.scope, 'email', at as Date, dimensions, counters));
  }

  private async trip(tx: Transaction, scope: TenantScope, choice: number, at: Date): Promise<() => void> {
    const id = randomUUID();
    const state = {
      flow_id: FLOWS[choice % FLOWS.length],
      flow_version: 1 + (choice % 2),
      status: 'active',
      ended_reason: null,
      started_at: at,
      converted: false,
    };
    await insert(tx, 'trips', {
      ...{ workspace_id: scope.workspaceId, environment: scope.environment, id, contact_id: id },
      ...{ trigger_event_id: id, last_step: 0, updated_at: at, ...state },
    });
    const row: Row = { scope, id, facts: [], state };
    return () => {
      this.rows.trip.push(row);
      this.stands(row);
    };
  }

  private async tripGoesOn(
    tx: Transaction,
    scope: TenantScope,
    { which, choice }: Act,
    at: Date,
  ): Promise<(() => void) | undefined> {
    const row = this.pick('trip', scope, which);
    if (!row) return undefined;
    const changes: Record<string, unknown>[] = [
      { status: 'paused' },
      { status: 'awaiting_send' },
      { status: 'completed', ended_reason: 'finished', completed_at: at },
      { status: 'failed', ended_reason: 'contact_missing', completed_at: at },
      { status: 'active', ended_reason: null, completed_at: null },
    ];
    const change = changes[choice % changes.length]!;
    await update(tx, 'trips', row.id, change);
    return () => {
      row.state = { ...row.state, ...change };
      this.stands(row);
    };
  }

  private async conversion(
    tx: Transaction,
    scope: TenantScope,
    { which, choice }: Act,
    at: Date,
  ): Promise<(() => void) | undefined> {
    const row = this.pick('trip', scope, which);
    if (!row) return undefined;
    const countsTrip = choice % 3 !== 0;
    await insert(tx, 'goal_conversions', {
      ...{ workspace_id: scope.workspaceId, environment: scope.environment, trip_id: row.id },
      ...{ goal_id: randomUUID(), event_id: randomUUID(), entered_at: at, occurred_at: at, recorded_at: at },
      ...{ counts_trip: countsTrip, counts_event: true },
    });
    return () => {
      if (countsTrip) row.state = { ...row.state, converted: true };
      this.stands(row);
    };
  }

  /** Adds a step that the trip has not taken yet. */
  private async step(
    tx: Transaction,
    scope: TenantScope,
    { which }: Act,
    at: Date,
  ): Promise<(() => void) | undefined> {
    const row = this.pick('trip', scope, which);
    if (!row) return undefined;
    const stepId = 1 + (row.steps?.length ?? 0);
    const { flow_id: flow, started_at: startedAt } = row.state as { flow_id: string; started_at: Date };
    const hour = new Date(Math.floor(startedAt.getTime() / HOUR) * HOUR);
    const line = formatHistory([
      { at, stepId, outcome: 'sent' },
      { at, stepId, outcome: 'message_sent' },
    ]);
    await tx.execute('UPDATE trips SET trail = trail || $2 WHERE id = $1', [row.id, line]);
    await STEPS.add(tx, scope, [{ flowId: flow, stepId, hour, taken: 1 }]);
    return () => {
      const fact = this.written.add(scope, 'step', hour, [flow, String(stepId)], [1]);
      row.steps = [...(row.steps ?? []), fact];
    };
  }

  private stands(row: Row): void {
    for (const fact of row.facts.splice(0)) fact.isThere = false;
    const { flow_id: flow, flow_version: version, status, ended_reason: reason } = row.state;
    const dimensions = [flow, version, status, reason ?? ''].map(String);
    const counters = [1, row.state['converted'] ? 1 : 0];
    row.facts.push(
      this.written.add(row.scope, 'trip', row.state['started_at'] as Date, dimensions, counters),
    );
  }

  private async event(tx: Transaction, scope: TenantScope, choice: number, at: Date): Promise<() => void> {
    const id = randomUUID();
    const name = `event_${choice % 3}`;
    await insert(tx, 'events', {
      ...{
        workspace_id: scope.workspaceId,
        environment: scope.environment,
        id,
        external_id: `u${choice % 4}`,
      },
      ...{ event_name: name, attributes: '{}', occurred_at: at, received_at: at },
    });
    const row: Row = { scope, id, facts: [], state: {} };
    return () => {
      this.rows.event.push(row);
      row.facts.push(this.written.add(scope, 'event', at, [name], [1]));
    };
  }

  private async forget(
    tx: Transaction,
    scope: TenantScope,
    kind: 'mail' | 'trip' | 'event',
    table: string,
    { which }: Act,
  ): Promise<(() => void) | undefined> {
    const row = this.pick(kind, scope, which);
    if (!row) return undefined;
    await tx.execute(`DELETE FROM ${table} WHERE workspace_id = $1 AND id = $2`, [scope.workspaceId, row.id]);
    return () => {
      this.rows[kind].splice(this.rows[kind].indexOf(row), 1);
      for (const fact of [...row.facts, ...(row.steps ?? [])]) fact.retired = true;
    };
  }

  private async contact(tx: Transaction, scope: TenantScope, choice: number, at: Date): Promise<() => void> {
    const id = randomUUID();
    const status = choice % 4 === 0 ? 'unsubscribed' : 'subscribed';
    await insert(tx, 'contacts', {
      ...{ workspace_id: scope.workspaceId, environment: scope.environment, id, external_id: id },
      ...{ subscription_status: status, created_at: at, updated_at: at },
    });
    const row: Row = { scope, id, facts: [], state: { status } };
    return () => {
      this.rows.contact.push(row);
      this.written.add(scope, 'contact', at, [], [1, status === 'unsubscribed' ? 1 : 0, 0, 0]);
    };
  }

  private async turn(
    tx: Transaction,
    scope: TenantScope,
    { which, choice }: Act,
    at: Date,
  ): Promise<(() => void) | undefined> {
    const row = this.pick('contact', scope, which);
    if (!row) return undefined;
    const before = row.state['status'];
    const status = ['subscribed', 'unsubscribed', 'deleted'][choice % 3];
    await update(tx, 'contacts', row.id, { subscription_status: status, updated_at: at });
    return () => {
      row.state = { status };
      if (status === before) return;
      const counters = [
        ...[status === 'unsubscribed', status === 'deleted', before === 'deleted'].map(Number),
      ];
      this.written.add(scope, 'contact', at, [], [0, ...counters]);
    };
  }
}

async function insert(tx: Transaction, table: string, row: Record<string, unknown>): Promise<void> {
  const names = Object.keys(row);
  await tx.execute(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
    Object.values(row),
  );
}

async function update(
  tx: Transaction,
  table: string,
  id: string,
  change: Record<string, unknown>,
): Promise<void> {
  const names = Object.keys(change);
  await tx.execute(
    `UPDATE ${table} SET ${names.map((name, i) => `${name} = $${i + 2}`).join(', ')} WHERE id = $1`,
    [id, ...Object.values(change)],
  );
}
