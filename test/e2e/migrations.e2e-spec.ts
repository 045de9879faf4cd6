/**
 * Migrations over HTTP, section 4.9: who may import contacts, which options are valid, how jobs are listed, stopped and
 * resumed, and how errors appear; and the same through GraphQL. No worker runs here: a test sets the state of a job in
 * its row.
 */
import pg from 'pg';
import { ROLES } from '../../src/kernel/principal.js';
import { MAX_STORED_RESULTS, MAX_ACTIVE_JOBS } from '../../src/modules/imports/domain/import-bounds.js';
import { sharedApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { UNKNOWN_ID } from '../support/flows-fixture.js';

let app: TestApp;
let admin: pg.Client;

beforeAll(async () => {
  app = await sharedApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const MOMENT = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/);
const KEY = 'pk_0123456789abcdef-secret';
const KLAVIYO = { platform: 'klaviyo', credentials: { api_key: KEY } };
const CSV = 'external_id,email\nu1,ada@example.com\n';

/** A workspace of a paid plan, as its owner sees it. */
class Fixture {
  private constructor(readonly workspace: TestWorkspace) {}

  static async open(overrides: object = {}): Promise<Fixture> {
    return new Fixture(await app.workspace({ plan: 'starter', ...overrides }));
  }

  call(method: string, path: string, body?: unknown, environment = 'live'): Promise<Answer> {
    return app.request(method, `/v1/migrations${path}`, body, this.asOwner(environment));
  }

  asOwner(environment = 'live'): Record<string, string> {
    return {
      authorization: `Bearer ${this.workspace.ownerToken}`,
      'x-workspace-id': this.workspace.id,
      'x-environment': environment,
    };
  }

  async start(body: object = KLAVIYO): Promise<any> {
    const answer = await this.call('POST', '', body);
    expect(answer.status).toBe(201);
    return answer.body;
  }

  /** Uploads a file and returns its id. */
  async upload(text = CSV, environment = 'live'): Promise<string> {
    const form = new FormData();
    form.append('file', new Blob([text]), 'people.csv');
    const response = await fetch(`${app.url}/v1/migrations/files`, {
      method: 'POST',
      headers: this.asOwner(environment),
      body: form,
    });
    expect(response.status).toBe(201);
    return ((await response.json()) as { file_id: string }).file_id;
  }

  /** Sets a job's row to a state that a worker would have written. */
  async put(id: string, set: string): Promise<void> {
    const { rowCount } = await admin.query(`UPDATE import_jobs SET ${set} WHERE id = $1`, [id]);
    expect(rowCount).toBe(1);
  }

  fail(id: string): Promise<void> {
    return this.put(
      id,
      `status = 'failed', credentials = NULL, due_at = NULL, error_code = 'platform_unavailable', error_detail = 'No answer.',
       imported = 40, failed = 2, total = 100, percent_complete = 42, cursor = '{"page": 3}', completed_at = now()`,
    );
  }

  async row(id: string): Promise<any> {
    return (await admin.query('SELECT * FROM import_jobs WHERE id = $1', [id])).rows[0];
  }

  async graphql(query: string, variables: object = {}): Promise<any> {
    const { body } = await this.workspace.graphql(query, variables);
    if (body.errors) throw new Error(JSON.stringify(body.errors));
    return body.data;
  }

  async refused(query: string, variables: object = {}): Promise<any> {
    return (await this.workspace.graphql(query, variables)).body.errors[0].extensions;
  }
}

describe('who may', () => {
  const CALLS: readonly (readonly [method: string, path: string])[] = [
    ['GET', ''],
    ['POST', ''],
    ['GET', `/${UNKNOWN_ID}`],
    ['POST', `/${UNKNOWN_ID}/resume`],
    ['POST', `/${UNKNOWN_ID}/cancel`],
    ['GET', `/${UNKNOWN_ID}/errors`],
  ];
  const people = async (plan: string): Promise<Fixture> => {
    const name = `people-${plan}`;
    const members = ROLES.filter((role) => role !== 'owner').map((role) => ({
      email: `${role}@${name}.example.com`,
      role,
    }));
    return Fixture.open({
      plan,
      members: [{ email: `owner@${name}.example.com`, role: 'owner' }, ...members],
    });
  };

  test.each(CALLS)(
    '%s /v1/migrations%s: nobody, keys, roles and plans in this order',
    async (method, path) => {
      const free = await people('free');
      const asks = async (headers: Record<string, string>): Promise<Answer> =>
        app.request(method, `/v1/migrations${path}`, method === 'POST' ? { nonsense: 1 } : undefined, {
          'x-workspace-id': free.workspace.id,
          ...headers,
        });
      expect((await asks({})).status).toBe(401);
      const key = await asks({ 'x-api-key': free.workspace.key });
      expect([key.status, key.body.reason]).toEqual([403, 'control_plane_only']);
      for (const role of ROLES) {
        const token = await app.token(`${role}@people-free.example.com`);
        const { status, body } = await asks({ authorization: `Bearer ${token}` });
        if (role === 'owner' || role === 'admin')
          expect([status, body]).toEqual([
            403,
            expect.objectContaining({
              ...{
                code: 'plan_limit_reached',
                limit_type: 'migrations',
                current: 0,
                maximum: 0,
                plan: 'free',
              },
              detail: 'The free plan does not include migrations: upgrade to the starter plan or higher.',
            }),
          ]);
        else
          expect([status, body]).toEqual([
            403,
            expect.objectContaining({ reason: 'insufficient_role', required_roles: ['owner', 'admin'] }),
          ]);
      }
    },
  );

  test('the admin of a paid plan', async () => {
    const fixture = await people('starter');
    const authorization = `Bearer ${await app.token('admin@people-starter.example.com')}`;
    const headers = { authorization, 'x-workspace-id': fixture.workspace.id };
    expect((await app.request('POST', '/v1/migrations', KLAVIYO, headers)).status).toBe(201);
  });

  test('the same through GraphQL', async () => {
    const free = await Fixture.open({ plan: 'free' });
    expect(await free.refused('{ migrations { edges { cursor } } }')).toMatchObject({
      ...{ code: 'plan_limit_reached', limit_type: 'migrations' },
    });
    const start = 'mutation ($input: StartMigrationInput!) { startMigration(input: $input) { id } }';
    const input = { platform: 'klaviyo', credentials: { apiKey: KEY } };
    expect(await free.refused(start, { input })).toMatchObject({ code: 'plan_limit_reached' });
  });

  test('a workspace that is read-only reads alone', async () => {
    const fixture = await Fixture.open();
    const { id } = await fixture.start();
    await admin.query(`UPDATE workspaces SET status = 'suspended' WHERE id = $1`, [fixture.workspace.id]);
    await app.untilChangesHandled();
    for (const path of ['', `/${id}/resume`, `/${id}/cancel`]) {
      const { status, body } = await fixture.call('POST', path, KLAVIYO);
      expect([status, body.code]).toEqual([403, 'workspace_suspended']);
    }
    expect((await fixture.call('GET', `/${id}`)).status).toBe(200);
  });
});

describe('starting', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await Fixture.open();
  });

  test('a job waits for its turn, and shows no credentials', async () => {
    const config = {
      tags: ['moved', 'moved', '2026'],
      field_mapping: { nick: 'first_name', plan: 'product_type' },
      field_types: { ltv: 'number', joined: 'date' },
    };
    const answer = await fixture.call('POST', '', { ...KLAVIYO, config });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      ...{ id: UUID, platform: 'klaviyo', status: 'queued' },
      progress: { imported: 0, failed: 0, total: 0, percent_complete: 0 },
      ...{ created_contacts: 0, updated_contacts: 0, unsubscribed: 0, mistyped_values: 0 },
      ...{ can_resume: false, error: null },
      dry_run: false,
      config: { ...config, tags: ['moved', '2026'], file_id: null, dry_run: false },
      ...{ created_by: UUID, created_at: MOMENT, started_at: null, completed_at: null },
    });
    expect(await fixture.call('GET', `/${answer.body.id}`)).toMatchObject({ status: 200, body: answer.body });
    const { credentials } = await fixture.row(answer.body.id as string);
    expect(credentials).toMatch(/^1\./);
    expect(
      Buffer.from((credentials as string).split('.')[2] ?? '', 'base64url').toString('latin1'),
    ).not.toContain(KEY);
  });

  test('a file is read by the job that names it, and is kept for a week from then', async () => {
    const fileId = await fixture.upload();
    await admin.query(`UPDATE import_files SET expires_at = $2 WHERE id = $1`, [fileId, app.clock.now()]);
    const body = await fixture.start({ platform: 'file', config: { file_id: fileId, dry_run: true } });
    expect(body).toMatchObject({
      platform: 'file',
      dry_run: true,
      config: { file_id: fileId, dry_run: true },
    });
    const { rows } = await admin.query('SELECT expires_at FROM import_files WHERE id = $1', [fileId]);
    expect(rows[0].expires_at.getTime()).toBe(app.clock.now().getTime() + 7 * 86_400_000);
    expect((await fixture.row(body.id as string)).credentials).toBeNull();
  });

  test.each([
    ['braze', { api_key: 'k', extra: { endpoint: 'https://rest.iad-01.braze.com', segment_id: 's' } }],
    ['mailchimp', { api_key: '0123456789abcdef0123456789abcdef-us21' }],
    ['onesignal', { app_id: UNKNOWN_ID, api_key: 'k' }],
    ['intercom', { api_key: 'k', extra: { region: 'eu' } }],
    ['customerio', { app_id: '', api_key: 'k', extra: { region: 'us' } }],
  ])('%s', async (platform, credentials) => {
    const one = await Fixture.open();
    expect((await one.start({ platform, credentials })).platform).toBe(platform);
  });

  const config = (given: object): object => ({ ...KLAVIYO, config: given });
  const many = (count: number, of: (n: number) => unknown): unknown[] =>
    Array.from({ length: count }, (_, n) => of(n));
  test.each<[string, unknown, number, string, readonly string[]]>([
    ['nothing', undefined, 400, 'validation_error', []],
    ['a list', [], 400, 'validation_error', []],
    ['no platform', {}, 400, 'validation_error', ['platform']],
    ['another platform', { platform: 'hubspot' }, 422, 'invalid_field', ['platform']],
    ['an unknown field', { ...KLAVIYO, speed: 9 }, 422, 'invalid_field', ['speed']],
    ['no credentials', { platform: 'klaviyo' }, 400, 'validation_error', ['credentials.api_key']],
    [
      'an empty key',
      { platform: 'klaviyo', credentials: { api_key: '' } },
      400,
      'validation_error',
      ['credentials.api_key'],
    ],
    [
      'no app',
      { platform: 'onesignal', credentials: { api_key: 'k' } },
      400,
      'validation_error',
      ['credentials.app_id'],
    ],
    [
      'no endpoint',
      { platform: 'braze', credentials: { api_key: 'k' } },
      ...([400, 'validation_error', ['credentials.extra.endpoint', 'credentials.extra.segment_id']] as const),
    ],
    [
      'a key that is a number',
      { ...KLAVIYO, credentials: { api_key: 7 } },
      422,
      'invalid_field',
      ['credentials.api_key'],
    ],
    [
      'a key that is too long',
      { ...KLAVIYO, credentials: { api_key: 'k'.repeat(4_097) } },
      422,
      'invalid_field',
      ['credentials.api_key'],
    ],
    [
      'a key of several lines',
      { ...KLAVIYO, credentials: { api_key: 'k\r\nhost: x' } },
      422,
      'invalid_field',
      ['credentials.api_key'],
    ],
    [
      'a key with NUL',
      { ...KLAVIYO, credentials: { api_key: 'k\0' } },
      422,
      'invalid_field',
      ['credentials.api_key'],
    ],
    ['credentials that are a text', { ...KLAVIYO, credentials: KEY }, 422, 'invalid_field', ['credentials']],
    [
      'an extra that no platform has',
      { ...KLAVIYO, credentials: { api_key: KEY, extra: { host: 'x' } } },
      422,
      'invalid_field',
      ['credentials.extra.host'],
    ],
    [
      'an extra of another platform',
      { ...KLAVIYO, credentials: { api_key: KEY, extra: { region: 'eu' } } },
      422,
      'invalid_field',
      ['credentials.extra.region'],
    ],
    [
      'an app of another platform',
      { ...KLAVIYO, credentials: { api_key: KEY, app_id: UNKNOWN_ID } },
      422,
      'invalid_field',
      ['credentials.app_id'],
    ],
    [
      'a key for a file',
      { platform: 'file', credentials: { api_key: KEY }, config: { file_id: UNKNOWN_ID } },
      422,
      'invalid_field',
      ['credentials.api_key'],
    ],
    [
      'a data center that is none',
      { platform: 'mailchimp', credentials: { api_key: KEY, extra: { data_center: 'us21.example#' } } },
      422,
      'invalid_field',
      ['credentials.extra.data_center'],
    ],
    [
      'a key without a data center',
      { platform: 'mailchimp', credentials: { api_key: '0123456789abcdef' } },
      422,
      'invalid_field',
      ['credentials.extra.data_center'],
    ],
    [
      'an extra that is a list',
      { ...KLAVIYO, credentials: { api_key: KEY, extra: [] } },
      422,
      'invalid_field',
      ['credentials.extra'],
    ],
    [
      'an extra of an object',
      { platform: 'mailchimp', credentials: { api_key: KEY, extra: { list_id: {} } } },
      422,
      'invalid_field',
      ['credentials.extra.list_id'],
    ],
    [
      'a region that there is not',
      { platform: 'intercom', credentials: { api_key: 'k', extra: { region: 'mars' } } },
      422,
      'invalid_field',
      ['credentials.extra.region'],
    ],
    ['tags that are a text', config({ tags: 'moved' }), 422, 'invalid_field', ['config.tags']],
    ['an empty tag', config({ tags: [''] }), 422, 'invalid_field', ['config.tags']],
    ['a tag that is too long', config({ tags: ['t'.repeat(256)] }), 422, 'invalid_field', ['config.tags']],
    ['a tag with NUL', config({ tags: ['t\0'] }), 422, 'invalid_field', ['config.tags']],
    ['half a character', config({ tags: ['\ud800'] }), 422, 'invalid_field', ['config.tags']],
    ['too many tags', config({ tags: many(101, String) }), 422, 'invalid_field', ['config.tags']],
    [
      'a target that there is not',
      config({ field_mapping: { nick: 'nickname' } }),
      422,
      'invalid_field',
      ['config.field_mapping.nick'],
    ],
    [
      'a target that is a number',
      config({ field_mapping: { nick: 1 } }),
      422,
      'invalid_field',
      ['config.field_mapping.nick'],
    ],
    [
      'a target of prototypes',
      config({ field_mapping: { nick: 'constructor' } }),
      422,
      'invalid_field',
      ['config.field_mapping.nick'],
    ],
    [
      'a mapping of nothing',
      config({ field_mapping: { '': 'email' } }),
      422,
      'invalid_field',
      ['config.field_mapping'],
    ],
    [
      'a mapping with NUL',
      config({ field_mapping: { 'a\0': 'email' } }),
      422,
      'invalid_field',
      ['config.field_mapping'],
    ],
    [
      'a mapping of a long name',
      config({ field_mapping: { ['n'.repeat(256)]: 'email' } }),
      422,
      'invalid_field',
      ['config.field_mapping'],
    ],
    [
      'too many mappings',
      config({
        field_mapping: Object.fromEntries(many(1_001, (n) => [`f${n}`, 'email']) as [string, string][]),
      }),
      422,
      'invalid_field',
      ['config.field_mapping'],
    ],
    [
      'a mapping that is a list',
      config({ field_mapping: ['email'] }),
      422,
      'invalid_field',
      ['config.field_mapping'],
    ],
    ['a flag that is a text', config({ dry_run: 'yes' }), 422, 'invalid_field', ['config.dry_run']],
    ['a file of a platform', config({ file_id: UNKNOWN_ID }), 422, 'invalid_field', ['config.file_id']],
    ['no file', { platform: 'file' }, 400, 'validation_error', ['config.file_id']],
    [
      'a file that there is not',
      { platform: 'file', config: { file_id: UNKNOWN_ID } },
      404,
      'file_not_found',
      [],
    ],
    ['a file by no id', { platform: 'file', config: { file_id: "x' OR 1=1\0" } }, 404, 'file_not_found', []],
  ])('%s is refused', async (_name, body, status, code, fields) => {
    const answer = await fixture.call('POST', '', body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect((answer.body.errors ?? []).map(({ field }: { field: string }) => field)).toEqual(fields);
    expect(JSON.stringify(answer.body)).not.toContain(KEY);
  });

  test('the greatest that is taken', async () => {
    const tags = many(100, (n) => `${n}`.padStart(255, 't'));
    const field_mapping = Object.fromEntries(
      many(1_000, (n) => [`${n}`.padStart(255, 'n'), 'locale']) as [string, string][],
    );
    const { config: stored } = await fixture.start({ ...KLAVIYO, config: { tags, field_mapping } });
    expect(stored).toMatchObject({ tags, field_mapping });
  });

  test('files are of an environment', async () => {
    const fileId = await fixture.upload(CSV, 'test');
    const { body } = await fixture.call('POST', '', { platform: 'file', config: { file_id: fileId } });
    expect(body.code).toBe('file_not_found');
  });

  test('so many wait at a time, and no more', async () => {
    const busy = await Fixture.open();
    const answers = await Promise.all(
      many(MAX_ACTIVE_JOBS + 3, () => busy.call('POST', '', KLAVIYO)) as Promise<Answer>[],
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...many(MAX_ACTIVE_JOBS, () => 201), 429, 429, 429]);
    const refusal = await busy.call('POST', '', KLAVIYO);
    expect([refusal.body.code, refusal.headers.get('retry-after')]).toEqual(['rate_limit_exceeded', '60']);
    const { body } = await busy.call('GET', '?limit=1');
    await busy.call('POST', `/${body.migrations[0].id}/cancel`);
    expect((await busy.call('POST', '', KLAVIYO)).status).toBe(201);
  });
});

