/**
 * Simulation and engine agree: the real pipeline runs random flows on a controlled clock, and the same events are
 * simulated in a workspace that has processed none of them.
 */
import fc from 'fast-check';
import pg from 'pg';
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { SenderService } from '../../src/modules/delivery/application/sender.service.js';
import { EventPipeline } from '../../src/modules/events/application/event-pipeline.js';
import {
  FlowSimulationService,
  type FlowSimulation,
} from '../../src/modules/trips/application/flow-simulation.service.js';
import { NO_TIME_LIMITS } from '../../src/modules/trips/application/simulation-scheduler.js';
import { TripRunner } from '../../src/modules/trips/application/trip-runner.js';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY } from '../support/clock.js';
import '../support/property-seed.js';
import { CONTACTS, plans, type Plan } from './random-flows.js';

let app: TestApp;
let admin: pg.Client;

beforeAll(async () => {
  app = await bootApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

const SETTINGS = {
  frequency_cap: { max: 1, period_hours: 24 },
  dnd: { start: '22:00', end: '07:00', timezone: 'Europe/Berlin' },
};

interface Side {
  readonly workspace: TestWorkspace;
  readonly scope: TenantScope;
  readonly flowId: string;
}

async function side({ flow, goals }: Plan): Promise<Side> {
  const workspace = await app.workspace({
    live: true,
    settings: SETTINGS,
    segments: [
      {
        name: 'Important',
        match: 'all',
        conditions: [{ field: 'properties.vip', operator: 'equals', value: true }],
      },
    ],
    templates: [{ name: 'Hello', slug: 'hello', subject: 'Hello', body_html: '<p>Hello</p>' }],
    contacts: CONTACTS.map(({ isDeleted: _deleted, isUnsubscribed: _unsubscribed, ...contact }) => contact),
  });
  for (const { external_id: id, isDeleted } of CONTACTS)
    if (isDeleted) expect((await workspace.call('DELETE', `/v1/contacts/${id}`)).status).toBeLessThan(300);
  for (const { external_id: id, isUnsubscribed } of CONTACTS)
    if (isUnsubscribed)
      await admin.query(
        `UPDATE contacts SET subscription_status = 'unsubscribed' WHERE workspace_id = $1 AND external_id = $2`,
        [workspace.id, id],
      );
  const { rows } = await admin.query<{ id: string }>('SELECT id FROM segments WHERE workspace_id = $1', [
    workspace.id,
  ]);
  const written = JSON.stringify(flow).replaceAll('SEGMENT', rows[0]?.id ?? '');
  const created = await workspace.call('POST', '/v1/flows', JSON.parse(written));
  expect([created.status, created.body]).toEqual([201, expect.anything()]);
  const flowId: string = created.body.id;
  for (const goal of goals)
    expect((await workspace.call('POST', `/v1/flows/${flowId}/goals`, goal)).status).toBe(201);
  return { workspace, flowId, scope: { workspaceId: workspace.id, environment: 'live' } };
}

/** Runs everything that is due now, in any process. */
async function settle({ workspace, scope }: Side): Promise<void> {
  const mayContinue = (): boolean => true;
  for (;;) {
    await app.app.get(EventPipeline, { strict: false }).processPending(scope, mayContinue);
    await app.app.get(TripRunner, { strict: false }).advanceDue(scope, mayContinue);
    await app.app.get(SenderService, { strict: false }).drain(scope, mayContinue);
    const { rows } = await admin.query<{ left: boolean }>(
      `SELECT EXISTS (SELECT FROM events WHERE workspace_id = $1 AND processed_at IS NULL)
         OR EXISTS (SELECT FROM trips WHERE workspace_id = $1 AND (resume_at <= $2 OR status = 'active'))
         OR EXISTS (SELECT FROM email_logs WHERE workspace_id = $1 AND (status = 'sending' OR status = 'queued' AND next_attempt_at <= $2))
         OR EXISTS (SELECT FROM send_lines WHERE workspace_id = $1 AND look_at <= $2 AND coalesce(opens_at, look_at) <= $2) AS left`,
      [workspace.id, app.clock.now()],
    );
    if (!rows[0]?.left) return;
  }
}

/** When something is due next; a queue behind a throttle is not checked before a slot is free. */
async function nextMoment({ workspace }: Side): Promise<number> {
  const { rows } = await admin.query<{ at: Date | null }>(
    `SELECT min(at) AS at FROM (
       SELECT resume_at AS at FROM trips WHERE workspace_id = $1
       UNION ALL SELECT next_attempt_at FROM email_logs WHERE workspace_id = $1 AND status = 'queued'
       UNION ALL SELECT coalesce(opens_at, look_at) FROM send_lines WHERE workspace_id = $1) AS moments WHERE at > $2`,
    [workspace.id, app.clock.now()],
  );
  return rows[0]?.at?.getTime() ?? Number.POSITIVE_INFINITY;
}

function windTo(moment: number): void {
  app.clock.wind(Math.max(0, moment - app.clock.now().getTime()));
}

/** Runs the plan on the engine; returns the start and end times. */
async function run(real: Side, plan: Plan): Promise<{ readonly from: Date; readonly until: Date }> {
  expect((await real.workspace.call('POST', `/v1/flows/${real.flowId}/activate`)).status).toBe(200);
  const from = app.clock.now();
  const until = from.getTime() + plan.days * DAY;
  for (const { after, body } of plan.events) {
    const at = from.getTime() + 1 + after;
    for (let next = await nextMoment(real); next <= at; next = await nextMoment(real)) {
      windTo(next);
      await settle(real);
    }
    windTo(at);
    expect((await real.workspace.call('POST', '/v1/events', body)).status).toBe(202);
    await settle(real);
  }
  for (let next = await nextMoment(real); next <= until; next = await nextMoment(real)) {
    windTo(next);
    await settle(real);
  }
  windTo(until);
  return { from, until: new Date(until) };
}

/** Copies the real workspace's events to the other one, which has not processed them. */
async function copyEvents(real: Side, other: Side): Promise<void> {
  await admin.query(
    `INSERT INTO events (workspace_id, id, environment, external_id, event_name, attributes, contact, occurred_at, received_at,
       processed_at)
     SELECT $2, id, environment, external_id, event_name, attributes, contact, occurred_at, received_at, processed_at
     FROM events WHERE workspace_id = $1`,
    [real.workspace.id, other.workspace.id],
  );
}

async function tripNames({ workspace }: Side): Promise<(eventId: string) => string> {
  const { rows } = await admin.query<{ id: string; trigger_event_id: string }>(
    'SELECT id, trigger_event_id FROM trips WHERE workspace_id = $1',
    [workspace.id],
  );
  const names = new Map(rows.map((row) => [row.trigger_event_id, row.id]));
  return (eventId) => names.get(eventId) ?? 'a trip that never started';
}

/** The actual results, in the format of a simulation. */
async function happened({ workspace }: Side): Promise<unknown> {
  const statuses = await admin.query<{ status: string; trips: number }>(
    'SELECT status, count(*)::int AS trips FROM trips WHERE workspace_id = $1 GROUP BY status',
    [workspace.id],
  );
  const days = await admin.query<{ day: string; started: number }>(
    `SELECT to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*)::int AS started
     FROM trips WHERE workspace_id = $1 GROUP BY 1 ORDER BY 1`,
    [workspace.id],
  );
  const sends = await admin.query<{ send: string; messages: number }>(
    `SELECT concat_ws(' ', origin_step, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD'), status) AS send, count(*)::int AS messages
     FROM email_logs WHERE workspace_id = $1 AND status IN ('sent', 'suppressed', 'failed') GROUP BY 1 ORDER BY 1`,
    [workspace.id],
  );
  const unsent = await admin.query<{ reason: string; messages: number }>(
    `SELECT concat_ws(' ', origin_step, status, coalesce(suppressed_reason, error_code)) AS reason, count(*)::int AS messages
     FROM email_logs WHERE workspace_id = $1 AND status IN ('suppressed', 'failed') GROUP BY 1 ORDER BY 1`,
    [workspace.id],
  );
  const goals = await admin.query<{ name: string; conversions: number; events: number }>(
    `SELECT g.name, (count(*) FILTER (WHERE counts_trip))::int AS conversions, (count(*) FILTER (WHERE counts_event))::int AS events
     FROM flow_goals g LEFT JOIN goal_conversions c ON c.workspace_id = g.workspace_id AND c.goal_id = g.id
     WHERE g.workspace_id = $1 GROUP BY g.name ORDER BY g.name`,
    [workspace.id],
  );
  const of = (status: string): number => statuses.rows.find((row) => row.status === status)?.trips ?? 0;
  return {
    trips: {
      started: statuses.rows.reduce((sum, { trips }) => sum + trips, 0),
      completed: of('completed'),
      terminated: of('terminated'),
      failed: of('failed'),
      waiting: of('paused'),
      heldBack: of('awaiting_send'),
    },
    days: Object.fromEntries(days.rows.map(({ day, started }) => [day, started])),
    sends: Object.fromEntries(sends.rows.map(({ send, messages }) => [send, messages])),
    goals: goals.rows.map(({ name, conversions, events }) => [name, conversions, events]),
    unsent: Object.fromEntries(unsent.rows.map(({ reason, messages }) => [reason, messages])),
  };
}

function simulated({ trips, tripsByDay, sendsByStepAndDay, unsent, goals }: FlowSimulation): unknown {
  const sends = sendsByStepAndDay.flatMap(({ stepId, day, ...counts }) =>
    (['sent', 'suppressed', 'failed'] as const).flatMap((kind): [string, number][] =>
      counts[kind] > 0 ? [[`${stepId} ${day} ${kind}`, counts[kind]]] : [],
    ),
  );
  const started = tripsByDay.filter((day) => day.started > 0);
  return {
    trips,
    days: Object.fromEntries(started.map((day) => [day.day, day.started])),
    sends: Object.fromEntries(sends),
    goals: goals
      .map(({ name, conversions, totalConversions }) => [name, conversions, totalConversions])
      .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
    unsent: Object.fromEntries(
      unsent.map(({ stepId, kind, reason, messages }) => [`${stepId} ${kind} ${reason}`, messages]),
    ),
  };
}

const CASES = 6;

test.each(fc.sample(plans(), CASES).map((plan, index) => ({ index, plan })))(
  'simulation and engine agree: flow $index',
  async ({ plan }) => {
    const real = await side(plan);
    const other = await side(plan);
    const { from, until } = await run(real, plan);
    await copyEvents(real, other);
    const request = { flowId: other.flowId, draft: null, from, to: until, isFresh: false };
    const simulation = await app.app
      .get(FlowSimulationService, { strict: false })
      .simulate(other.scope, request, {
        showsPeople: true,
        time: NO_TIME_LIMITS,
        naming: await tripNames(real),
      });
    expect({ flow: plan.flow, ...(simulated(simulation) as object) }).toEqual({
      flow: plan.flow,
      ...((await happened(real)) as object),
    });
    // The simulation leaves no trace.
    const { rows } = await admin.query<{ rows: number }>(
      `SELECT (SELECT count(*) FROM trips WHERE workspace_id = $1)::int
         + (SELECT count(*) FROM email_logs WHERE workspace_id = $1)::int AS rows`,
      [other.workspace.id],
    );
    expect(rows[0]?.rows).toBe(0);
  },
);
