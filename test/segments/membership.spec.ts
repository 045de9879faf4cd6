/** Segment membership: queries for many contacts at a time, and manual refreshes of the members. */
import pg from 'pg';
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { SegmentMembership } from '../../src/modules/segments/application/segment-membership.js';
import { SegmentRefreshService } from '../../src/modules/segments/application/segment-refresh.service.js';
import { SegmentService } from '../../src/modules/segments/application/segment.service.js';
import { Database } from '../../src/platform/database/database.js';
import { sharedApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { HOUR } from '../support/clock.js';

let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;
let live: TenantScope;
let vips: string;

beforeAll(async () => {
  app = await sharedApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});
beforeEach(async () => {
  workspace = await app.workspace();
  live = { workspaceId: workspace.id, environment: 'live' };
  vips = (
    await app.app.get(SegmentService, { strict: false }).create(
      live,
      {
        name: 'VIPs',
        description: '',
        match: 'all',
        conditions: [{ field: 'tags', operator: 'contains', value: 'vip' }],
      },
      null,
    )
  ).id;
});

const bringUpToDate = (scope: TenantScope = live): Promise<boolean> =>
  app.app.get(SegmentRefreshService, { strict: false }).runDueWork(scope, () => true);
const which = (ids: readonly string[], scope: TenantScope = live): Promise<Set<string>> =>
  app.app
    .get(Database, { strict: false })
    .inScope(scope, (tx) =>
      app.app.get(SegmentMembership, { strict: false }).membersAmong(tx, scope, vips, ids),
    );
async function contact(externalId: string, tags: readonly string[]): Promise<string> {
  const { body } = await workspace.call('POST', '/v1/contacts', { external_id: externalId, tags });
  return body.id as string;
}
async function count(table: string): Promise<number> {
  const { rows } = await admin.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${table} WHERE workspace_id = $1 AND environment = 'live'`,
    [workspace.id],
  );
  return rows[0]?.n ?? 0;
}

test('which of the contacts are in the segment', async () => {
  const [a, b, c] = [await contact('a', ['vip']), await contact('b', []), await contact('c', ['vip'])];
  await bringUpToDate();
  expect(await which([a, b])).toEqual(new Set([a]));
  expect(await which([])).toEqual(new Set());
  expect(await which([a, b, c], { ...live, environment: 'test' })).toEqual(new Set());
  await workspace.call('DELETE', '/v1/contacts/c');
  await bringUpToDate();
  expect(await which([a, b, c])).toEqual(new Set([a]));
  await app.app.get(SegmentService, { strict: false }).remove(live, vips);
  expect(await which([a, b, c])).toEqual(new Set());
});

test('a contact is marked when something was learned, and the mark is taken off', async () => {
  await contact('a', ['vip']);
  expect(await count('segment_touches')).toBe(1);
  await bringUpToDate();
  expect(await count('segment_touches')).toBe(0);
  await contact('a', ['vip']);
  expect(await count('segment_touches')).toBe(0);
  await contact('a', []);
  expect(await count('segment_touches')).toBe(1);
});

test('contacts of a workspace without segments are not marked', async () => {
  workspace = await app.workspace();
  await contact('a', ['vip']);
  expect(await count('segment_touches')).toBe(0);
});

test('one worker at a time writes the members of a tenant; another leaves everything as it is', async () => {
  const a = await contact('a', ['vip']);
  const name = `segment members ${live.workspaceId} live`;
  await admin.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
  expect(await bringUpToDate()).toBe(false);
  expect(await count('segment_touches')).toBe(1);
  await admin.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [name]);
  expect(await bringUpToDate()).toBe(false);
  expect(await which([a])).toEqual(new Set([a]));
});

test('a refresh that fails is noted, keeps the members, holds up no other segment, and is set aside until it is mended', async () => {
  const a = await contact('a', ['vip']);
  await bringUpToDate();
  // As if the rules had become stricter since.
  await admin.query(
    `UPDATE segments SET conditions = '[{"field": "tags", "operator": "like"}]' WHERE id = $1`,
    [vips],
  );
  app.clock.wind(2 * HOUR);
  await app.app
    .get(SegmentService, { strict: false })
    .create(live, { name: 'All', description: '', match: 'all', conditions: [] }, null);
  expect(await bringUpToDate()).toBe(false);
  const { segments } = await app.app
    .get(SegmentService, { strict: false })
    .list(live, { search: null, first: 10, after: null });
  expect(
    segments.items.map(({ name, memberCount, refreshError }) => [name, memberCount, refreshError]),
  ).toEqual([
    ['All', 1, null],
    ['VIPs', 1, expect.stringContaining('like')],
  ]);
  expect(await which([a])).toEqual(new Set([a]));
  const { rows } = await admin.query<{ refresh_at: Date | null; code: string }>(
    `SELECT refresh_at, code FROM segment_refreshes r JOIN set_aside_work s ON s.subject_id = r.segment_id
       AND s.environment = r.environment WHERE r.segment_id = $1 AND r.environment = 'live'`,
    [vips],
  );
  expect(rows).toEqual([{ refresh_at: null, code: 'refused_by_rules' }]);
});
