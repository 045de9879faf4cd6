/**
 * Workspaces for the access tests. Each has a member of every role, a key of every scope, and one object of every kind,
 * in both environments if the environments keep them apart. The texts of each object name its owner, so that a test
 * finds them in any answer that leaks them.
 */
import pg from 'pg';
import { KEY_SCOPES, ROLES, type KeyScope, type Role } from '../../src/kernel/principal.js';
import { ENVIRONMENTS, type Environment } from '../../src/kernel/tenant-scope.js';
import { seedFile } from '../../src/processes/cli/seed.js';
import { bootApp, type TestApp } from './app.js';
import { HOUR } from './clock.js';
import { rowOf } from './rows.js';
import { until } from './until.js';

/**
 * The kinds of object that an id or a name can refer to, with the table that stores them. `apart` means that each
 * environment has its own (sections 2.11 and 2.12: contacts, what is sent to them, and what they do); `same` means that
 * both environments share them.
 */
export const KINDS = {
  contact: ['contacts', 'apart'],
  external: ['contacts', 'apart'],
  emailLog: ['email_logs', 'apart'],
  sendKey: ['send_keys', 'apart'],
  eventKey: ['idempotency_keys', 'apart'],
  batchKey: ['idempotency_keys', 'apart'],
  eventName: ['latest_events', 'apart'],
  trip: ['trips', 'apart'],
  suppression: ['suppressions', 'apart'],
  setAside: ['set_aside_work', 'apart'],
  campaign: ['campaigns', 'apart'],
  instance: ['campaign_instances', 'apart'],
  importFile: ['import_files', 'apart'],
  migration: ['import_jobs', 'apart'],
  // A key opens one environment, but the list of keys belongs to the workspace.
  apiKey: ['api_keys', 'same'],
  flow: ['flows', 'same'],
  goal: ['flow_goals', 'same'],
  segment: ['segments', 'same'],
  slug: ['templates', 'same'],
  template: ['templates', 'same'],
  topic: ['topics', 'same'],
  report: ['reports', 'same'],
  inspection: ['inspect_jobs', 'same'],
  finding: ['inspect_findings', 'same'],
  domain: ['sending_domains', 'same'],
  member: ['members', 'same'],
  invited: ['members', 'same'],
  subscription: ['subscriptions', 'same'],
  // An invitation of the owner of this workspace to another workspace.
  invitation: ['members', 'same'],
} as const satisfies Readonly<Record<string, readonly [table: string, environments: 'apart' | 'same']>>;
export type Kind = keyof typeof KINDS;
export type Things = Readonly<Record<Kind, string>>;

export type Headers = Readonly<Record<string, string>>;

export interface House {
  readonly name: string;
  readonly id: string;
  readonly tokens: Readonly<Record<Role, string>>;
  /** Keys of the live environment. */
  readonly keys: Readonly<Record<KeyScope, string>>;
  /** A key with the full scope. */
  readonly testKey: string;
}
export interface FurnishedHouse extends House {
  readonly things: Readonly<Record<Environment, Things>>;
}

export const asRole = (role: Role, of: House, at = of): Headers => ({
  authorization: `Bearer ${of.tokens[role]}`,
  'x-workspace-id': at.id,
});
export const asKey = (scope: KeyScope, of: House, at = of): Headers => ({
  'x-api-key': of.keys[scope],
  'x-workspace-id': at.id,
});
export const asOwnerIn = (environment: Environment, of: House): Headers => ({
  ...asRole('owner', of),
  'x-environment': environment,
});
export const asFullKeyIn = (environment: Environment, of: House): Headers =>
  environment === 'live' ? asKey('full', of) : { ...asKey('full', of), 'x-api-key': of.testKey };

/** The marker in every text of a workspace's objects. Objects of one environment add the environment's name. */
export const canaryOf = (house: Pick<House, 'name'>, environment?: Environment): string =>
  environment === undefined ? `canary-${house.name}-` : `canary-${house.name}-${environment}`;

/**
 * The texts, ids and names that reveal a workspace's objects. For one environment, only those that the other
 * environment does not have as well.
 */
