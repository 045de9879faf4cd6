/**
 * Every code of section 7.2 over the wire: a request that causes it, its status, the shape of its body (section 7), and
 * every member of that body. A code of the catalogue without a row here does not compile. Two need other test
 * environments: work_too_costly in `costly-templates`, auth_unavailable in test/identity/tokens.
 */
import type { ErrorCode, ErrorShape } from '../../src/kernel/error-catalogue.js';
import { LocalIssuer } from '../../src/modules/auth/application/local-issuer.js';
import type { Answer } from '../support/app.js';
import { UNKNOWN_ID } from '../support/flows-fixture.js';
import { RefusalsFixture, TEAM } from '../support/refusals-fixture.js';
import { until } from '../support/until.js';

const HOUR = 3_600_000;

let fixture: RefusalsFixture;

beforeAll(async () => {
  fixture = await RefusalsFixture.open();
});
afterAll(async () => fixture?.close());

async function twice(ask: () => Promise<Answer>): Promise<Answer> {
  await ask();
  return ask();
}

/** Creates a report of acme's and returns its id. */
async function newReport(): Promise<string> {
  const { body } = await fixture.acme.call('POST', '/v1/reports', { name: 'R' });
  return body.id as string;
}

interface Row {
  readonly status: number;
  readonly shape: ErrorShape;
  readonly ask: () => Promise<Answer>;
  /** Members in addition to those of the shape. */
  readonly fields?: object;
  /** No REST endpoint causes it: the members are in `extensions`. */
  readonly isGraphql?: boolean;
  /** Names of required headers. */
  readonly headers?: readonly string[];
}
const text = expect.any(String);
const wrong = (field: string): object => ({ errors: [{ field, message: text }] });

/** Codes of calls that are not implemented yet. */
type Coming = 'campaign_instance_not_found' | 'share_link_expired';

