/**
 * Flows with branches on the real database: which inputs decide, and what happens to trips that lose data they
 * need.
 */
import { SegmentService } from '../../src/modules/segments/application/segment.service.js';
import type { TestWorkspace } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { TripsFixture, type TripRow } from './trips-fixture.js';

let fixture: TripsFixture;
let workspace: TestWorkspace;

beforeAll(async () => {
  fixture = await TripsFixture.lay();
});
afterAll(() => fixture.clear());
beforeEach(async () => {
  workspace = await fixture.app.workspace();
  for (const slug of ['yes', 'no', 'end']) await fixture.template(workspace, slug);
});

const send = (template_slug: string): object => ({ type: 'send_email', template_slug });
const wait = (duration: string): object => ({ type: 'wait', duration });
const yesOrNo = (check: object): object => ({
  type: 'conditional_split',
  branches: [{ check, steps: [send('yes')] }, { steps: [send('no')] }],
});

async function happens(external_id: string, event_name: string, more: object = {}): Promise<void> {
  const { status } = await workspace.call('POST', '/v1/events', { external_id, event_name, ...more });
  expect(status).toBe(202);
  await fixture.quiet();
}

async function segment(conditions: readonly object[]): Promise<string> {
  const scope = { workspaceId: workspace.id, environment: 'live' } as const;
  const { id } = await fixture.app.app
    .get(SegmentService, { strict: false })
    .create(scope, { name: 'S', description: '', match: 'all', conditions: conditions as never }, null);
  return id;
}

/** The trips by contact, one each. */
async function byContact(): Promise<Record<string, TripRow>> {
  return Object.fromEntries((await fixture.trips(workspace)).map((trip) => [trip.external_id, trip]));
}

describe('checks', () => {
  const SEEN_PRICES = { source: 'latest_event', event_name: 'seen_prices', exists: true };

  test('the latest event, its age and its attributes, also of many contacts at once', async () => {
    await fixture.flow(workspace, {
      steps: [
        wait('1h'),
        yesOrNo({ ...SEEN_PRICES, within: '2h', attributes: { plan: 'pro' } }),
        yesOrNo({ ...SEEN_PRICES, exists: false }),
      ],
    });
    for (const who of ['late', 'other', 'right', 'none']) await happens(who, 'began');
    const ago = new Date(fixture.app.clock.now().getTime() - 2 * HOUR).toISOString();
    await happens('late', 'seen_prices', { attributes: { plan: 'pro' }, occurred_at: ago });
    await happens('other', 'seen_prices', { attributes: { plan: 'free' } });
    await happens('right', 'seen_prices', { attributes: { plan: 'free' }, occurred_at: ago });
    await happens('right', 'seen_prices', { attributes: { plan: 'pro', seats: 3 } });
    await fixture.wind(HOUR);
    const trips = await byContact();
    expect(Object.entries(trips).map(([who, { templates }]) => [who, ...templates])).toEqual([
      ['late', 'no', 'no'],
      ['other', 'no', 'no'],
      ['right', 'yes', 'no'],
      ['none', 'no', 'yes'],
    ]);
    expect(Object.values(trips).map(({ status }) => status)).toEqual(Array(4).fill('completed'));
  });

  test('the contact with what the trip has just set, its segments, and the event that began it', async () => {
    const vips = await segment([{ field: 'properties.stage', operator: 'equals', value: 'vip' }]);
    await fixture.flow(workspace, {
      steps: [
        yesOrNo({ source: 'trigger_event', attribute: 'cart.total', operator: 'gte', value: 100 }),
        yesOrNo({ source: 'segment', segment_id: vips, member: true }),
        { type: 'update_contact', set: { stage: 'vip' } },
        yesOrNo({ source: 'contact', field: 'properties.stage', operator: 'is', value: 'VIP' }),
        yesOrNo({ source: 'segment', segment_id: vips.toUpperCase(), member: true }),
        wait('1d'),
        yesOrNo({ source: 'trigger_event', attribute: 'cart.total', operator: 'less_than', value: 100 }),
      ],
    });
    await happens('ada', 'began', { attributes: { cart: { total: 120 } } });
    await happens('bob', 'began', {
      attributes: { cart: { total: 20 } },
      contact: { properties: { stage: 'vip' } },
    });
    await fixture.wind(DAY);
    const { ada, bob } = await byContact();
    expect(ada?.templates).toEqual(['yes', 'no', 'yes', 'yes', 'no']);
    expect(bob?.templates).toEqual(['no', 'yes', 'yes', 'yes', 'yes']);
  });

  test('a condition that skips to the end completes the trip', async () => {
    await fixture.flow(workspace, {
      steps: [{ type: 'condition', check: SEEN_PRICES, on_true: 'skip_to_end' }, send('end')],
    });
    await happens('ada', 'seen_prices');
    await happens('ada', 'began');
    await happens('bob', 'began');
    const { ada, bob } = await byContact();
    expect(ada).toMatchObject({ status: 'completed', ended_reason: 'skipped_to_end', templates: [] });
    expect(bob).toMatchObject({ status: 'completed', ended_reason: 'finished', templates: ['end'] });
  });
});

