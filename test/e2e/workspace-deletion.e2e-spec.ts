/**
 * The deletion of a workspace: its owner requests it and may cancel it; afterwards nothing of the workspace is left,
 * and no data of another workspace is missing.
 */
import pg from 'pg';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY, HOUR, MINUTE } from '../support/clock.js';
import { rowOf } from '../support/rows.js';
import { until } from '../support/until.js';

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

const change = (of: TestWorkspace, mutation: string): Promise<Answer> =>
  of.graphql(`mutation { ${mutation} }`);

async function nameOf(of: TestWorkspace): Promise<string> {
  return (await of.graphql('{ workspace { name } }')).body.data.workspace.name;
}

const order = async (of: TestWorkspace): Promise<Answer> =>
  change(of, `deleteWorkspace(name: "${await nameOf(of)}") { status suspendedReason deletionAt }`);

/**
 * Counts the rows that mention the workspace in each table. The queue's journal is excluded: the queue trims it, and it
 * contains only the ids of tenants that were woken.
 */
async function traces(text: string): Promise<Record<string, number>> {
  const { rows: tables } = await admin.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema') AND (schemaname, tablename) <> ('bullmq', 'event')
     ORDER BY 1`,
  );
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await admin.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${name} t WHERE t::text LIKE '%' || $1 || '%'`,
      [text],
    );
    if (rows[0]?.n) found[name] = rows[0].n;
  }
  return found;
}

/** Inserts a row into each tenant table. */
async function rowsEverywhere(workspaceId: string): Promise<string[]> {
  const { rows: tables } = await admin.query<{ name: string; environments: boolean }>(
    `SELECT table_name AS name, bool_or(column_name = 'environment') AS environments
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
     GROUP BY 1 HAVING bool_or(column_name = 'workspace_id') ORDER BY 1`,
  );
  for (const { name, environments } of tables)
    for (const environment of environments ? ['live', 'test'] : ['live']) {
      const row = await rowOf(admin, name, { workspace_id: workspaceId, environment });
      const columns = Object.keys(row);
      await admin.query(
        `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map((_, i) => `$${i + 1}`).join(', ')})
         ON CONFLICT DO NOTHING`,
        Object.values(row),
      );
    }
  return tables.map(({ name }) => name);
}

async function liveliness(of: TestWorkspace, canary: string): Promise<void> {
  const body_html = '<p>Hello</p>';
  await of.call('POST', '/v1/templates', { name: 'Hello', slug: 'hello', subject: 'Hello', body_html });
  const { body: flow } = await of.call('POST', '/v1/flows', {
    name: 'Onboarding',
    trigger_event: 'signed_up',
    content_type: 'promotional',
    steps: [
      { type: 'send_email', template_slug: 'hello' },
      { type: 'wait', duration: '30d' },
    ],
  });
  await of.call('POST', `/v1/flows/${flow.id}/activate`);
  for (const person of ['one', 'two'])
    await of.call('POST', '/v1/events', {
      external_id: `${canary}-${person}`,
      event_name: 'signed_up',
      contact: { email: `${canary}-${person}@example.com`, first_name: canary },
    });
}

const mailsTo = (canary: string) => app.sink.mails.filter(({ to }) => to.some((one) => one.includes(canary)));

test('the owner alone orders it, by typing the name; it is read-only at once, and taken back is as it was', async () => {
  const workspace = await app.workspace();
  const refused = await change(workspace, 'deleteWorkspace(name: "Another") { id }');
  expect(refused.body.errors[0].extensions).toMatchObject({
    code: 'invalid_field',
    errors: [{ field: 'name' }],
  });
  expect(
    (await workspace.call('POST', '/graphql', { query: 'mutation { keepWorkspace { id } }' })).body,
  ).toMatchObject({ errors: [{ extensions: { code: 'control_plane_only' } }] });
  const { body } = await order(workspace);
  const due = new Date(app.clock.now().getTime() + 14 * DAY).toISOString();
  const ordered = { status: 'suspended', suspendedReason: 'to_be_deleted', deletionAt: due };
  expect(body.data.deleteWorkspace).toEqual(ordered);
  app.clock.wind(HOUR);
  // A second request changes nothing.
  expect((await order(workspace)).body.data.deleteWorkspace).toEqual(ordered);
  const event = { external_id: 'x', event_name: 'x' };
  await until(
    'keys are read-only',
    async () => (await workspace.call('POST', '/v1/events', event)).status === 403,
  );
  expect((await workspace.call('POST', '/v1/events', event)).body.code).toBe('workspace_suspended');
  expect((await workspace.call('GET', '/v1/contacts')).status).toBe(200);
  const kept = await change(workspace, 'keepWorkspace { status suspendedReason deletionAt }');
  expect(kept.body.data.keepWorkspace).toEqual({ status: 'active', suspendedReason: null, deletionAt: null });
  await until(
    'keys write again',
    async () => (await workspace.call('POST', '/v1/events', event)).status === 202,
  );
  const { body: log } = await workspace.graphql('{ auditLog(first: 2) { edges { node { action after } } } }');
  expect(log.data.auditLog.edges.map(({ node }: { node: object }) => node)).toMatchObject([
    { action: 'workspace_deletion_taken_back', after: { deletionAt: null } },
    { action: 'workspace_deletion_ordered', after: { deletionAt: due } },
  ]);
});