describe('reading', () => {
  test('lists are newest first, in pages, and of the environment', async () => {
    const fixture = await Fixture.open();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift((await fixture.start()).id as string);
    const idsOf = ({ body }: Answer): string[] => body.migrations.map(({ id }: { id: string }) => id);
    const all = await fixture.call('GET', '');
    expect(idsOf(all)).toEqual(ids);
    expect(all.body).toMatchObject({ total: 5, limit: 50, offset: 0 });
    const page = await fixture.call('GET', '?limit=2&offset=1');
    expect([idsOf(page), page.body.total, page.body.limit, page.body.offset]).toEqual([
      ids.slice(1, 3),
      5,
      2,
      1,
    ]);
    expect((await fixture.call('GET', '', undefined, 'test')).body).toMatchObject({
      migrations: [],
      total: 0,
    });
    expect((await fixture.call('GET', `/${ids[0]}`, undefined, 'test')).body.code).toBe(
      'migration_not_found',
    );
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'offset=-1', 'page=2'])
      expect((await fixture.call('GET', `?${query}`)).status).toBe(422);
    const other = await Fixture.open();
    expect((await other.call('GET', `/${ids[0]}`)).body.code).toBe('migration_not_found');
  });

  test.each([UNKNOWN_ID, 'none', '..%2F..'])('there is none of the id %s', async (id) => {
    const fixture = await Fixture.open();
    const asked: Answer[] = [
      await fixture.call('GET', `/${id}`),
      await fixture.call('GET', `/${id}/errors`),
      await fixture.call('POST', `/${id}/cancel`),
      await fixture.call('POST', `/${id}/resume`),
    ];
    expect(asked.map(({ status, body }) => [status, body.code])).toEqual(
      asked.map(() => [404, 'migration_not_found']),
    );
  });

  test('how far a job is', async () => {
    const fixture = await Fixture.open();
    const { id } = await fixture.start();
    await fixture.put(
      id as string,
      `status = 'running', imported = 20000, failed = 3, total = 30000, percent_complete = 66.67666, worked_ms = 4000,
       created_contacts = 19000, updated_contacts = 1000, unsubscribed = 70, suppressed = 9, mistyped = 4, started_at = now()`,
    );
    expect((await fixture.call('GET', `/${id}`)).body).toMatchObject({
      status: 'running',
      progress: { imported: 20_000, failed: 3, total: 30_000, percent_complete: 66.67 },
      ...{
        created_contacts: 19_000,
        updated_contacts: 1_000,
        unsubscribed: 70,
        started_at: MOMENT,
        mistyped_values: 4,
      },
    });
    const { migration } = await fixture.graphql(`{ migration(id: "${id}") { suppressed mistyped progress {
      imported total percentComplete recordsPerSecond secondsLeft } } }`);
    expect(migration).toEqual({
      suppressed: 9,
      mistyped: 4,
      progress: {
        ...{ imported: 20_000, total: 30_000, percentComplete: expect.closeTo(66.676, 2) },
        ...{ recordsPerSecond: 5_000.8, secondsLeft: 2 },
      },
    });
  });
});