test('an ab_split shares contacts out, and each goes on behind it', async () => {
  await fixture.flow(workspace, {
    steps: [
      {
        type: 'ab_split',
        variants: [
          { name: 'A', percentage: 50, steps: [send('yes'), wait('1h')] },
          { name: 'B', percentage: 50, steps: [wait('2h'), send('no')] },
        ],
      },
      send('end'),
    ],
  });
  const events = Array.from({ length: 40 }, (_, i) => ({ external_id: `u${i}`, event_name: 'began' }));
  await workspace.call('POST', '/v1/events/batch', { events });
  await fixture.quiet();
  const { body } = await workspace.call(
    'GET',
    `/v1/flows/${(await fixture.trips(workspace))[0]?.flow_id}/trips`,
  );
  expect(new Set(body.trips.map((trip: any) => trip.current_step))).toEqual(new Set([0]));
  await fixture.wind(3 * HOUR);
  const ways = (await fixture.trips(workspace)).map(({ templates }) => templates.join(' '));
  expect(new Set(ways)).toEqual(new Set(['yes end', 'no end']));
});

describe('a flow with a segment', () => {
  test('starts for members alone, also for those whom the event itself makes one', async () => {
    const pros = await segment([
      { field: 'properties.plan', operator: 'equals', value: 'pro' },
      { event: 'began', at_least: 1 },
    ]);
    await fixture.flow(workspace, { segment_id: pros, steps: [send('end')] });
    await happens('ada', 'began', { contact: { properties: { plan: 'pro' } } });
    await happens('bob', 'began', { contact: { properties: { plan: 'free' } } });
    await happens('bob', 'began', { contact: { properties: { plan: 'pro' } } });
    await happens('carl', 'began');
    expect((await fixture.trips(workspace)).map(({ external_id }) => external_id)).toEqual(['ada', 'bob']);
    await fixture.admin.query('DELETE FROM segments WHERE id = $1', [pros]);
    await happens('dora', 'began', { contact: { properties: { plan: 'pro' } } });
    expect(await fixture.trips(workspace)).toHaveLength(2);
  });
});

