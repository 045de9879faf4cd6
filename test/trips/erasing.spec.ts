/**
 * Erasure of a person with thousands of trips: no answer contains their data from that moment on, and the
 * histories of the trips are cleared in chunks.
 */
import pg from 'pg';
import { ContactErasureService } from '../../src/modules/contacts/application/contact-erasure.service.js';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';

let app: TestApp;
let admin: pg.Client;

const boot = async (options: Parameters<typeof bootApp>[0]): Promise<void> => {
  app = await bootApp(options);
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
};
afterAll(async () => {
  await admin.end();
  await app.close();
});

const TRAIL = '[1767225600000,1,"parted",{"field":"plan"},{"value":"secret"}]\n[1767225600000,1,"parted"]\n';
const CLEARED = '[1767225600000, 1, "parted", {"field": "plan"}]\n[1767225600000, 1, "parted"]\n';
const EXPLAIN = 'query ($id: ID!) { explainTrip(id: $id) { decisions { facts } } }';

async function withTrips(
  workspace: TestWorkspace,
  name: string,
  flows: number,
  each: number,
): Promise<string> {
  await workspace.call('POST', '/v1/events', { external_id: name, event_name: 'seen' });
  let contactId = '';
  await until('there is a contact', async () => {
    const { rows } = await admin.query('SELECT id FROM contacts WHERE external_id = $1', [name]);
    contactId = rows[0]?.id;
    return rows.length === 1;
  });
  // More trips start at the same time than one chunk holds.
  await admin.query(
    `INSERT INTO trips (workspace_id, environment, id, flow_id, flow_version, contact_id, trigger_event_id, status, last_step,
       started_at, updated_at, completed_at, ended_reason, trail)
     SELECT $1, 'live', gen_random_uuid(), md5(flow::text)::uuid, 1, $2, gen_random_uuid(), 'completed', 1,
       $5::timestamptz + (n / 3000) * interval '1 second', $5, $5, 'finished', $6
     FROM generate_series(1, $3::int) AS flow, generate_series(1, $4::int) AS n`,
    [workspace.id, contactId, flows, each, app.clock.now(), TRAIL],
  );
  return contactId;
}

const trails = async (contactId: string): Promise<unknown[]> =>
  (
    await admin.query('SELECT trail, count(*)::int AS n FROM trips WHERE contact_id = $1 GROUP BY 1', [
      contactId,
    ])
  ).rows;

test('values are told to nobody from the erasure on, and leave every trail', async () => {
  await boot({ queues: ['events'] });
  const workspace = await app.workspace();
  const scope = { workspaceId: workspace.id, environment: 'live' } as const;
  const few = await withTrips(workspace, 'ada', 2, 50);
  const many = await withTrips(workspace, 'bob', 3, 3_500);
  const unrelated = await withTrips(workspace, 'cyd', 1, 10);
  const erasure = app.app.get(ContactErasureService, { strict: false });

  expect((await erasure.erase(scope, 'ada')).rows.get('trips')).toBe(100);
  expect(await trails(few)).toEqual([{ trail: CLEARED, n: 100 }]);

  const { rows } = await admin.query('SELECT id FROM trips WHERE contact_id = $1 LIMIT 1', [many]);
  const explanation = async (): Promise<string> =>
    JSON.stringify((await workspace.graphql(EXPLAIN, { id: rows[0].id })).body.data.explainTrip);
  expect(await explanation()).toContain('secret');
  expect((await erasure.erase(scope, 'bob')).rows.get('trips')).toBe(10_500);
  expect(await explanation()).not.toContain('secret');

  await admin.end();
  await app.end();
  await boot({ on: app, queues: ['trips'] });
  await until(
    'nothing is left to do',
    async () => (await admin.query('SELECT FROM trip_sweeps')).rows.length === 0,
  );
  expect(await trails(many)).toEqual([{ trail: CLEARED, n: 10_500 }]);
  expect(await trails(unrelated)).toEqual([{ trail: TRAIL, n: 10 }]);
});