describe('errors', () => {
  let fixture: Fixture;
  let id: string;
  beforeAll(async () => {
    fixture = await Fixture.open();
    id = (await fixture.start()).id as string;
    await admin.query(
      `INSERT INTO import_errors (workspace_id, environment, job_id, number, "row", external_id, code, detail)
       SELECT $1, 'live', $2, n, 2 * n, CASE WHEN n = 1 THEN '=1+1' WHEN n = 2 THEN NULL ELSE 'u' || n END, 'invalid_email',
         'email: "' || n || '", no address' FROM generate_series(1, 250) n`,
      [fixture.workspace.id, id],
    );
  });

  test('in JSON, a page at a time', async () => {
    const { body } = await fixture.call('GET', `/${id}/errors`);
    expect(body).toMatchObject({ total: 250, limit: 100, offset: 0 });
    expect(body.errors).toHaveLength(100);
    expect(body.errors[0]).toEqual({
      ...{ row: 2, external_id: '=1+1', code: 'invalid_email', detail: 'email: "1", no address' },
    });
    const page = await fixture.call('GET', `/${id}/errors?limit=2&offset=248&format=json`);
    expect(page.body.errors.map(({ row }: { row: number }) => row)).toEqual([498, 500]);
  });

  test('in CSV, all of them, as texts to a spreadsheet', async () => {
    const { status, body, headers } = await fixture.call('GET', `/${id}/errors?format=csv`);
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      ...[200, 'text/csv; charset=utf-8', 'attachment; filename="migration-errors.csv"'],
    ]);
    const lines = (body as string).split('\r\n');
    expect(lines).toHaveLength(252);
    expect(lines.slice(0, 3)).toEqual([
      'row,external_id,code,detail',
      `2,'=1+1,invalid_email,"email: ""1"", no address"`,
      `4,,invalid_email,"email: ""2"", no address"`,
    ]);
    const page = await fixture.call('GET', `/${id}/errors?format=csv&limit=1&offset=249`);
    expect((page.body as string).split('\r\n')[1]).toMatch(/^500,u250,/);
  });

  test.each(['format=xml', 'limit=0', 'limit=10001', 'offset=-1', 'after=x'])(
    '%s is refused',
    async (query) => {
      expect((await fixture.call('GET', `/${id}/errors?${query}`)).body.code).toBe('invalid_field');
    },
  );

  test('through GraphQL, by place', async () => {
    const query = `query ($after: String) { migrationErrors(migrationId: "${id}", first: 100, after: $after) {
      totalCount edges { node { row externalId code detail } } pageInfo { hasNextPage endCursor } } }`;
    const rows: number[] = [];
    for (let after: string | null = null, more = true; more;) {
      const { migrationErrors }: any = await fixture.graphql(query, { after });
      expect(migrationErrors.totalCount).toBe(250);
      rows.push(...migrationErrors.edges.map(({ node }: any) => node.row as number));
      after = migrationErrors.pageInfo.endCursor as string;
      more = migrationErrors.pageInfo.hasNextPage as boolean;
    }
    expect(rows).toEqual(Array.from({ length: 250 }, (_, n) => 2 * (n + 1)));
    expect(await fixture.refused(query, { after: 'none' })).toMatchObject({ code: 'invalid_field' });
  });

  test('what a dry run would do with each record, by place', async () => {
    await admin.query(
      `INSERT INTO import_rows (workspace_id, environment, job_id, number, "row", external_id, outcome, updated_fields, opts_out, code)
       VALUES ($1, 'live', $2, 1, 1, 'u1', 'updated', 'firstName,tags', true, NULL), ($1, 'live', $2, 2, 2, NULL, 'failed', '', false, 'invalid_row')`,
      [fixture.workspace.id, id],
    );
    const query = `query ($after: String) { migrationRows(migrationId: "${id}", first: 1, after: $after) { totalCount
      edges { node { row externalId outcome updatedFields optsOut code } } pageInfo { hasNextPage endCursor } } }`;
    const { migrationRows: first }: any = await fixture.graphql(query);
    expect(first).toMatchObject({ totalCount: 2, pageInfo: { hasNextPage: true } });
    const { migrationRows: second }: any = await fixture.graphql(query, { after: first.pageInfo.endCursor });
    expect([...first.edges, ...second.edges].map(({ node }: any) => node)).toEqual([
      {
        ...{ row: 1, externalId: 'u1', outcome: 'updated', updatedFields: ['firstName', 'tags'] },
        ...{ optsOut: true, code: null },
      },
      {
        ...{ row: 2, externalId: null, outcome: 'failed', updatedFields: [] },
        ...{ optsOut: false, code: 'invalid_row' },
      },
    ]);
    expect(second.pageInfo.hasNextPage).toBe(false);
    expect(await fixture.refused(query, { after: 'none' })).toMatchObject({ code: 'invalid_field' });
  });

  test('what else the platform has, by name', async () => {
    await admin.query(
      `INSERT INTO import_findings (workspace_id, environment, job_id, number, kind, name, detail)
       VALUES ($1, 'live', $2, 2, 'template', 'Welcome', NULL), ($1, 'live', $2, 1, 'list', 'All', '7 members')`,
      [fixture.workspace.id, id],
    );
    const { migrationFindings } = await fixture.graphql(
      `{ migrationFindings(id: "${id}") { kind name detail } }`,
    );
    expect(migrationFindings).toEqual([
      { kind: 'list', name: 'All', detail: '7 members' },
      { kind: 'template', name: 'Welcome', detail: null },
    ]);
  });
});