describe('what a trip loses', () => {
  test('its contact: it ends, and does not come back with it; others go on', async () => {
    const flow = await fixture.flow(workspace, {
      settings: { reentry_policy: 'never' },
      steps: [wait('1d'), send('end')],
    });
    await happens('ada', 'began');
    await happens('bob', 'began');
    expect((await workspace.call('DELETE', '/v1/contacts/ada')).status).toBe(204);
    expect((await byContact())['ada']).toMatchObject({
      status: 'terminated',
      ended_reason: 'contact_deleted',
      resume_at: null,
    });
    await workspace.call('POST', '/v1/contacts', { external_id: 'ada', email: 'ada@example.com' });
    await fixture.wind(DAY);
    const { ada, bob } = await byContact();
    expect(ada).toMatchObject({ status: 'terminated', templates: [] });
    expect(bob).toMatchObject({ status: 'completed', templates: ['end'] });
    const { body } = await workspace.call('GET', `/v1/flows?limit=1`);
    expect(body.flows[0]).toMatchObject({ id: flow, trips_started: 2, trips_completed: 1 });
  });

  test('a template: its message fails, and the trip goes on', async () => {
    await fixture.flow(workspace, { steps: [wait('1h'), send('yes'), send('end')] });
    await happens('ada', 'began', { contact: { email: 'ada@example.com' } });
    expect((await workspace.call('DELETE', '/v1/templates/yes')).status).toBe(204);
    await fixture.wind(HOUR);
    expect(await fixture.trips(workspace)).toMatchObject([
      { status: 'completed', ended_reason: 'finished', templates: ['yes', 'end'] },
    ]);
    const { rows } = await fixture.admin.query(
      'SELECT template_slug, status, error_code FROM email_logs WHERE workspace_id = $1 ORDER BY created_at, id',
      [workspace.id],
    );
    expect(rows).toEqual([
      { template_slug: 'yes', status: 'failed', error_code: 'template_not_found' },
      { template_slug: 'end', status: 'sent', error_code: null },
    ]);
  });

  test('all of its steps: it fails as it starts', async () => {
    const broken = await fixture.flow(workspace, { steps: [wait('1h')] });
    await fixture.admin.query(`UPDATE flows SET steps = '{"steps": 1}' WHERE id = $1`, [broken]);
    await happens('ada', 'began');
    expect(await fixture.trips(workspace)).toMatchObject([
      { status: 'failed', ended_reason: 'invalid_step' },
    ]);
  });

  test('steps that anybody could read: it fails, and trips of other flows go on', async () => {
    const broken = await fixture.flow(workspace, { steps: [wait('1h'), send('yes')] });
    await fixture.flow(workspace, { steps: [wait('1h'), send('end')] });
    await fixture.admin.query(`UPDATE flows SET steps = $2 WHERE id = $1`, [
      broken,
      JSON.stringify([
        { id: 1, type: 'wait', duration: '1h' },
        { id: 2, type: 'conditional_split', branches: [{ check: { source: 'contact', field: 7 } }] },
      ]),
    ]);
    await happens('ada', 'began');
    await fixture.wind(HOUR);
    const trips = await fixture.trips(workspace);
    expect(trips.find(({ flow_id }) => flow_id === broken)).toMatchObject({
      status: 'failed',
      ended_reason: 'invalid_step',
      last_step: 1,
    });
    expect(trips.find(({ flow_id }) => flow_id !== broken)).toMatchObject({ status: 'completed' });
  });
});

test('a trip stays on the steps that it started with, and steps keep their ids when others come', async () => {
  const flow = await fixture.flow(workspace, { steps: [wait('1h'), send('yes'), wait('1h'), send('end')] });
  await happens('ada', 'began');
  await fixture.wind(HOUR);
  const steps = [send('no'), wait('1h'), send('yes'), wait('1h'), send('end')];
  expect((await workspace.call('PUT', `/v1/flows/${flow}`, { steps })).status).toBe(200);
  await happens('bob', 'began');
  await fixture.wind(2 * HOUR);
  const { ada, bob } = await byContact();
  expect(ada).toMatchObject({ status: 'completed', templates: ['yes', 'end'] });
  expect(bob).toMatchObject({ status: 'paused', templates: ['no', 'yes'] });
  const { body } = await workspace.graphql(
    'query ($id: ID!) { flow(id: $id) { steps { id } } trips { edges { node { currentStep lastStepId } } } }',
    { id: flow },
  );
  const ids = body.data.flow.steps.map(({ id }: any) => id);
  expect(new Set(ids)).toEqual(new Set([1, 2, 3, 4, 5]));
  expect([ids[2], ids[4]]).toEqual([2, 4]);
  expect(body.data.trips.edges[0].node).toEqual({ currentStep: 4, lastStepId: ids[3] });
});

test('activation asks for templates within splits too, and names where they stand', async () => {
  const steps = [send('end'), wait('1h'), yesOrNo({ source: 'contact', field: 'email', operator: 'exists' })];
  const flow = { name: 'F', trigger_event: 'began', content_type: 'promotional', steps };
  const { body } = await workspace.call('POST', '/v1/flows', flow);
  await workspace.call('DELETE', '/v1/templates/no');
  const refusal = await workspace.call('POST', `/v1/flows/${body.id}/activate`);
  expect([refusal.status, refusal.body.errors]).toEqual([
    422,
    [{ field: 'steps[2].branches[1].steps[0].template_slug', message: 'no template has the slug no' }],
  ]);
  expect(refusal.body.templates).toEqual([{ slug: 'no', reason: 'not_found', steps: [2], findings: [] }]);
});
