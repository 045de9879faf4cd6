/** Erasure for privacy law: no table keeps personal data, and every count stays the same. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { CliContext } from '../../src/processes/cli/command.js';
import { runCommand } from '../../src/processes/cli/commands.js';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
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

/** The marker in every text about the contact. */
const CANARY = 'canary';
const PERSON = {
  external_id: 'canary-1',
  email: 'canary@example.com',
  phone: '+1 canary',
  first_name: 'Canary',
  last_name: 'O’Canary',
  product_type: 'canary',
  timezone: 'Europe/Berlin',
  locale: 'de-DE',
  properties: { canary: { nested: ['canary'] } },
  tags: ['canary'],
};
const ERASE = 'mutation($id: ID!) { eraseContact(id: $id) { id externalId events emails segments } }';

const erase = (of: TestWorkspace, id: string): Promise<Answer> => of.graphql(ERASE, { id });

/** Finds a text: searches every column that can hold one in every table. */
async function found(needle: string): Promise<string[]> {
  const { rows } = await admin.query<{ schema: string; table: string; column: string }>(
    `SELECT c.table_schema AS schema, c.table_name AS table, c.column_name AS column
     FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE t.table_type = 'BASE TABLE' AND c.table_schema NOT IN ('pg_catalog', 'information_schema')
       AND c.data_type IN ('text', 'jsonb', 'json', 'ARRAY', 'character varying', 'bytea')`,
  );
  expect(rows.length).toBeGreaterThan(50);
  const places: string[] = [];
  for (const { schema, table, column } of rows) {
    const name = `"${schema}"."${table}"`;
    const hits = await admin.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${name} WHERE strpos(lower("${column}"::text), $1) > 0`,
      [needle],
    );
    if (hits.rows[0]?.n) places.push(`${table}.${column}`);
  }
  return places.sort();
}

/** All counters of a workspace. */
async function countsOf({ id }: TestWorkspace): Promise<Record<string, unknown>> {
  const { rows } = await admin.query<Record<string, unknown>>(
    `SELECT (SELECT json_object_agg(status, n) FROM
         (SELECT status, count(*) AS n FROM email_logs WHERE workspace_id = $1 GROUP BY 1) AS s) AS emails,
       (SELECT json_object_agg(event_name, n) FROM
         (SELECT event_name, count(*) AS n FROM events WHERE workspace_id = $1 GROUP BY 1) AS e) AS events,
       (SELECT count(*)::int FROM trips WHERE workspace_id = $1) AS trips,
       (SELECT sum(events)::int FROM monthly_usage WHERE workspace_id = $1) AS usage,
       (SELECT count(*)::int FROM contacts WHERE workspace_id = $1) AS rows`,
    [id],
  );
  return rows[0] ?? {};
}

async function keptCount({ id }: TestWorkspace): Promise<number> {
  const { rows } = await admin.query<{ contacts: number }>(
    `SELECT contacts FROM contact_counts WHERE workspace_id = $1 AND environment = 'live'`,
    [id],
  );
  return rows[0]?.contacts ?? 0;
}

/** Creates a workspace in which the contact and another one have left data everywhere they can. */
async function lived(): Promise<TestWorkspace> {
  const workspace = await app.workspace();
  await workspace.call('POST', '/v1/templates', {
    name: 'Hello',
    slug: 'hello',
    subject: "Hello {the user's First Name}",
    body_html: '<p>Hi</p>',
  });
  const flow = await workspace.call('POST', '/v1/flows', {
    name: 'Hello',
    trigger_event: 'signed_up',
    content_type: 'transactional',
    steps: [
      { type: 'send_email', template_slug: 'hello' },
      { type: 'wait', duration: '1d' },
      { type: 'update_contact', set: { greeted: 'yes' } },
      { type: 'send_email', template_slug: 'hello' },
    ],
  });
  expect(flow.status).toBe(201);
  expect((await workspace.call('POST', `/v1/flows/${flow.body.id}/activate`)).status).toBe(200);
  const segment = await admin.query<{ id: string }>(
    `INSERT INTO segments (workspace_id, id, name, match, conditions, created_at, updated_at)
     VALUES ($1, gen_random_uuid(), 'All', 'all', '[]', now(), now()) RETURNING id`,
    [workspace.id],
  );
  for (const who of [
    PERSON,
    { ...PERSON, external_id: 'other', email: 'other@example.com', first_name: 'Other' },
  ]) {
    const { external_id, ...contact } = who;
    const event = await workspace.call('POST', '/v1/events', {
      external_id,
      event_name: 'signed_up',
      attributes: { canary: 'canary', list: ['canary'] },
      contact,
      idempotency_key: `canary-${external_id}`,
    });
    expect(event.status).toBe(202);
  }
  await until('both are written to', async () => {
    const { rowCount } = await admin.query(
      `SELECT FROM email_logs WHERE workspace_id = $1 AND status = 'sent'`,
      [workspace.id],
    );
    return rowCount === 2;
  });
  await admin.query(
    `UPDATE email_logs SET error_detail = '550 <canary@example.com> unknown' WHERE workspace_id = $1`,
    [workspace.id],
  );
  await admin.query(
    `INSERT INTO segment_members (workspace_id, environment, segment_id, contact_id, entered_at)
     SELECT $1, 'live', $2, id, now() FROM contacts WHERE workspace_id = $1 ON CONFLICT DO NOTHING`,
    [workspace.id, segment.rows[0]?.id],
  );
  const job = randomUUID();
  await admin.query(
    `INSERT INTO import_errors (workspace_id, environment, job_id, number, "row", external_id, code, detail)
     VALUES ($1, 'live', $2, 1, 1, 'canary-1', 'invalid_email', 'canary is none')`,
    [workspace.id, job],
  );
  await admin.query(
    `INSERT INTO import_rows (workspace_id, environment, job_id, number, "row", external_id, outcome, updated_fields, opts_out)
     SELECT $1, 'live', $2, n, n, who, 'created', '', false
     FROM unnest('{canary-1,Canary@example.com}'::text[]) WITH ORDINALITY AS u(who, n)`,
    [workspace.id, job],
  );
  return workspace;
}

describe('eraseContact', () => {
  test('leaves nothing of the person in any table, and every count as it was', async () => {
    const workspace = await lived();
    expect((await found(CANARY)).length).toBeGreaterThan(10);
    const { id, created_at } = (await workspace.call('GET', '/v1/contacts/canary-1')).body;
    const { id: otherId } = (await workspace.call('GET', '/v1/contacts/other')).body;
    const analytics = '/v1/analytics/export?date_range=7d';
    const [before, report] = [await countsOf(workspace), await workspace.call('GET', analytics)];
    expect(report.status).toBe(200);

    const answer = await erase(workspace, 'canary-1');
    expect(answer.body.data.eraseContact).toEqual({
      id,
      externalId: `erased-${id}`,
      events: 1,
      emails: 1,
      segments: 1,
    });
    expect((await workspace.call('GET', `/v1/contacts/${id}`)).body).toEqual({
      id,
      external_id: `erased-${id}`,
      email: null,
      phone: null,
      first_name: null,
      last_name: null,
      product_type: null,
      subscription_status: 'deleted',
      timezone: null,
      locale: null,
      properties: {},
      tags: [],
      created_at,
      updated_at: app.clock.now().toISOString(),
    });
    expect(await countsOf(workspace)).toEqual(before);
    expect((await workspace.call('GET', analytics)).body).toEqual(report.body);
    expect(await keptCount(workspace)).toBe(1);
    const { rows } = await admin.query(
      'SELECT contact_id FROM segment_members WHERE workspace_id = $1 UNION ALL SELECT contact_id FROM segment_touches WHERE workspace_id = $1',
      [workspace.id],
    );
    expect(rows.every((row) => row.contact_id === otherId)).toBe(true);

    // The contact's trip ended with the erasure; the other trip continues, and no erased data returns.
    app.clock.wind(25 * 3_600_000);
    await until('both trips are over', async () => {
      const open = await admin.query('SELECT FROM trips WHERE workspace_id = $1 AND completed_at IS NULL', [
        workspace.id,
      ]);
      return open.rowCount === 0;
    });
    const logs = await admin.query(
      'SELECT status, suppressed_reason FROM email_logs WHERE workspace_id = $1 AND contact_id = $2 ORDER BY id',
      [workspace.id, id],
    );
    expect(logs.rows).toEqual([{ status: 'sent', suppressed_reason: null }]);
    // The other contact is unchanged, and is the only one left.
    expect((await workspace.call('GET', '/v1/contacts/other')).body).toMatchObject({
      ...PERSON,
      external_id: 'other',
      email: 'other@example.com',
      first_name: 'Other',
      properties: { ...PERSON.properties, greeted: 'yes' },
    });
    expect((await erase(workspace, 'other')).body.data.eraseContact.events).toBe(1);
    expect(await found(CANARY)).toEqual([]);
  });

  test('of events that wait makes nobody anew; what comes later is new', async () => {
    const workspace = await app.workspace();
    await workspace.call('POST', '/v1/contacts', PERSON);
    await workspace.call('DELETE', '/v1/contacts/canary-1');
    // Like a worker, another connection processes the tenant's events.
    const worker = new pg.Client({ connectionString: app.adminUrl });
    await worker.connect();
    try {
      await worker.query('BEGIN');
      await worker.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 7288003))', [
        `${workspace.id}:live`,
      ]);
      const event = { external_id: 'canary-1', event_name: 'seen', contact: { email: PERSON.email } };
      await workspace.call('POST', '/v1/events', event);
      const erasure = erase(workspace, 'canary-1');
      await until('the erasure waits', async () => {
        const { rowCount } = await admin.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`,
        );
        return rowCount === 2;
      });
      await worker.query('COMMIT');
      const { data, errors } = (await erasure).body;
      // Either order is correct: the event was processed and then erased, or erased and then processed.
      expect([errors, data.eraseContact.events]).toEqual([undefined, 1]);
    } finally {
      await worker.end();
    }
    await until('the event is processed', async () => {
      const { rowCount } = await admin.query(
        'SELECT FROM events WHERE workspace_id = $1 AND processed_at IS NULL',
        [workspace.id],
      );
      return rowCount === 0;
    });
    expect(await found(CANARY)).toEqual([]);
    expect(await keptCount(workspace)).toBe(0);
    expect((await workspace.call('GET', '/v1/contacts/canary-1')).status).toBe(404);
    const again = await workspace.call('POST', '/v1/contacts', { external_id: 'canary-1' });
    expect([again.status, again.body.email]).toEqual([201, null]);
    await erase(workspace, 'canary-1');
  });

  test('twice, or of nobody, is contact_not_found and changes nothing', async () => {
    const workspace = await app.workspace();
    const other = await app.workspace();
    const { id } = (await workspace.call('POST', '/v1/contacts', { external_id: 'twice' })).body;
    const refusal = async (of: TestWorkspace, name: string): Promise<unknown> =>
      (await erase(of, name)).body.errors?.[0].extensions.code;
    for (const name of ['twice', id]) expect(await refusal(other, name)).toBe('contact_not_found');
    expect(await refusal(workspace, 'unknown')).toBe('contact_not_found');
    expect(await refusal(workspace, id)).toBeUndefined();
    for (const name of ['twice', id, `erased-${id}`])
      expect(await refusal(workspace, name)).toBe('contact_not_found');
    expect(await keptCount(workspace)).toBe(0);
  });

  test('at once by several erases once', async () => {
    const workspace = await app.workspace();
    await workspace.call('POST', '/v1/contacts', { external_id: 'race' });
    await workspace.call('POST', '/v1/contacts', { external_id: 'stays' });
    const answers = await Promise.all(Array.from({ length: 8 }, () => erase(workspace, 'race')));
    expect(answers.filter(({ body }) => body.data?.eraseContact)).toHaveLength(1);
    expect(await keptCount(workspace)).toBe(1);
  });

  test('erases nothing while a message is on its way', async () => {
    const workspace = await app.workspace();
    const { id } = (
      await workspace.call('POST', '/v1/contacts', { external_id: 'mail', email: 'm@example.com' })
    ).body;
    await admin.query(
      `INSERT INTO email_logs (workspace_id, id, origin, origin_id, origin_step, environment, contact_id, template_slug, content_type, priority, status,
         to_email, message_id, next_attempt_at, created_at, updated_at, sender)
       VALUES ($1, gen_random_uuid(), 'direct', $2, 0, 'live', $2, 'x', 'transactional', 0, 'sending', 'm@example.com', 'm', $3, $3, $3, NULL)`,
      [workspace.id, id, app.clock.now()],
    );
    const refused = await erase(workspace, 'mail');
    expect(refused.body.errors[0].extensions).toMatchObject({ code: 'conflict', status: 409 });
    expect((await workspace.call('GET', '/v1/contacts/mail')).body.email).toBe('m@example.com');
    await admin.query(`UPDATE email_logs SET status = 'sent' WHERE workspace_id = $1`, [workspace.id]);
    expect((await erase(workspace, 'mail')).body.data.eraseContact.emails).toBe(1);
  });

  test('touches one environment, and belongs to owners and admins', async () => {
    const email = (role: string): string => `${role}@erasure.test`;
    const roles = ['owner', 'admin', 'developer', 'operations'];
    const workspace = await app.workspace({ members: roles.map((role) => ({ email: email(role), role })) });
    const asTest = { 'x-api-key': workspace.testKey };
    await workspace.call('POST', '/v1/contacts', { external_id: 'e1' });
    await workspace.call('POST', '/v1/contacts', { external_id: 'e1', first_name: 'Test' }, asTest);
    const ask = async (headers: Record<string, string>): Promise<Record<string, any>> => {
      const credentials = { 'x-workspace-id': workspace.id, ...headers };
      const { body } = await app.request(
        'POST',
        '/graphql',
        { query: ERASE, variables: { id: 'e1' } },
        credentials,
      );
      return body.errors?.[0].extensions ?? body.data.eraseContact;
    };
    const as = async (role: string): Promise<Record<string, any>> =>
      ask({ authorization: `Bearer ${await app.token(email(role))}` });
    for (const role of ['developer', 'operations'])
      expect(await as(role)).toMatchObject({ code: 'insufficient_role', your_role: role });
    expect(await ask({ 'x-api-key': workspace.key })).toMatchObject({ code: 'control_plane_only' });
    expect((await as('admin'))['externalId']).toMatch(/^erased-/);
    expect((await workspace.call('GET', '/v1/contacts/e1', undefined, asTest)).body.first_name).toBe('Test');
  });
});

test('contact:erase of the command line does the same and answers with the counts', async () => {
  const workspace = await app.workspace();
  const { id } = (await workspace.call('POST', '/v1/contacts', { external_id: 'cli' })).body;
  const world = {
    withServices: (work: (services: unknown) => unknown) => work(app.app),
  } as unknown as CliContext;
  const args = ['--workspace', workspace.id, '--environment', 'live', '--contact', 'cli'];
  expect(await runCommand(['contact:erase', ...args], world)).toEqual({
    workspace_id: workspace.id,
    environment: 'live',
    id,
    external_id: `erased-${id}`,
    events: 0,
    emails: 0,
    feedback: 0,
    segments: 0,
    suppressions: 0,
    trips: 0,
    preferences: 0,
    inspections: 0,
    migration_errors: 0,
  });
  await expect(runCommand(['contact:erase', ...args], world)).rejects.toMatchObject({
    code: 'contact_not_found',
  });
  for (const wrong of [
    [],
    ['--contact', 'x'],
    ['--workspace', workspace.id, '--contact', 'x', '--environment', 'prod'],
  ])
    await expect(runCommand(['contact:erase', ...wrong], world)).rejects.toThrow(/--/);
});
