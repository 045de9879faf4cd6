/**
 * Random flows, a thousand in the nightly run, on the real engine with queues, workers and mail. A simple model
 * (test/support/flow-model.ts) must have the same trips, messages and ends, whatever happens in between.
 */
import fc from 'fast-check';
import { SegmentService } from '../../src/modules/segments/application/segment.service.js';
import type { TestWorkspace } from '../support/app.js';
import {
  CONTACTS,
  FlowModel,
  randomActions,
  randomFlow,
  SEGMENT,
  type ModelAction,
  type ModelTrip,
} from '../support/flow-model.js';
import { repetitions, runs } from '../support/test-scope.js';
import { TripsFixture } from './trips-fixture.js';

const FLOWS = runs(1_000);
/** Each event starts all flows with its trigger, so a few events already start thousands of trips. */
const ACTIONS = 24;
const MINUTE = 60_000;
/** The segment's share of the contacts, so that both branches occur. */
const MEMBERS = CONTACTS.slice(0, 2);

let fixture: TripsFixture;
let workspace: TestWorkspace;

beforeAll(async () => {
  fixture = await TripsFixture.lay();
  workspace = await fixture.app.workspace();
});
afterAll(() => fixture.clear());

/** One random value, the same in every run with the same property seed. */
function sample<Value>(arbitrary: fc.Arbitrary<Value>, place: number): Value {
  const { seed = 0 } = fc.readConfigureGlobal();
  const [value] = fc.sample(arbitrary, { numRuns: 1, seed: seed + place });
  if (value === undefined) throw new Error('Nothing was drawn.');
  return value;
}

test(`${FLOWS} flows do what they say`, async () => {
  await fixture.template(workspace, 'hello');
  for (const external_id of CONTACTS)
    await workspace.call('POST', '/v1/contacts', {
      external_id,
      email: `${external_id}@example.com`,
      tags: MEMBERS.includes(external_id) ? ['member'] : [],
    });
  const { id: segment } = await fixture.app.app.get(SegmentService, { strict: false }).create(
    { workspaceId: workspace.id },
    {
      name: 'Members',
      description: '',
      match: 'all',
      conditions: [{ field: 'tags', operator: 'contains', value: 'member' }],
    },
    null,
  );
  const flows = Array.from({ length: FLOWS }, (_, place) => sample(randomFlow(`f${place}_`), place));
  const ids: string[] = [];
  for (const { members_only, ...flow } of flows) {
    const written = JSON.parse(JSON.stringify(flow).replaceAll(SEGMENT, segment)) as object;
    ids.push(await fixture.flow(workspace, { ...written, segment_id: members_only ? segment : null }));
  }
  const actions = sample(randomActions(FLOWS, ACTIONS), FLOWS);

  const events: string[] = [];
  for (const action of actions) await act(action, ids, events);

  const placeOf = new Map(ids.map((id, index) => [id, index]));
  const rows = (await fixture.trips(workspace)).map((row) => ({
    ...row,
    flow: placeOf.get(row.flow_id) ?? -1,
    event: events.indexOf(row.trigger_event_id),
  }));
  const idOf = new Map(rows.map(({ flow, event, id }) => [`${flow} ${event}`, id]));
  const nameOf = ({ flow, event }: ModelTrip): string => idOf.get(`${flow} ${event}`) ?? '';
  const model = new FlowModel(flows, 0, nameOf, (contact) => MEMBERS.includes(contact));
  for (const action of actions) model.do(action);

  const begin = fixture.app.clock.now().getTime() - model.now;
  const inOrder = <Row extends { flow: number; event: number }>(list: readonly Row[]): Row[] =>
    [...list].sort((a, b) => a.flow - b.flow || a.event - b.event);
  const found = inOrder(rows).map((row) => ({
    flow: row.flow,
    event: row.event,
    contact: row.external_id,
    status: row.status,
    reason: row.ended_reason,
    wakeAt: row.resume_at && row.resume_at.getTime() - begin,
    sent: row.subjects,
  }));
  const expected = inOrder(model.trips).map(({ startedAt: _startedAt, ...trip }) => trip);
  expect(found).toEqual(expected);
  for (const [contact, properties] of model.properties) {
    const { body } = await workspace.call('GET', `/v1/contacts/${contact}`);
    if (body.subscription_status !== 'deleted') expect(body.properties).toEqual(properties);
  }
  const sent = found.flatMap((trip) => trip.sent).length;
  const { rows: mails } = await fixture.admin.query(
    `SELECT count(*)::int AS n FROM email_logs WHERE workspace_id = $1 AND status = 'sent'`,
    [workspace.id],
  );
  expect(mails).toEqual([{ n: sent }]);
  expect(fixture.app.sink.mails).toHaveLength(sent);
  expect(Math.min(found.length, sent)).toBeGreaterThan(repetitions({ short: 40, full: 100 }));
});

async function act(action: ModelAction, flows: readonly string[], events: string[]): Promise<void> {
  switch (action.kind) {
    case 'event': {
      const { contact, name, attributes } = action.event;
      const event = { external_id: contact, event_name: name, attributes };
      const { status, body } = await workspace.call('POST', '/v1/events', event);
      expect(status).toBe(202);
      events.push(body.event_id);
      await fixture.quiet();
      return;
    }
    case 'wind':
      return fixture.wind(action.minutes * MINUTE);
    case 'stop':
      await workspace.call('POST', `/v1/flows/${flows[action.flow]}/stop`);
      return fixture.quiet();
    case 'delete':
      await workspace.call('DELETE', `/v1/contacts/${action.contact}`);
      return fixture.quiet();
  }
}
