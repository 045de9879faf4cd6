/** Counters of each step of a flow, and of the trips at it, after batches of several workers. */
import pg from 'pg';
import { StepCounters } from '../../src/modules/trips/application/step-counters.js';
import type { StepCounts } from '../../src/modules/flows/domain/flow-graph.js';
import { Database } from '../../src/platform/database/database.js';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { until } from '../support/until.js';

let app: TestApp;
let admin: pg.Client;

beforeAll(async () => {
  app = await bootApp({ queues: ['events', 'trips'] });
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

const STEPS = [
  { type: 'update_contact', set: { greeted: true } },
  {
    type: 'conditional_split',
    branches: [
      {
        check: { source: 'trigger_event', attribute: 'plan', operator: 'equals', value: 'pro' },
        steps: [{ type: 'wait', duration: '1d' }],
      },
      { steps: [{ type: 'wait', duration: '2d' }] },
    ],
  },
  {
    type: 'condition',
    check: { source: 'latest_event', event_name: 'bought', exists: true },
    on_true: 'skip_to_end',
  },
  { type: 'wait', duration: '3d' },
];

async function activeFlow(workspace: TestWorkspace, steps: object[]): Promise<string> {
  const flow = { name: 'Flow', trigger_event: 'signed_up', content_type: 'transactional', steps };
  const { body } = await workspace.call('POST', '/v1/flows', flow);
  expect((await workspace.call('POST', `/v1/flows/${body.id}/activate`)).status).toBe(200);
  return body.id as string;
}

async function figuresOf(workspace: TestWorkspace, flowId: string): Promise<ReadonlyMap<number, StepCounts>> {
  const scope = { workspaceId: workspace.id, environment: 'live' } as const;
  return app.app
    .get(Database)
    .inScope(scope, (tx) => app.app.get(StepCounters, { strict: false }).ofFlow(tx, scope, flowId));
}

const plain = (taken: number, standing = 0): StepCounts => ({
  taken,
  ways: new Map(),
  standing,
  isMore: false,
});
const parted = (ways: Record<string, number>): StepCounts => ({
  taken: Object.values(ways).reduce((sum, one) => sum + one, 0),
  ways: new Map(Object.entries(ways)),
  standing: 0,
  isMore: false,
});

test('steps are counted by the ways that trips took, and trips where they stand', async () => {
  const workspace = await app.workspace();
  const otherWorkspace = await app.workspace();
  const flowId = await activeFlow(workspace, STEPS);
  await activeFlow(otherWorkspace, STEPS);
  for (let i = 0; i < 6; i++)
    await workspace.call('POST', '/v1/events', {
      external_id: `u${i}`,
      event_name: 'signed_up',
      attributes: { plan: i < 2 ? 'pro' : 'free' },
    });
  await workspace.call('POST', '/v1/events', { external_id: 'u0', event_name: 'bought' });
  await otherWorkspace.call('POST', '/v1/events', { external_id: 'u0', event_name: 'signed_up' });
  await until('all trips have started', async () => (await figuresOf(workspace, flowId)).get(1)?.taken === 6);
  // Ids follow the order of the tree: 1 update, 2 split, 3 and 4 its waits, 5 condition, 6 wait.
  expect(await figuresOf(workspace, flowId)).toEqual(
    new Map([
      [1, plain(6)],
      [2, parted({ 0: 2, 1: 4 })],
      [3, plain(2, 2)],
      [4, plain(4, 4)],
    ]),
  );

  app.clock.wind(DAY);
  await until('the first wait is over', async () => (await figuresOf(workspace, flowId)).get(5)?.taken === 2);
  app.clock.wind(DAY);
  await until('the other wait is over', async () => (await figuresOf(workspace, flowId)).get(6)?.taken === 5);
  expect(await figuresOf(workspace, flowId)).toEqual(
    new Map([
      [1, plain(6)],
      [2, parted({ 0: 2, 1: 4 })],
      [3, plain(2)],
      [4, plain(4)],
      [5, parted({ true: 1, false: 5 })],
      [6, plain(5, 5)],
    ]),
  );
});

test('a trail that would grow too long keeps its beginning and its end', async () => {
  const workspace = await app.workspace();
  const flowId = await activeFlow(workspace, [
    { type: 'wait', duration: '1d' },
    { type: 'wait', duration: '1d' },
  ]);
  await workspace.call('POST', '/v1/events', { external_id: 'ada', event_name: 'signed_up' });
  await until('the trip is parked', async () => (await figuresOf(workspace, flowId)).get(1)?.standing === 1);
  const line = `[0,1,"parked",{"resume_at":"2026"}]\n`;
  await admin.query('UPDATE trips SET trail = trail || repeat($2, 470) WHERE flow_id = $1', [flowId, line]);
  app.clock.wind(DAY);
  await until(
    'the trip is parked again',
    async () => (await figuresOf(workspace, flowId)).get(2)?.standing === 1,
  );
  const { rows } = await admin.query('SELECT trail FROM trips WHERE flow_id = $1', [flowId]);
  const lines = (rows[0].trail as string).trimEnd().split('\n');
  expect((rows[0].trail as string).length).toBeLessThan(8_400);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject([expect.any(Number), 1, 'parked', {}]);
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject([app.clock.now().getTime(), 2, 'parked', {}]);
  expect(lines.filter((one) => one === '[0,0,"gap"]')).toHaveLength(1);
  for (const one of lines) expect(JSON.parse(one)).toHaveProperty('length');
});
