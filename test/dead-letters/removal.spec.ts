/** A dead letter is removed with the record that it refers to, and when the record is processed by other means. */
import pg from 'pg';
import type { WorkKind } from '../../src/modules/dead-letters/domain/dead-letter.js';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { until } from '../support/until.js';
import { activeFlow, isAside, rowOf, tripsOf } from './dead-letters-fixture.js';

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

async function insertDeadLetter(workspace: TestWorkspace, kind: WorkKind, subjectId: string): Promise<void> {
  await admin.query(
    `INSERT INTO set_aside_work (workspace_id, environment, id, kind, subject_id, code, set_aside_at)
     VALUES ($1, 'live', gen_random_uuid(), $2, $3, 'kept_failing', now())`,
    [workspace.id, kind, subjectId],
  );
}

async function count(sql: string, workspace: TestWorkspace): Promise<number> {
  return (await rowOf<{ n: number }>(admin, `SELECT count(*)::int AS n FROM ${sql}`, [workspace.id])).n;
}

test('a trip whose flow is stopped', async () => {
  const workspace = await app.workspace();
  const flow = await activeFlow(workspace, 'signed_up', [{ type: 'wait', duration: '1d' }]);
  await workspace.call('POST', '/v1/events', { external_id: 'ada', event_name: 'signed_up' });
  await until('it is parked', async () => (await tripsOf(workspace, flow))[0]?.status === 'paused');
  const [trip] = await tripsOf(workspace, flow);
  await admin.query('UPDATE trips SET resume_at = NULL WHERE id = $1', [trip.id]);
  await insertDeadLetter(workspace, 'trip', trip.id);
  expect((await workspace.call('POST', `/v1/flows/${flow}/stop`)).status).toBe(200);
  expect(await isAside(admin, workspace)).toBe(false);
});

test('an event that retention takes', async () => {
  const workspace = await app.workspace({ plan: 'free' });
  await workspace.call('POST', '/v1/events', { external_id: 'ada', event_name: 'signed_up' });
  const events = 'events WHERE workspace_id = $1 AND processed_at IS NOT NULL';
  await until('it is processed', async () => (await count(events, workspace)) === 1);
  const { id } = await rowOf<{ id: string }>(admin, `SELECT id FROM ${events}`, [workspace.id]);
  await insertDeadLetter(workspace, 'event', id);
  app.clock.wind(400 * DAY);
  await until('it is deleted', async () => (await count('events WHERE workspace_id = $1', workspace)) === 0);
  expect(await isAside(admin, workspace)).toBe(false);
});

const CREATE = `mutation { createSegment(input: { name: "VIPs", match: "all",
  conditions: [{ field: "properties.plan", operator: "equals", value: "pro" }] }) { id } }`;

async function segmentWithDeadLetter(workspace: TestWorkspace): Promise<string> {
  const { id } = (await workspace.graphql(CREATE)).body.data.createSegment;
  await until(
    'it is looked up',
    async () =>
      (await count('segment_refreshes WHERE workspace_id = $1 AND refreshed_at IS NOT NULL', workspace)) ===
      2,
  );
  await admin.query(
    'UPDATE segment_refreshes SET refresh_at = NULL, refreshed_at = NULL WHERE segment_id = $1',
    [id],
  );
  await insertDeadLetter(workspace, 'segment_refresh', id);
  return id;
}

test('a segment that is deleted', async () => {
  const workspace = await app.workspace();
  const id = await segmentWithDeadLetter(workspace);
  await workspace.graphql('mutation ($id: ID!) { deleteSegment(id: $id) }', { id });
  await until(
    'its members are forgotten',
    async () => (await count('segment_refreshes WHERE workspace_id = $1', workspace)) === 0,
  );
  expect(await isAside(admin, workspace)).toBe(false);
});

test('a segment that is changed, and looked up', async () => {
  const workspace = await app.workspace();
  const id = await segmentWithDeadLetter(workspace);
  await workspace.graphql(
    `mutation ($id: ID!) { updateSegment(id: $id, input: { match: "all",
      conditions: [{ field: "properties.plan", operator: "equals", value: "free" }] }) { id } }`,
    { id },
  );
  await until(
    'it is looked up',
    async () =>
      (await count('segment_refreshes WHERE workspace_id = $1 AND refreshed_at IS NOT NULL', workspace)) ===
      2,
  );
  expect(await isAside(admin, workspace)).toBe(false);
});