test('what cannot be deleted keeps nothing else from going, and goes once it can', async () => {
  const workspace = await app.workspace();
  await rowsEverywhere(workspace.id);
  await order(workspace);
  await admin.query(`
    CREATE FUNCTION kept() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'kept' USING ERRCODE = '55P03'; END $$;
    CREATE TRIGGER kept BEFORE DELETE ON contacts FOR EACH ROW
    WHEN (OLD.workspace_id = '${workspace.id}') EXECUTE FUNCTION kept()`);
  const left = async (): Promise<string> =>
    Object.keys(await traces(workspace.id))
      .sort()
      .join();
  app.clock.wind(14 * DAY);
  await until('all else has gone', async () => (await left()) === 'public.contacts,public.workspaces');
  app.clock.wind(HOUR);
  const retryAt = async (): Promise<Date | null> =>
    (await admin.query('SELECT deletion_retry_at FROM workspaces WHERE id = $1', [workspace.id])).rows[0]
      .deletion_retry_at;
  await until('it is left alone for a while', async () => ((await retryAt()) ?? 0) > app.clock.now());
  await admin.query('DROP FUNCTION kept CASCADE');
  app.clock.wind(10 * MINUTE);
  await until('the rest has gone', async () => (await left()) === '');
});

test('once its time is over nothing of it is anywhere, and nobody else has lost anything', async () => {
  const [doomed, other] = [await app.workspace(), await app.workspace()];
  const [canary, otherCanary] = ['canary8313', 'canary9427'];
  await liveliness(doomed, canary);
  await liveliness(other, otherCanary);
  await until('all mail has arrived', () => mailsTo('canary').length === 4);
  const [link = ''] = /\/v1\/public\/unsubscribe\?token=[\w.-]+/.exec(mailsTo(canary)[0]?.raw ?? '') ?? [];
  expect(link).not.toBe('');
  await order(doomed);
  await until('no job of it waits', async () => (await traces(doomed.id))['bullmq.job'] === undefined);
  // Stops the workers, which could not process the meaningless rows.
  await app.end();
  app = await bootApp({ on: app, queues: ['deletions'] });
  const tables = await rowsEverywhere(doomed.id);
  await rowsEverywhere(other.id);
  const before = await traces(other.id);
  expect(Object.keys(await traces(doomed.id))).toEqual(
    expect.arrayContaining(tables.map((name) => `public.${name}`)),
  );

  app.clock.wind(14 * DAY - HOUR);
  await app.request('GET', '/health/ready');
  expect((await traces(canary))['public.contacts']).toBe(2);
  app.clock.wind(HOUR);
  await until(
    'all of it has gone',
    async () => Object.keys(await traces(doomed.id)).join() === 'public.workspaces',
  );
  // Simulates requests that were writing during the deletion.
  await rowsEverywhere(doomed.id);
  app.clock.wind(HOUR);
  await until('the rest has gone', async () => Object.keys(await traces(doomed.id)).length === 0);
  expect(await traces(canary)).toEqual({});
  expect(await traces(other.id)).toEqual(before);
  expect((await traces(otherCanary))['public.contacts']).toBe(2);

  // Its emails are still in people's mailboxes.
  await app.request('GET', link);
  await app.request('POST', link);
  expect(await traces(doomed.id)).toEqual({});
  const headers = { 'x-workspace-id': doomed.id };
  const key = await app.request('GET', '/v1/contacts', undefined, { ...headers, 'x-api-key': doomed.key });
  expect(key.body.code).toBe('invalid_api_key');
  const owner = { ...headers, authorization: `Bearer ${doomed.ownerToken}` };
  expect((await app.request('GET', '/v1/flows', undefined, owner)).body.code).toBe('workspace_mismatch');
});

test('evidence goes with its workspace and never before', async () => {
  const { id } = await app.workspace();
  await rowsEverywhere(id);
  await admin.query('SET ROLE waypost_app');
  await admin.query(
    `SELECT set_config('app.workspace_id', $1, false), set_config('app.environment', 'live', false)`,
    [id],
  );
  const removed = async (table: string) => (await admin.query(`DELETE FROM ${table}`)).rowCount;
  for (const table of ['audit_log', 'preference_changes']) {
    const { rowCount } = await admin.query(`SELECT FROM ${table}`);
    expect([table, (rowCount ?? 0) > 0]).toEqual([table, true]);
    expect([table, await removed(table)]).toEqual([table, 0]);
  }
  await admin.query('RESET ROLE');
});