describe('a mapping of columns that the file has not', () => {
  const ask = async (fixture: Fixture, text: string): Promise<Answer> =>
    fixture.call('POST', '', {
      platform: 'file',
      config: {
        file_id: await fixture.upload(text),
        field_mapping: { email: 'email', 'No_pe.x': 'first_name', nick: 'last_name' },
      },
    });

  test('is refused for CSV, naming each', async () => {
    const fixture = await Fixture.open();
    const { status, body } = await ask(fixture, 'external_id,email,nick\nu1,ada@example.com,Ada\n');
    expect([status, body]).toMatchObject([
      422,
      {
        ...{ code: 'invalid_field', detail: 'config.field_mapping.No_pe.x: is not a column of the file' },
        errors: [{ field: 'config.field_mapping.No_pe.x', message: 'is not a column of the file' }],
      },
    ]);
    const input = {
      platform: 'file',
      config: { fileId: await fixture.upload(), fieldMapping: { no_pe: 'email' } },
    };
    const start = 'mutation ($input: StartMigrationInput!) { startMigration(input: $input) { id } }';
    expect(await fixture.refused(start, { input })).toMatchObject({
      errors: [{ field: 'config.fieldMapping.no_pe' }],
    });
  });

  test('is taken for JSON, whose later records may have more', async () => {
    const { status } = await ask(await Fixture.open(), '{"external_id":"u1","email":"ada@example.com"}\n');
    expect(status).toBe(201);
  });
});

