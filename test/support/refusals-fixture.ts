/** The fixture of the table of refusals: workspaces in every state that leads to one, and callers for each. */
import pg from 'pg';
import { seedFile } from '../../src/processes/cli/seed.js';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from './app.js';
import { LEAST_FLOW } from './flows-fixture.js';

const EMAIL_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const VIEWER = 'viewer@example.com';

export const TEAM = '/v1/workspace/members';

type Headers = Record<string, string>;

export class RefusalsFixture {
  private serial = 0;

  private constructor(
    readonly app: TestApp,
    /** A connection that bypasses row-level security. */
    readonly admin: pg.Client,
    /** On the plan Enterprise, with its owner and a contact. */
    readonly acme: TestWorkspace,
    readonly other: TestWorkspace,
    /** On the plan Free. */
    readonly small: TestWorkspace,
    readonly suspended: TestWorkspace,
    /** A workspace with a viewer: its id, and its keys by name. */
    private readonly keyed: { readonly id: string; readonly keys: ReadonlyMap<string, string> },
  ) {}

  static async open(): Promise<RefusalsFixture> {
    const app = await bootApp({ env: { EMAIL_WEBHOOK_SECRET: EMAIL_SECRET } });
    const admin = new pg.Client({ connectionString: app.adminUrl });
    await admin.connect();
    const acme = await app.workspace({ contacts: [{ external_id: 'ada', email: 'ada@example.com' }] });
    const [other, small, suspended] = [
      await app.workspace(),
      await app.workspace({ plan: 'free' }),
      await app.workspace(),
    ];
    await admin.query(`UPDATE workspaces SET status = 'suspended' WHERE id = $1`, [suspended.id]);
    return new RefusalsFixture(app, admin, acme, other, small, suspended, await keyedWorkspace(app));
  }

  async close(): Promise<void> {
    await this.admin.end();
    await this.app.close();
  }

  request(method: string, path: string, headers: Headers, body?: unknown): Promise<Answer> {
    return this.app.request(method, path, body, headers);
  }

  /** @param name data, reporting, or slow: one request a minute. */
  withKey(name: string): Headers {
    return { 'x-workspace-id': this.keyed.id, 'x-api-key': this.keyed.keys.get(name) ?? '' };
  }

  async asViewer(): Promise<Headers> {
    return { authorization: `Bearer ${await this.app.token(VIEWER)}` };
  }

  asOwner(of = this.acme): Headers {
    return { authorization: `Bearer ${of.ownerToken}`, 'x-workspace-id': of.id };
  }

  byOwner(method: string, path: string, body?: unknown, of = this.acme): Promise<Answer> {
    return this.request(method, path, this.asOwner(of), body);
  }

  graphql(query: string, headers: Headers = this.asOwner()): Promise<Answer> {
    return this.request('POST', '/graphql', headers, { query });
  }

  newFlow(more: object = {}): Promise<any> {
    return this.made('/v1/flows', { ...LEAST_FLOW, ...more });
  }

  /** Creates a template and returns its slug. */
  async newTemplate(bodyHtml = '<p>Hello</p>'): Promise<string> {
    const slug = `t${++this.serial}`;
    await this.made('/v1/templates', { name: slug, slug, subject: 'S', body_html: bodyHtml });
    return slug;
  }

  /** Invites a member who has not accepted yet. */
  async invited(): Promise<any> {
    const email = `person${++this.serial}@example.com`;
    const { status, body } = await this.byOwner('POST', `${TEAM}/invite`, { email, role: 'viewer' });
    expect(status).toBe(201);
    return body;
  }

  /** The answer when the reader role waits for a locked table and its statement timeout is 20 ms. */
  async outOfTime(ask: () => Promise<Answer>): Promise<Answer> {
    const { rows } = await this.admin.query<{ name: string }>('SELECT current_database() AS name');
    const reader = `ALTER ROLE waypost_reader IN DATABASE "${rows[0]?.name}"`;
    await this.admin.query(`${reader} SET statement_timeout = '20ms'`);
    await this.endReaders();
    await this.admin.query('BEGIN; LOCK TABLE contacts IN ACCESS EXCLUSIVE MODE');
    try {
      return await ask();
    } finally {
      await this.admin.query('ROLLBACK');
      await this.admin.query(`${reader} RESET statement_timeout`);
      await this.endReaders();
    }
  }

  /** A connection keeps the timeout from when it was opened. */
  private async endReaders(): Promise<void> {
    await this.admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE usename = 'waypost_reader' AND datname = current_database()`);
  }

  private async made(path: string, body: object): Promise<any> {
    const answer = await this.acme.call('POST', path, body);
    expect(answer.status).toBe(201);
    return answer.body;
  }
}

/** Keys have the names of their scopes; slow has the full scope and one request a minute. */
async function keyedWorkspace(
  app: TestApp,
): Promise<{ readonly id: string; readonly keys: ReadonlyMap<string, string> }> {
  const wanted = [
    { name: 'data', scope: 'data' },
    { name: 'reporting', scope: 'reporting' },
    { name: 'slow', scope: 'full', rate_limit_per_minute: 1 },
  ];
  const { workspaces } = await seedFile(
    {
      workspaces: [
        {
          ...{ name: 'Keys', plan: 'enterprise' },
          members: [{ email: VIEWER, role: 'viewer' }],
          api_keys: wanted,
        },
      ],
    },
    app.app,
  );
  const [seeded] = workspaces;
  return {
    id: seeded?.id ?? '',
    keys: new Map(wanted.map(({ name }, n) => [name, seeded?.api_keys?.[n]?.key ?? ''])),
  };
}