const ROWS: Readonly<Record<Exclude<ErrorCode, 'work_too_costly' | 'auth_unavailable' | Coming>, Row>> = {
  invalid_api_key: {
    ...{ status: 401, shape: 'plain' },
    ask: () =>
      fixture.request('GET', '/v1/contacts', {
        ...fixture.withKey('data'),
        'x-api-key': `psk_live_${'0'.repeat(32)}`,
      }),
  },
  missing_api_key: {
    ...{ status: 401, shape: 'plain' },
    ask: () => fixture.request('GET', '/v1/contacts', { 'x-workspace-id': fixture.acme.id }),
  },
  missing_workspace_id: {
    ...{ status: 401, shape: 'plain' },
    ask: () => fixture.request('GET', '/v1/contacts', { 'x-api-key': fixture.acme.key }),
  },
  missing_token: { status: 401, shape: 'plain', ask: () => fixture.request('GET', '/v1/flows', {}) },
  token_expired: {
    ...{ status: 401, shape: 'plain' },
    ask: async () => {
      const issuer = await LocalIssuer.open(fixture.app.environment.dataDir);
      const old = await issuer.issue({ email: 'viewer@example.com' }, 1, new Date(Date.now() - 2 * HOUR));
      return fixture.request('GET', '/v1/flows', { authorization: `Bearer ${old.token}` });
    },
  },
  invalid_token: {
    ...{ status: 401, shape: 'plain' },
    ask: async () => {
      const [head, claims] = (await fixture.app.token('viewer@example.com')).split('.');
      const forged = Buffer.alloc(64, 1).toString('base64url');
      return fixture.request('GET', '/v1/flows', { authorization: `Bearer ${head}.${claims}.${forged}` });
    },
  },
  invalid_signature: {
    ...{ status: 401, shape: 'plain' },
    ask: () => fixture.request('POST', '/v1/webhooks/email', {}, { type: 'email.sent' }),
  },
  missing_permission: {
    ...{ status: 403, shape: 'forbidden', fields: { required_permission: 'flows:read' } },
    ask: async () => fixture.request('GET', '/v1/flows', await fixture.asViewer()),
  },
  insufficient_scope: {
    ...{ status: 403, shape: 'forbidden' },
    fields: { required_scopes: ['management', 'full'], your_scopes: ['data'] },
    ask: () => fixture.request('GET', '/v1/flows', fixture.withKey('data')),
  },
  scope_forbidden: {
    ...{ status: 403, shape: 'forbidden', fields: { required_scope: 'data' } },
    ask: () => fixture.request('POST', '/v1/contacts', fixture.withKey('reporting'), { external_id: 'a' }),
  },
  insufficient_role: {
    ...{ status: 403, shape: 'forbidden', isGraphql: true },
    fields: { required_roles: ['owner', 'admin'], your_role: 'viewer' },
    ask: async () => fixture.graphql('mutation { goLive { live } }', await fixture.asViewer()),
  },
  control_plane_only: {
    ...{ status: 403, shape: 'forbidden', fields: { dashboard_url: expect.stringMatching(/^http:/) } },
    ask: () => fixture.acme.call('GET', TEAM),
  },
  workspace_mismatch: {
    ...{ status: 403, shape: 'plain' },
    ask: () => fixture.acme.call('GET', '/v1/flows', undefined, { 'x-workspace-id': fixture.other.id }),
  },
  plan_limit_reached: {
    ...{ status: 403, shape: 'plain' },
    fields: { limit_type: 'members', current: 1, maximum: 1, plan: 'free' },
    ask: () =>
      fixture.byOwner('POST', `${TEAM}/invite`, { email: 'a@example.com', role: 'viewer' }, fixture.small),
  },
  workspace_suspended: {
    ...{ status: 403, shape: 'plain' },
    ask: () => fixture.suspended.call('POST', '/v1/contacts', { external_id: 'a' }),
  },
  validation_error: {
    ...{ status: 400, shape: 'plain', fields: wrong('external_id') },
    ask: () => fixture.acme.call('POST', '/v1/contacts', {}),
  },
  invalid_email: {
    ...{ status: 400, shape: 'plain', fields: wrong('email') },
    ask: () => fixture.acme.call('POST', '/v1/contacts', { external_id: 'a', email: 'nobody' }),
  },
  invalid_event_name: {
    ...{ status: 400, shape: 'plain', fields: wrong('event_name') },
    ask: () => fixture.acme.call('POST', '/v1/events', { external_id: 'a', event_name: 'Signed up' }),
  },
  invalid_filter_operator: {
    ...{ status: 400, shape: 'plain', isGraphql: true },
    fields: { ...wrong('conditions[0].operator'), field: 'conditions[0].operator', operator: 'sounds_like' },
    ask: () =>
      fixture.graphql(
        '{ previewSegment(conditions: [{ field: "email", operator: "sounds_like" }]) { count } }',
      ),
  },
  go_live_incomplete: {
    ...{ status: 400, shape: 'plain', isGraphql: true, fields: { missing: [text, text] } },
    ask: async () => {
      const early = await fixture.app.workspace({ live: false, account_email_verified: false, company: {} });
      return fixture.graphql('mutation { goLive { live } }', fixture.asOwner(early));
    },
  },
  query_too_costly: {
    ...{ status: 400, shape: 'plain', isGraphql: true },
    ask: () => {
      const costly = 'flows(first: 100) { edges { node { goalConversions { goals { entered } } } } }';
      return fixture.graphql(`{ ${Array.from({ length: 9 }, (_, n) => `a${n}: ${costly}`).join(' ')} }`);
    },
  },
  invalid_status: {
    ...{ status: 400, shape: 'plain', fields: { status: 'sent', allowed_from: ['draft'] } },
    ask: async () => {
      const { body } = await fixture.byOwner('POST', '/v1/campaigns', { name: 'C' });
      await fixture.admin.query(`UPDATE campaigns SET status = 'sent' WHERE id = $1`, [body.id]);
      return fixture.byOwner('PATCH', `/v1/campaigns/${body.id}`, { name: 'D' });
    },
  },
  template_report_read_only: {
    ...{ status: 400, shape: 'plain' },
    ask: async () => {
      const { body } = await fixture.acme.call('GET', '/v1/reports?report_type=engagement');
      return fixture.acme.call('DELETE', `/v1/reports/${body.reports[0].id}`);
    },
  },
  member_protected: {
    ...{ status: 400, shape: 'bare' },
    ask: async () => {
      const { body } = await fixture.byOwner('GET', TEAM);
      return fixture.byOwner('PUT', `${TEAM}/${body.members[0].id}/role`, { role: 'viewer' });
    },
  },
  member_pending: {
    ...{ status: 400, shape: 'bare' },
    ask: async () => fixture.byOwner('POST', `${TEAM}/${(await fixture.invited()).id}/activate`),
  },
  invalid_field: {
    ...{ status: 422, shape: 'plain', fields: wrong('nothing_of_that_name') },
    ask: () => fixture.acme.call('POST', '/v1/contacts', { external_id: 'a', nothing_of_that_name: 1 }),
  },
  invalid_date_param: {
    ...{ status: 422, shape: 'nested' },
    ask: async () =>
      fixture.acme.call(
        'GET',
        `/v1/flows/${(await fixture.newFlow()).id}/goal-conversions?from_date=yesterday`,
      ),
  },
  too_long: {
    ...{ status: 422, shape: 'plain', fields: wrong('flow_ids') },
    ask: () =>
      fixture.acme.call('POST', '/v1/flows/bulk-action', {
        flow_ids: Array(101).fill(UNKNOWN_ID),
        action: 'stop',
      }),
  },
  too_short: {
    ...{ status: 422, shape: 'plain', fields: wrong('flow_ids') },
    ask: () => fixture.acme.call('POST', '/v1/flows/bulk-action', { flow_ids: [], action: 'stop' }),
  },
  template_errors: {
    ...{
      status: 422,
      shape: 'plain',
      fields: { ...wrong('steps[0].template_slug'), templates: [expect.anything()] },
    },
    ask: async () => {
      const slug = await fixture.newTemplate("<p>{the user's Name, as }</p>");
      const { id } = await fixture.newFlow({ steps: [{ type: 'send_email', template_slug: slug }] });
      return fixture.acme.call('POST', `/v1/flows/${id}/activate`);
    },
  },
  campaign_incomplete: {
    ...{ status: 422, shape: 'plain', fields: wrong('segment_id') },
    ask: async () => {
      const { body } = await fixture.byOwner('POST', '/v1/campaigns', { name: 'C' });
      return fixture.byOwner('POST', `/v1/campaigns/${body.id}/audience-preview`, {});
    },
  },
  inspection_blocked: {
    ...{ status: 422, shape: 'plain' },
    fields: { findings: expect.any(Array), ...wrong('template_slug') },
    ask: async () => {
      const config = (blocking: string) => fixture.byOwner('PUT', '/v1/inspect/config', { blocking });
      await config('block');
      const slug = await fixture.newTemplate('<p>Hello <a href="">you</a></p>');
      const { id } = await fixture.newFlow({ steps: [{ type: 'send_email', template_slug: slug }] });
      const refused = await fixture.acme.call('POST', `/v1/flows/${id}/activate`);
      await config('warn');
      return refused;
    },
  },
  audience_not_confirmed: {
    ...{ status: 422, shape: 'plain', isGraphql: true, fields: { audience: 1, everybody: true } },
    ask: async () => {
      const segment = await fixture.graphql(
        'mutation { createSegment(input: { name: "All", match: "all", conditions: [] }) { id } }',
      );
      const { body } = await fixture.byOwner('POST', '/v1/campaigns', {
        name: 'To all',
        segment_id: segment.body.data.createSegment.id,
      });
      return fixture.graphql(`mutation { sendCampaign(id: "${body.id}") { id } }`);
    },
  },
  segment_too_costly: {
    ...{ status: 422, shape: 'plain', isGraphql: true },
    ask: () =>
      fixture.outOfTime(() =>
        fixture.graphql('{ previewSegment(conditions: [{ field: "email", operator: "exists" }]) { count } }'),
      ),
  },
  simulation_too_large: {
    ...{ status: 422, shape: 'plain', isGraphql: true },
    ask: async () => {
      const { id } = await fixture.newFlow();
      const now = fixture.app.clock.now();
      const millis = now.getTime().toString(16).padStart(12, '0');
      await fixture.admin.query(
        `INSERT INTO events (workspace_id, id, environment, external_id, event_name, attributes, occurred_at, received_at)
         SELECT $1, ($2 || lpad(to_hex(i), 12, '0'))::uuid, 'live', 'p', 'signed_up', '{}', $3, $3
         FROM generate_series(1, 100001) i`,
        [fixture.acme.id, `${millis.slice(0, 8)}-${millis.slice(8)}-7000-8000-`, now],
      );
      fixture.app.clock.wind(1_000);
      return fixture.graphql(
        `{ simulateFlow(flowId: "${id}", from: "${now.toISOString()}") { flowId events { read } } }`,
      );
    },
  },
  not_found: { status: 404, shape: 'plain', ask: () => fixture.acme.call('GET', '/v1/nothing') },
  contact_not_found: {
    ...{ status: 404, shape: 'plain' },
    ask: () => fixture.acme.call('DELETE', '/v1/contacts/nobody'),
  },
  flow_not_found: {
    ...{ status: 404, shape: 'plain' },
    ask: () => fixture.acme.call('GET', `/v1/flows/${UNKNOWN_ID}`),
  },
  campaign_not_found: {
    ...{ status: 404, shape: 'plain' },
    ask: () => fixture.byOwner('GET', `/v1/campaigns/${UNKNOWN_ID}`),
  },
  goal_not_found: {
    ...{ status: 404, shape: 'plain' },
    ask: async () =>
      fixture.acme.call('DELETE', `/v1/flows/${(await fixture.newFlow()).id}/goals/${UNKNOWN_ID}`),
  },
  flow_version_not_found: {
    ...{ status: 404, shape: 'plain' },
    ask: async () => fixture.acme.call('GET', `/v1/flows/${(await fixture.newFlow()).id}/versions/9`),
  },
  template_not_found: {
    ...{ status: 404, shape: 'plain' },
    ask: () => fixture.acme.call('GET', '/v1/templates/nothing'),
  },
  inspect_job_not_found: {
    ...{ status: 404, shape: 'plain' },
    ask: () => fixture.byOwner('GET', `/v1/inspect/${UNKNOWN_ID}`),
  },
  finding_not_found: {
    ...{ status: 404, shape: 'plain' },
    ask: () => fixture.byOwner('POST', `/v1/inspect/findings/${UNKNOWN_ID}/mark-fixed`),
  },
  screenshot_not_found: {
    ...{ status: 404, shape: 'plain' },
    ask: () => fixture.request('GET', '/v1/inspect/screenshots/none', {}),
  },
  migration_not_found: {
    ...{ status: 404, shape: 'plain' },
    ask: () => fixture.byOwner('GET', `/v1/migrations/${UNKNOWN_ID}`),
  },
  file_not_found: {
    ...{ status: 404, shape: 'plain' },
    ask: () =>
      fixture.byOwner('POST', '/v1/migrations', { platform: 'file', config: { file_id: UNKNOWN_ID } }),
  },
  template_version_not_found: {
    ...{ status: 404, shape: 'plain' },
    ask: async () => fixture.acme.call('GET', `/v1/templates/${await fixture.newTemplate()}/versions/9`),
  },
  segment_not_found: {
    ...{ status: 404, shape: 'plain' },
    ask: () => fixture.acme.call('POST', `/v1/segments/${UNKNOWN_ID}/evaluate`),
  },
  report_not_found: {
    ...{ status: 404, shape: 'plain' },
    ask: () => fixture.acme.call('GET', `/v1/reports/${UNKNOWN_ID}`),
  },
  schedule_not_found: {
    ...{ status: 404, shape: 'plain' },
    ask: async () => fixture.acme.call('GET', `/v1/reports/${await newReport()}/schedule`),
  },
  share_link_not_found: {
    ...{ status: 404, shape: 'plain' },
    ask: async () => fixture.acme.call('DELETE', `/v1/reports/${await newReport()}/share`),
  },
  topic_not_found: {
    ...{ status: 404, shape: 'plain', isGraphql: true },
    ask: () => fixture.graphql('mutation { updateTopic(key: "none", input: {}) { key } }'),
  },
  email_log_not_found: {
    ...{ status: 404, shape: 'plain' },
    ask: () => fixture.acme.call('POST', `/v1/email-logs/${UNKNOWN_ID}/resend`),
  },
  suppression_not_found: {
    ...{ status: 404, shape: 'plain', isGraphql: true },
    ask: () => fixture.graphql(`mutation { removeSuppression(input: { id: "${UNKNOWN_ID}" }) { id } }`),
  },
  member_not_found: {
    ...{ status: 404, shape: 'bare' },
    ask: () => fixture.byOwner('DELETE', `${TEAM}/${UNKNOWN_ID}`),
  },
  invitation_not_found: {
    ...{ status: 404, shape: 'bare' },
    ask: () => fixture.byOwner('POST', `${TEAM}/invitations/${UNKNOWN_ID}/accept`),
  },
  method_not_allowed: {
    ...{ status: 405, shape: 'plain', headers: ['allow'] },
    ask: () => fixture.acme.call('PATCH', '/v1/flows', {}),
  },
  conflict: {
    ...{ status: 409, shape: 'plain', fields: { current_version: 1 } },
    ask: async () =>
      fixture.acme.call('PUT', `/v1/templates/${await fixture.newTemplate()}`, {
        name: 'N',
        expected_version: 7,
      }),
  },
  member_exists: {
    ...{ status: 409, shape: 'bare' },
    ask: async () =>
      fixture.byOwner('POST', `${TEAM}/invite`, { email: (await fixture.invited()).email, role: 'admin' }),
  },
  duplicate_event: {
    ...{ status: 409, shape: 'plain' },
    ask: () =>
      twice(() =>
        fixture.acme.call('POST', '/v1/events', {
          ...{ external_id: 'ada', event_name: 'repeated', idempotency_key: 'once' },
        }),
      ),
  },
  duplicate_slug: {
    ...{ status: 409, shape: 'plain' },
    ask: async () =>
      fixture.acme.call('POST', '/v1/templates', {
        name: 'N',
        slug: await fixture.newTemplate(),
        body_html: 'x',
      }),
  },
  goal_event_name_conflict: {
    ...{ status: 409, shape: 'nested' },
    ask: async () => {
      const { id } = await fixture.newFlow();
      return twice(() =>
        fixture.acme.call('POST', `/v1/flows/${id}/goals`, { name: 'G', event_name: 'bought' }),
      );
    },
  },
  flow_has_inflight_trips: {
    ...{ status: 409, shape: 'nested', fields: { inflight_count: 1 } },
    ask: async () => {
      const { id } = await fixture.newFlow({
        trigger_event: 'begun',
        steps: [{ type: 'wait', duration: '90d' }],
      });
      await fixture.acme.call('PUT', `/v1/flows/${id}`, { name: 'Second' });
      await fixture.acme.call('POST', `/v1/flows/${id}/activate`);
      await fixture.acme.call('POST', '/v1/events', { external_id: 'ada', event_name: 'begun' });
      await until('the trip waits', async () => {
        const { body } = await fixture.acme.call('GET', `/v1/flows/${id}/trips`);
        return body.total === 1;
      });
      await fixture.acme.call('POST', `/v1/flows/${id}/pause`);
      return fixture.acme.call('POST', `/v1/flows/${id}/versions/1/restore`, {});
    },
  },
  schedule_exists: {
    ...{ status: 409, shape: 'plain' },
    ask: async () => {
      const id = await newReport();
      const schedule = { frequency: 'daily', recipients: [{ email: 'ada@example.com' }] };
      return twice(() => fixture.acme.call('POST', `/v1/reports/${id}/schedule`, schedule));
    },
  },
  payload_too_large: {
    ...{ status: 413, shape: 'plain' },
    ask: () => fixture.acme.call('POST', '/v1/contacts', { external_id: 'a', tags: Array(100_001).fill('') }),
  },
  unsupported_media_type: {
    ...{ status: 415, shape: 'plain' },
    ask: () => fixture.acme.call('POST', '/v1/contacts', 'external_id=a', { 'content-type': 'text/plain' }),
  },
  rate_limit_exceeded: {
    ...{ status: 429, shape: 'plain' },
    headers: ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
    ask: () => twice(() => fixture.request('GET', '/v1/contacts', fixture.withKey('slow'))),
  },
  internal_error: {
    ...{ status: 500, shape: 'plain' },
    ask: async () => {
      const { id } = await fixture.newFlow();
      // Simulates a part of the database that was removed.
      await fixture.admin.query('ALTER TABLE flow_goals RENAME TO flow_goals_away');
      try {
        return await fixture.acme.call('GET', `/v1/flows/${id}/goals`);
      } finally {
        await fixture.admin.query('ALTER TABLE flow_goals_away RENAME TO flow_goals');
      }
    },
  },
  service_unavailable: {
    ...{ status: 503, shape: 'plain', headers: ['retry-after'] },
    ask: () => fixture.outOfTime(() => fixture.acme.call('GET', '/v1/contacts?search=ada')),
  },
};

/** The expected body of a code with this shape. */
function bodyOf(code: string, { shape, fields }: Row): object {
  switch (shape) {
    case 'plain':
      return { detail: text, code, ...fields };
    case 'bare':
      return { detail: text, ...fields };
    case 'nested':
      return { detail: { code, message: text, ...fields } };
    case 'forbidden':
      return { error: 'forbidden', reason: code, detail: text, ...fields };
  }
}

test.each(Object.entries(ROWS))('%s', async (code, row) => {
  const { status, body, headers } = await row.ask();
  const requestId = headers.get('x-request-id');
  if (row.isGraphql) {
    const [error, ...more] = body.errors;
    expect(more).toEqual([]);
    expect(error.message).toEqual(text);
    const { status: meant, ...extensions } = error.extensions;
    expect(extensions).toEqual({
      ...{ code, request_id: requestId },
      ...row.fields,
    });
    // A query that is refused before any resolver runs is a bad request as a whole.
    expect(meant ?? status).toBe(row.status);
  } else {
    expect(body).toEqual({ ...bodyOf(code, row), request_id: requestId });
    expect(status).toBe(row.status);
  }
  for (const name of row.headers ?? []) expect([name, headers.get(name)]).toEqual([name, text]);
});