test('of many jobs with few errors all give way at once to what came later', async () => {
  const fixture = await Fixture.open();
  for (let n = 0; n < 6; n++) {
    const id = (await fixture.start()).id as string;
    await fixture.put(id, `errors_kept = ${n < 5 ? 1 : MAX_STORED_RESULTS}`);
    await fixture.fail(id);
  }
  await fixture.start();
  const { rows } = await admin.query<{ kept: number }>(
    'SELECT errors_kept AS kept FROM import_jobs WHERE workspace_id = $1 AND due_at IS NULL ORDER BY created_at, id',
    [fixture.workspace.id],
  );
  expect(rows.map(({ kept }) => kept)).toEqual([0, 0, 0, 0, 0, MAX_STORED_RESULTS]);
});

test('errors and rows of the oldest jobs give way to those of later ones', async () => {
  const fixture = await Fixture.open();
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) {
    const id = (await fixture.start()).id as string;
    ids.push(id);
    const kept = MAX_STORED_RESULTS / 2;
    await fixture.put(id, n % 2 ? `errors_kept = ${kept}` : `rows_kept = ${kept}`);
    await fixture.fail(id);
    await admin.query(
      `INSERT INTO import_errors (workspace_id, environment, job_id, number, "row", external_id, code, detail)
       VALUES ($1, 'live', $2, 1, 1, 'u1', 'invalid_email', 'None.')`,
      [fixture.workspace.id, id],
    );
    await admin.query(
      `INSERT INTO import_rows (workspace_id, environment, job_id, number, "row", outcome, updated_fields, opts_out)
       VALUES ($1, 'live', $2, 1, 1, 'created', '', false)`,
      [fixture.workspace.id, id],
    );
  }
  const totals = (): Promise<number[]> =>
    Promise.all(ids.map(async (id) => (await fixture.call('GET', `/${id}/errors`)).body.total as number));
  expect(await totals()).toEqual([0, 1, 1, 1]);
  await fixture.start();
  expect(await totals()).toEqual([0, 0, 1, 1]);
  const { rows: left } = await admin.query(
    `SELECT errors_kept + rows_kept AS kept, (SELECT count(*)::int FROM import_rows r WHERE r.job_id = j.id) AS rows
     FROM import_jobs j WHERE workspace_id = $1 AND due_at IS NULL ORDER BY created_at, id`,
    [fixture.workspace.id],
  );
  const [nothing, all] = [
    { kept: 0, rows: 0 },
    { kept: MAX_STORED_RESULTS / 2, rows: 1 },
  ];
  expect(left).toEqual([nothing, nothing, all, all]);
});