export function tracesOf(house: FurnishedHouse, environment?: Environment): string[] {
  const kinds = Object.keys(KINDS) as Kind[];
  const named = (of: Environment): string[] =>
    kinds.filter((kind) => !environment || KINDS[kind][1] === 'apart').map((kind) => house.things[of][kind]);
  const ids = environment ? named(environment) : ENVIRONMENTS.flatMap(named);
  return [canaryOf(house, environment), ...new Set(ids)];
}

/**
 * Boots the service without workers. It trusts the client addresses in requests, so each request can use another one.
 */
export const bootQuiet = (on?: TestApp): Promise<TestApp> =>
  bootApp({ queues: [], env: { TRUSTED_PROXIES: '127.0.0.1,::1' }, ...(on ? { on } : {}) });

/** As `bootQuiet`, one hour after workers helped to fill workspaces with these names. */
export async function bootFurnished<Name extends string>(
  ...names: readonly Name[]
): Promise<{
  readonly app: TestApp;
  readonly admin: pg.Client;
  readonly houses: Record<Name, FurnishedHouse>;
}> {
  const busy = await bootApp({ queues: ['events', 'trips', 'segments'] });
  const admin = await connect(busy);
  const houses = {} as Record<Name, FurnishedHouse>;
  for (const name of names) houses[name] = await furnish(busy, admin, name);
  await busy.end();
  const app = await bootQuiet(busy);
  app.clock.wind(HOUR);
  return { app, admin, houses };
}

export async function connect(app: TestApp): Promise<pg.Client> {
  const admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
  return admin;
}

/** Creates a workspace with its members, its keys, and everything that the seed file can hold. */
export async function build(app: TestApp, name: string): Promise<House> {
  const both = `canary-${name}-both`;
  const { workspaces } = await seedFile(
    {
      workspaces: [
        {
          ...{ name: both, plan: 'enterprise', account_email_verified: true, payment_customer_id: both },
          sender: { from_email: 'hello@acme.test', from_name: both },
          members: ROLES.map((role) => ({ email: `${role}@${both}.example.com`, role })),
          api_keys: [
            ...KEY_SCOPES.map((scope) => ({ name: `${scope} ${both}`, scope, environment: 'live' })),
            { name: `test ${both}`, scope: 'full', environment: 'test' },
          ],
          contacts: [
            {
              external_id: `${canaryOf({ name }, 'live')}-seeded`,
              email: `${canaryOf({ name }, 'live')}@example.com`,
            },
          ],
          segments: [
            { name: both, match: 'all', conditions: [{ field: 'external_id', operator: 'exists' }] },
          ],
          templates: [
            {
              ...{ name: both, slug: `${both}-welcome`, subject: both, body_html: `<p>${both}</p>` },
              body_ast: { schema_version: 1, renderer: both },
            },
          ],
        },
      ],
    },
    app.app,
  );
  const [workspace] = workspaces;
  const keys = (workspace?.api_keys ?? []).map(({ key }) => key);
  const testKey = keys.at(-1);
  if (!workspace || testKey === undefined) throw new Error('Nothing was seeded.');
  const tokens = await Promise.all(
    ROLES.map(async (role) => [role, await app.token(`${role}@${both}.example.com`)] as const),
  );
  const house: House = {
    ...{ name, id: workspace.id, testKey },
    tokens: Object.fromEntries(tokens) as House['tokens'],
    keys: Object.fromEntries(KEY_SCOPES.map((scope, n) => [scope, keys[n]])) as House['keys'],
  };
  // A member's first request links the member to a user for good.
  for (const role of ROLES) await app.request('GET', '/v1/flows', undefined, asRole(role, house));
  return house;
}

