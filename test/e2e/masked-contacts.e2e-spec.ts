/** Contacts as seen by callers who may preview with them but not read them, section 2.1: without addresses. */
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';

let app: TestApp;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await bootApp();
});
afterAll(() => app.close());

async function save(content: object): Promise<void> {
  const template = { name: 'Welcome', slug: 'welcome', ...content };
  expect((await workspace.call('POST', '/v1/templates', template)).status).toBe(201);
}

describe('addresses in the preview context', () => {
  const GRAPHQL =
    'query ($id: String) { templatePreviewContext(eventName: "order_placed", contactId: $id) { contact triggerEvent additionalEvents } }';
  const MAIL = 'ada@example.com';
  const PHONE = '+44 20 7946 0958';
  const secrets = [MAIL, PHONE, '442079460958', 'bill@payer.test'];
  let members: Record<string, string>;

  beforeEach(async () => {
    const tag = `${Date.now()}-${Math.random().toString(36).slice(2)}`;
    members = {
      owner: `o-${tag}@example.com`,
      developer: `d-${tag}@example.com`,
      marketing: `m-${tag}@example.com`,
    };
    workspace = await app.workspace({
      members: Object.entries(members).map(([role, email]) => ({ email, role })),
      api_keys: [
        { name: 'full', scope: 'full', environment: 'live' },
        { name: 'management', scope: 'management', environment: 'live' },
      ],
    });
    const event = {
      external_id: MAIL,
      event_name: 'order_placed',
      attributes: { to: MAIL, billing: { mail: 'bill@payer.test' }, tel: '442079460958', amount: 12 },
      contact: { email: MAIL, phone: PHONE, first_name: 'Ada', properties: { about: `write to ${MAIL}` } },
    };
    expect((await workspace.call('POST', '/v1/events', event)).status).toBe(202);
    await until('the contact is there', async () => {
      return (await workspace.call('GET', `/v1/contacts/${encodeURIComponent(MAIL)}`)).status === 200;
    });
    await save({
      subject: 'For {the email}',
      body_html:
        '<p>{the phone} {the about} {the to from the trigger event} {the amount from the trigger event}</p>',
    });
  });

  const as = async (role: string): Promise<Record<string, string>> => ({
    'x-workspace-id': workspace.id,
    authorization: `Bearer ${await app.token(members[role] ?? '')}`,
  });

  /** Everything the role sees of the contact: by REST and GraphQL, by contact and by latest event, and rendered. */
  async function shownTo(role: string): Promise<string> {
    const headers = await as(role);
    const get = (query: string): Promise<Answer> =>
      app.request('GET', `/v1/templates/preview-context?event_name=order_placed${query}`, undefined, headers);
    const latest = await get('');
    const byId = await get(`&contact_id=${encodeURIComponent(MAIL)}`);
    expect([latest.body.source, byId.body.source]).toEqual(['real', 'real']);
    const { contact, trigger_event } = latest.body;
    const rendered = await app.request(
      'POST',
      '/v1/templates/welcome/preview',
      { contact, trigger_event },
      headers,
    );
    expect(rendered.body).toMatchObject({ suppressed: false });
    const asked = [null, MAIL].map((id) =>
      app.request('POST', '/graphql', { query: GRAPHQL, variables: { id } }, headers),
    );
    const [first, second] = await Promise.all(asked);
    expect([first?.body.errors, second?.body.errors]).toEqual([undefined, undefined]);
    const list = await app.request('GET', '/v1/contacts', undefined, headers);
    expect(list.status).toBe(role === 'marketing' ? 403 : 200);
    return JSON.stringify([latest, byId, rendered, first, second].map((answer) => answer?.body));
  }

  test('are masked for a role without contacts:read, in what is rendered too', async () => {
    const shown = await shownTo('marketing');
    for (const secret of secrets) expect(shown).not.toContain(secret);
    for (const left of ['a***@e***.com', '***58', 'Ada', 'write to a***', '12'])
      expect(shown).toContain(left);
  });

  test('are shown to a role with it', async () => {
    const shown = await shownTo('developer');
    for (const secret of secrets) expect(shown).toContain(secret);
  });

  test('are shown to keys that may read contacts', async () => {
    const answer = await workspace.call('GET', '/v1/templates/preview-context?event_name=order_placed');
    expect(answer.body.contact).toMatchObject({ email: MAIL, phone: PHONE });
  });

  test('are masked as external_id of a trip', async () => {
    const flow = {
      name: 'F',
      trigger_event: 'order_placed',
      content_type: 'transactional',
      steps: [{ type: 'wait', duration: '1d' }],
    };
    const { body } = await workspace.call('POST', '/v1/flows', flow);
    expect((await workspace.call('POST', `/v1/flows/${body.id}/activate`)).status).toBe(200);
    await workspace.call('POST', '/v1/events', { external_id: MAIL, event_name: 'order_placed' });
    const trips = async (role: string) =>
      (await app.request('GET', `/v1/flows/${body.id}/trips`, undefined, await as(role))).body.trips;
    await until('the trip is there', async () => (await trips('owner')).length === 1);
    expect((await trips('marketing'))[0].external_id).toBe('a***@e***.com');
    expect((await trips('developer'))[0].external_id).toBe(MAIL);
  });
});