describe('stopping and going on', () => {
  test.each(['queued', 'running'])(
    'a job that is %s is cancelled, and its credentials are gone',
    async (status) => {
      const fixture = await Fixture.open();
      const { id } = await fixture.start();
      await fixture.put(id as string, `status = '${status}', imported = 7`);
      const answer = await fixture.call('POST', `/${id}/cancel`);
      expect(answer).toMatchObject({
        status: 200,
        body: { status: 'cancelled', can_resume: false, completed_at: MOMENT, progress: { imported: 7 } },
      });
      expect(await fixture.row(id as string)).toMatchObject({
        credentials: null,
        due_at: null,
        worker: null,
      });
      const again = await fixture.call('POST', `/${id}/cancel`);
      expect([again.status, again.body.code, again.body.migration_status]).toEqual([
        400,
        'invalid_status',
        'cancelled',
      ]);
    },
  );

  test('the next one need not wait for the one that was cancelled', async () => {
    const fixture = await Fixture.open();
    const [first, next] = [(await fixture.start()).id as string, (await fixture.start()).id as string];
    await fixture.put(next, `due_at = '${new Date(app.clock.now().getTime() + 3_600_000).toISOString()}'`);
    await fixture.call('POST', `/${first}/cancel`);
    expect((await fixture.row(next)).due_at).toEqual(app.clock.now());
  });

  test.each(['completed', 'failed', 'cancelled'])('one that is %s is not cancelled', async (status) => {
    const fixture = await Fixture.open();
    const { id } = await fixture.start();
    await fixture.put(id as string, `status = '${status}', due_at = NULL`);
    expect((await fixture.call('POST', `/${id}/cancel`)).body.code).toBe('invalid_status');
  });

  test.each(['queued', 'running', 'completed', 'cancelled'])(
    'one that is %s is not resumed',
    async (status) => {
      const fixture = await Fixture.open();
      const { id } = await fixture.start();
      await fixture.put(id as string, `status = '${status}'`);
      const answer = await fixture.call('POST', `/${id}/resume`, { credentials: { api_key: KEY } });
      expect([answer.status, answer.body.code, answer.body.migration_status]).toEqual([
        400,
        'invalid_status',
        status,
      ]);
    },
  );

  test('a failed one goes on from where it was, with credentials anew', async () => {
    const fixture = await Fixture.open();
    const { id } = await fixture.start();
    await fixture.fail(id as string);
    expect((await fixture.call('GET', `/${id}`)).body).toMatchObject({
      ...{ status: 'failed', can_resume: true },
      error: { code: 'platform_unavailable', detail: 'No answer.' },
    });
    for (const body of [undefined, {}, { credentials: null }, { credentials: {} }]) {
      const { status, body: refusal } = await fixture.call('POST', `/${id}/resume`, body);
      expect([status, refusal.code]).toEqual([400, 'validation_error']);
    }
    const wrong = await fixture.call('POST', `/${id}/resume`, { credentials: { api_key: 'k k' } });
    expect([wrong.status, wrong.body.code]).toEqual([422, 'invalid_field']);
    const answer = await fixture.call('POST', `/${id}/resume`, { credentials: { api_key: KEY } });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        ...{ status: 'queued', can_resume: false, error: null, completed_at: null },
        progress: { imported: 40, failed: 2, total: 100, percent_complete: 42 },
      },
    });
    const row = await fixture.row(id as string);
    expect(row).toMatchObject({ cursor: { page: 3 }, attempts: 0, due_at: app.clock.now() });
    expect(row.credentials).toMatch(/^1\./);
  });

  test('a failed one of a file needs its file alone', async () => {
    const fixture = await Fixture.open();
    const fileId = await fixture.upload();
    const { id } = await fixture.start({ platform: 'file', config: { file_id: fileId } });
    await fixture.fail(id as string);
    expect((await fixture.call('POST', `/${id}/resume`)).body).toMatchObject({ status: 'queued' });
    await fixture.fail(id as string);
    await admin.query('DELETE FROM import_files WHERE id = $1', [fileId]);
    expect((await fixture.call('POST', `/${id}/resume`)).body.code).toBe('file_not_found');
  });

  test('of many who resume or cancel at once, one does', async () => {
    const fixture = await Fixture.open();
    const { id } = await fixture.start();
    await fixture.fail(id as string);
    const ask = (path: string): Promise<number> =>
      fixture
        .call('POST', `/${id}/${path}`, path === 'resume' ? { credentials: { api_key: KEY } } : {})
        .then(({ status }) => status);
    const resumed = await Promise.all(Array.from({ length: 5 }, () => ask('resume')));
    expect(resumed.sort()).toEqual([200, 400, 400, 400, 400]);
    const cancelled = await Promise.all(Array.from({ length: 5 }, () => ask('cancel')));
    expect(cancelled.sort()).toEqual([200, 400, 400, 400, 400]);
  });

  test('what was done is in the log of changes, without credentials', async () => {
    const fixture = await Fixture.open();
    const { id } = await fixture.start({ ...KLAVIYO, config: { tags: ['moved'] } });
    await fixture.fail(id as string);
    await fixture.call('POST', `/${id}/resume`, { credentials: { api_key: KEY } });
    await fixture.call('POST', `/${id}/cancel`);
    const { auditLog } = await fixture.graphql(
      `{ auditLog(first: 10, subjectId: "${id}") { edges { node { action before after } } } }`,
    );
    const after = { platform: 'klaviyo', environment: 'live', tags: ['moved'], fileId: null, dryRun: false };
    expect(auditLog.edges.map(({ node }: any) => node)).toEqual([
      { action: 'migration_cancelled', before: { status: 'queued' }, after },
      { action: 'migration_resumed', before: { status: 'failed' }, after },
      { action: 'migration_started', before: null, after },
    ]);
  });
});