/** Creates a workspace with an object of every kind. */
async function furnish(app: TestApp, admin: pg.Client, name: string): Promise<FurnishedHouse> {
  const house = await build(app, name);
  const both = `canary-${name}-both`;
  const rest = async (path: string, body: unknown, environment: Environment = 'live'): Promise<any> => {
    const answer = await app.request('POST', path, body, asOwnerIn(environment, house));
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const graphql = async (query: string, environment: Environment = 'live'): Promise<any> => {
    const { data, errors } = await rest('/graphql', { query }, environment);
    if (errors) throw new Error(`${query}: ${JSON.stringify(errors)}`);
    return Object.values(data as Record<string, any>)[0];
  };
  const queryRow = async (text: string, values: readonly unknown[]): Promise<any> => {
    const { rows } = await admin.query<Record<string, unknown>>(text, [...values]);
    if (!rows[0]) throw new Error(`Nothing was found by ${text}`);
    return rows[0];
  };

  const slug = `${both}-welcome`;
  const flow = await rest('/v1/flows', {
    ...{ name: both, trigger_event: 'signed_up', content_type: 'transactional', tags: [both] },
    steps: [
      { type: 'send_email', template_slug: slug, subject: both },
      { type: 'wait', duration: '300d' },
    ],
  });
  const goal = await rest(`/v1/flows/${flow.id}/goals`, { name: both, event_name: 'order_placed' });
  await rest(`/v1/flows/${flow.id}/activate`, undefined);
  const topic = `${both}-news`;
  await graphql(`mutation { createTopic(input: { key: "${topic}", name: "${both}" }) { key } }`);
  const domain = await graphql(`mutation { addSendingDomain(domain: "${both}.example.com") { id } }`);
  const invited = await rest('/v1/workspace/members/invite', {
    ...{ email: `invited@${both}.example.com`, role: 'viewer', name: both },
  });
  const host = await app.workspace();
  const { body: invitation } = await app.request(
    'POST',
    '/v1/workspace/members/invite',
    { email: `owner@${both}.example.com`, role: 'viewer', name: both },
    { authorization: `Bearer ${host.ownerToken}`, 'x-workspace-id': host.id },
  );
  // The list query creates the report templates; later list queries then change nothing. The report belongs to this
  // member.
  const analyst = asRole('viewer', house);
  await app.request('GET', '/v1/reports', undefined, analyst);
  const { body: report } = await app.request(
    'POST',
    '/v1/reports',
    {
      ...{ name: both, description: both, visibility: 'workspace' },
      config: { data_source: 'flow_trips', metrics: ['entered'], dimensions: ['flow'] },
    },
    analyst,
  );
  const { apiKey } = await graphql(
    `mutation { createApiKey(input: { name: "${both}", scope: data, environment: live }) { apiKey { id } } }`,
  );
  const inspection = await rest('/v1/inspect', { template_slug: slug, mode: 'quick' });
  const finding = await queryRow(
    `INSERT INTO inspect_findings (workspace_id, id, job_id, template_id, target, code, category, severity, place, message,
       snippet, clients)
     SELECT workspace_id, gen_random_uuid(), id, template_id, $2, 'LK001', 'links', 'critical', 100000, $2, $2, '[]'
     FROM inspect_jobs WHERE id = $1 RETURNING id`,
    [inspection.job_id, both],
  );
  const subscription = await queryRow(
    `INSERT INTO subscriptions (workspace_id, id, standing, standing_at, plan, customer_id)
     VALUES ($1, $2, 'active', now(), 'starter', $2) RETURNING id`,
    [house.id, `${both}-subscription`],
  );
  const id = async (table: string, where: string, value: string): Promise<string> =>
    (await queryRow(`SELECT id FROM ${table} WHERE workspace_id = $1 AND ${where} = $2`, [house.id, value]))
      .id;
  const same = {
    ...{ flow: flow.id, goal: goal.id, slug, topic, domain: domain.id },
    ...{ invited: invited.id, invitation: invitation.id, apiKey: apiKey.id, report: report.id },
    ...{ inspection: inspection.job_id, finding: finding.id, subscription: subscription.id },
    segment: await id('segments', 'name', both),
    template: await id('templates', 'slug', slug),
    member: await id('members', 'email', `viewer@${both}.example.com`),
  };

  const things: Partial<Record<Environment, Things>> = {};
  for (const environment of ENVIRONMENTS) {
    const own = canaryOf(house, environment);
    const external = `${own}-1`;
    const eventName = `seen_by_${name}_${environment}`;
    const keys = {
      sendKey: `${external}-send`,
      eventKey: `${external}-event`,
      batchKey: `${external}-batch`,
    };
    const to = { external_id: external, email: `${own}@example.com`, first_name: own };
    const sent = await rest(
      '/v1/send',
      { template_slug: slug, to, subject: own, idempotency_key: keys.sendKey },
      environment,
    );
    const event = { external_id: external, event_name: 'signed_up', attributes: { plan: own } };
    await rest('/v1/events', { ...event, idempotency_key: keys.eventKey }, environment);
    await rest(
      '/v1/events',
      { ...event, event_name: eventName, idempotency_key: keys.batchKey },
      environment,
    );
    const email = `suppressed.${own}@example.com`;
    const suppression = await graphql(
      `mutation { addSuppression(input: { email: "${email}", note: "${own}" }) { id } }`,
      environment,
    );
    const contact = await id('contacts', 'external_id', external);
    const emailLog = sent.email_log_id as string;
    await until('the contact is on its trip, and in the segment', async () => {
      const { rows } = await admin.query(
        `SELECT FROM trips JOIN segment_members USING (workspace_id, contact_id)
         WHERE workspace_id = $1 AND contact_id = $2 AND status IN ('awaiting_send', 'paused')`,
        [house.id, contact],
      );
      return rows.length > 0;
    });
    const trip = await id('trips', 'contact_id', contact);
    // Work cannot be made to fail permanently on demand, so the dead letter is inserted directly.
    const given = { workspace_id: house.id, environment, kind: 'send', subject_id: emailLog };
    const row = await rowOf(admin, 'set_aside_work', { ...given, code: 'kept_failing' });
    const work = await queryRow(
      `INSERT INTO set_aside_work SELECT (jsonb_populate_record(NULL::set_aside_work,
         $1::jsonb || jsonb_build_object('id', gen_random_uuid()))).* RETURNING id`,
      [JSON.stringify(row)],
    );
    const campaign = await rest(
      '/v1/campaigns',
      { name: own, subject: own, template_id: same.template, segment_id: same.segment },
      environment,
    );
    const past = await rowOf(admin, 'campaign_instances', {
      ...{ workspace_id: house.id, environment, campaign_id: campaign.id, number: 1, status: 'sent' },
      content: { segment_id: same.segment, variants: [], ab_test: null },
      timing: { max_per_hour: null, wall_clock: null, offset: 0 },
    });
    const instance = await queryRow(
      `INSERT INTO campaign_instances SELECT (jsonb_populate_record(NULL::campaign_instances, $1::jsonb || jsonb_build_object(
         'id', gen_random_uuid(), 'completed_at', now(), 'is_taken', true, 'audience', 0, 'skipped', 0, 'mailed', 0, 'rest', 0,
         'delayed_ms', 0, 'paced', 0))).* RETURNING id`,
      [JSON.stringify(past)],
    );
    const file = await queryRow(
      `INSERT INTO import_files (workspace_id, environment, id, name, is_ready, format, encoding, separator, columns, sample,
         suggested_mapping, created_by, created_at, expires_at)
       VALUES ($1, $2, gen_random_uuid(), $3, true, 'csv', 'utf-8', ',', '["email"]', '[]', '{}', $3, now(), now() + interval '7 days')
       RETURNING id`,
      [house.id, environment, own],
    );
    const migration = await rest(
      '/v1/migrations',
      { platform: 'file', config: { file_id: file.id, tags: [own] } },
      environment,
    );
    things[environment] = {
      ...{ importFile: file.id, migration: migration.id },
      ...{ ...same, ...keys, eventName, external, contact, emailLog, trip },
      ...{ suppression: suppression.id, setAside: work.id, campaign: campaign.id, instance: instance.id },
    };
  }
  return { ...house, things: things as FurnishedHouse['things'] };
}