describe('through GraphQL', () => {
  const JOB =
    'id platform status canResume dryRun config { tags fieldMapping fieldTypes fileId dryRun } error { code detail }';

  test('the whole life of a job', async () => {
    const fixture = await Fixture.open();
    const input = {
      platform: 'mailchimp',
      credentials: { apiKey: '0123456789abcdef0123456789abcdef-us21', extra: { list_id: 'a1b2' } },
      config: {
        tags: ['moved'],
        fieldMapping: { MMERGE7: 'product_type' },
        fieldTypes: { AGE: 'number' },
        dryRun: true,
      },
    };
    const { startMigration } = await fixture.graphql(
      `mutation ($input: StartMigrationInput!) { startMigration(input: $input) { ${JOB} } }`,
      { input },
    );
    expect(startMigration).toEqual({
      ...{ id: UUID, platform: 'mailchimp', status: 'queued', canResume: false, dryRun: true, error: null },
      config: {
        tags: ['moved'],
        fieldMapping: { MMERGE7: 'product_type' },
        fieldTypes: { AGE: 'number' },
        fileId: null,
        dryRun: true,
      },
    });
    const { id } = startMigration;
    const { cancelMigration } = await fixture.graphql(`mutation { cancelMigration(id: "${id}") { ${JOB} } }`);
    expect(cancelMigration.status).toBe('cancelled');
    await fixture.fail(id as string);
    const resume = `mutation ($input: ResumeMigrationInput) { resumeMigration(id: "${id}", input: $input) { ${JOB} } }`;
    const { body } = await fixture.workspace.graphql(`mutation { resumeMigration(id: "${id}") { id } }`);
    expect(body.errors[0]).toMatchObject({
      message: 'credentials.apiKey: is required',
      extensions: { code: 'validation_error', status: 400, errors: [{ field: 'credentials.apiKey' }] },
    });
    const { resumeMigration } = await fixture.graphql(resume, { input: { credentials: input.credentials } });
    expect(resumeMigration.status).toBe('queued');
    expect(await fixture.refused(resume, { input: {} })).toMatchObject({
      ...{ code: 'invalid_status', status: 400, migrationStatus: 'queued' },
    });
    const { migrations } = await fixture.graphql(`{ migrations(first: 1) { edges { node { ${JOB} } } } }`);
    expect(migrations.edges).toEqual([{ node: resumeMigration }]);
  });

  test('pages by place, of whatever there is', async () => {
    const fixture = await Fixture.open();
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.unshift((await fixture.start()).id as string);
    const query = `query ($after: String) { migrations(first: 2, after: $after) {
      edges { node { id } } pageInfo { hasNextPage endCursor } } }`;
    const { migrations: first } = await fixture.graphql(query);
    await fixture.start();
    const { migrations: second } = await fixture.graphql(query, { after: first.pageInfo.endCursor });
    const found = [...first.edges, ...second.edges].map(({ node }: any) => node.id as string);
    expect([found, second.pageInfo.hasNextPage]).toEqual([ids, false]);
  });

  test('what was found out of a file', async () => {
    const fixture = await Fixture.open();
    const fileId = await fixture.upload();
    const { migrationFile } = await fixture.graphql(
      `{ migrationFile(id: "${fileId}") { id name format encoding size columns sample suggestedMapping suggestedTypes expiresAt } }`,
    );
    expect(migrationFile).toEqual({
      ...{
        id: fileId,
        name: 'people.csv',
        format: 'csv',
        encoding: 'utf-8',
        size: CSV.length,
        expiresAt: MOMENT,
      },
      ...{ columns: ['external_id', 'email'], sample: [{ external_id: 'u1', email: 'ada@example.com' }] },
      suggestedMapping: { external_id: 'external_id', email: 'email' },
      suggestedTypes: {},
    });
    expect(await fixture.refused(`{ migrationFile(id: "none") { id } }`)).toMatchObject({
      code: 'file_not_found',
    });
  });
});
