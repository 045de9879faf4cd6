/**
 * The main path from end to end: an event posted over HTTP starts a trip, and the trip sends an email to an SMTP
 * server.
 */
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { MailSink } from '../support/mail-sink.js';
import { until } from '../support/until.js';

const backends = ['postgres', ...(process.env['TEST_REDIS_URL'] ? ['redis'] : [])];

describe.each(backends)('with the queue on %s', (backend) => {
  let app: TestApp;

  beforeAll(async () => {
    app = await bootApp({ redis: backend === 'redis' });
  });
  afterAll(() => app.close());

  /** Creates a workspace with two templates and an active flow of the given steps. */
  async function withFlow(
    steps: object[],
    more: object = {},
  ): Promise<{ workspace: TestWorkspace; flowId: string }> {
    const workspace = await app.workspace();
    for (const slug of ['welcome', 'later']) {
      const template = {
        name: slug,
        slug,
        subject: `${slug} {the user's First Name, or "friend"}`,
        body_html: `<p>Hi {the user's First Name, or "there"}, plan {the Plan from the trigger event, or "none"}</p>`,
      };
      expect((await workspace.call('POST', '/v1/templates', template)).status).toBe(201);
    }
    return { workspace, flowId: await addFlow(workspace, steps, more) };
  }

  async function addFlow(workspace: TestWorkspace, steps: object[], more: object): Promise<string> {
    const flow = {
      name: 'Onboarding',
      trigger_event: 'signed_up',
      content_type: 'transactional',
      steps,
      ...more,
    };
    const created = await workspace.call('POST', '/v1/flows', flow);
    expect([created.status, created.body.status, created.body.version]).toEqual([201, 'draft', 1]);
    expect((await workspace.call('POST', `/v1/flows/${created.body.id}/activate`)).body.status).toBe(
      'active',
    );
    return created.body.id;
  }

  /**
   * Adds another contact that waits as long and then gets two mails, one after the other. Once both have arrived,
   * everything that was due at the same time has been claimed, and its mail was sent before the second one.
   */
  async function witness(
    workspace: TestWorkspace,
    duration: string,
  ): Promise<{ testimony: () => Promise<void> }> {
    const [id, event] = ['witness', 'witnessed'];
    const mails = [
      { type: 'send_email', template_slug: 'welcome' },
      { type: 'send_email', template_slug: 'later' },
    ];
    const flowId = await addFlow(workspace, [{ type: 'wait', duration }, ...mails], { trigger_event: event });
    await signUp(workspace, id, { event_name: event, contact: { email: `${id}-${flowId}@example.com` } });
    await until('the witness waits', async () => (await trips(workspace, flowId))[0]?.status === 'paused');
    const arrived = (): boolean => app.sink.to(`${id}-${flowId}@example.com`).length === 2;
    return { testimony: () => until('the witness has both mails', arrived) };
  }

  function signUp(
    workspace: TestWorkspace,
    externalId: string,
    more: object = {},
  ): Promise<{ status: number }> {
    return workspace.call('POST', '/v1/events', {
      external_id: externalId,
      event_name: 'signed_up',
      contact: { email: `${externalId}@example.com`, first_name: 'Ada' },
      ...more,
    });
  }

  async function trips(workspace: TestWorkspace, flowId: string): Promise<any[]> {
    return (await workspace.call('GET', `/v1/flows/${flowId}/trips?limit=200`)).body.trips;
  }

  test('an event becomes a rendered email with fallbacks and a message id of its own', async () => {
    const { workspace, flowId } = await withFlow([{ type: 'send_email', template_slug: 'welcome' }]);
    expect((await signUp(workspace, 'ada', { attributes: { plan: 'pro' } })).status).toBe(202);
    expect((await signUp(workspace, 'bob', { contact: { email: 'bob@example.com' } })).status).toBe(202);
    await until(
      'both mails are there',
      () => app.sink.to('ada@example.com').length + app.sink.to('bob@example.com').length === 2,
    );

    const [mail] = app.sink.to('ada@example.com');
    const parsed = await MailSink.parse(mail!);
    expect(parsed.subject).toBe('welcome Ada');
    expect(parsed.html).toContain('Hi Ada, plan pro');
    expect(parsed.text).toContain('Hi Ada, plan pro');
    expect(parsed.messageId).toMatch(/^<[0-9a-f-]{36}@mail\.localhost>$/);
    expect((await MailSink.parse(app.sink.to('bob@example.com')[0]!)).html).toContain('Hi there, plan none');

    await until('both trips are completed', async () =>
      (await trips(workspace, flowId)).every((trip) => trip.status === 'completed'),
    );
    const [latest] = await trips(workspace, flowId);
    expect(latest).toEqual({
      id: expect.any(String),
      flow_id: flowId,
      flow_version: 1,
      contact_id: expect.any(String),
      external_id: 'bob',
      status: 'completed',
      current_step: 1,
      resume_at: null,
      started_at: expect.any(String),
      completed_at: expect.any(String),
      ended_reason: 'finished',
    });
  });

  test('a three-day flow waits on the clock, updates the contact, and sends again', async () => {
    const { workspace, flowId } = await withFlow([
      { type: 'send_email', template_slug: 'welcome' },
      { type: 'wait', duration: '1d' },
      { type: 'update_contact', set: { first_name: 'Augusta', stage: 'warm' } },
      { type: 'wait', duration: '2d' },
      { type: 'send_email', template_slug: 'later', subject: 'Step subject' },
    ]);
    await signUp(workspace, 'carl');
    const status = async (): Promise<string> => (await trips(workspace, flowId))[0]?.status;
    await until('the trip is parked', async () => (await status()) === 'paused');
    expect(app.sink.to('carl@example.com')).toHaveLength(1);

    const { testimony } = await witness(workspace, '23h');
    app.clock.wind(DAY - 1_000);
    await testimony();
    expect((await trips(workspace, flowId))[0].current_step).toBe(2);

    app.clock.wind(1_000);
    await until(
      'the second wait has begun',
      async () => (await trips(workspace, flowId))[0].current_step === 4,
    );
    const contact = await workspace.graphql(
      'query ($id: ID!) { contact(id: $id) { firstName properties } }',
      { id: 'carl' },
    );
    expect(contact.body.data.contact).toEqual({ firstName: 'Augusta', properties: { stage: 'warm' } });

    app.clock.wind(2 * DAY);
    await until('the second mail is there', () => app.sink.to('carl@example.com').length === 2);
    const second = await MailSink.parse(app.sink.to('carl@example.com')[1]!);
    expect([second.subject, second.html]).toEqual(['Step subject', expect.stringContaining('Hi Augusta')]);
    await until('the trip is completed', async () => (await status()) === 'completed');
  });

  test('pause starts no new trips and lets the others finish; stop ends them and their mail', async () => {
    const { workspace, flowId } = await withFlow([
      { type: 'wait', duration: '1h' },
      { type: 'send_email', template_slug: 'welcome' },
    ]);
    await signUp(workspace, 'p1');
    await until('the trip is parked', async () => (await trips(workspace, flowId))[0]?.status === 'paused');
    expect((await workspace.call('POST', `/v1/flows/${flowId}/pause`)).body.status).toBe('paused');
    await signUp(workspace, 'p2');
    app.clock.wind(3_600_000);
    await until(
      'the first trip goes on to its end',
      async () => (await trips(workspace, flowId))[0].status === 'completed',
    );
    expect(app.sink.to('p1@example.com')).toHaveLength(1);
    expect(await trips(workspace, flowId)).toHaveLength(1);

    await workspace.call('POST', `/v1/flows/${flowId}/activate`);
    await signUp(workspace, 'p3');
    await until('the trip is parked', async () => (await trips(workspace, flowId))[0]?.status === 'paused');
    const { testimony } = await witness(workspace, '1h');
    expect((await workspace.call('POST', `/v1/flows/${flowId}/stop`)).body.status).toBe('stopped');
    expect((await trips(workspace, flowId))[0]).toMatchObject({
      status: 'terminated',
      resume_at: null,
      ended_reason: 'flow_stopped',
    });
    app.clock.wind(DAY);
    await testimony();
    expect(app.sink.to('p3@example.com')).toHaveLength(0);
  });

  test('a contact enters once under the default re-entry policy, and every time under always', async () => {
    const once = await withFlow([{ type: 'update_contact', set: { seen: true } }]);
    const always = await withFlow([{ type: 'update_contact', set: { seen: true } }], {
      settings: { reentry_policy: 'always' },
    });
    for (const { workspace } of [once, always])
      await Promise.all([1, 2, 3].map(() => signUp(workspace, 'again')));
    await until('all have entered', async () => (await trips(always.workspace, always.flowId)).length === 3);
    await until(
      'the events of the other one are processed',
      async () => (await trips(once.workspace, once.flowId)).length > 0,
    );
    await signUp(once.workspace, 'last');
    await until('its last event is processed', async () =>
      (await trips(once.workspace, once.flowId)).some((t) => t.external_id === 'last'),
    );
    expect((await trips(once.workspace, once.flowId)).map((t) => t.external_id).sort()).toEqual([
      'again',
      'last',
    ]);
  });

  test('conditions on attributes choose the events that start trips', async () => {
    const { workspace, flowId } = await withFlow([], { trigger_conditions: { plan: 'pro' } });
    await signUp(workspace, 'free', { attributes: { plan: 'free' } });
    await signUp(workspace, 'pro', { attributes: { plan: 'pro' } });
    await until('the pro trip is there', async () => (await trips(workspace, flowId)).length > 0);
    expect((await trips(workspace, flowId)).map((trip) => trip.external_id)).toEqual(['pro']);
  });

  test('test keys and live keys see different contacts and trips', async () => {
    const { workspace, flowId } = await withFlow([]);
    const test = { 'x-api-key': workspace.testKey };
    await workspace.call('POST', '/v1/events', { external_id: 'tess', event_name: 'signed_up' }, test);
    const list = async (): Promise<any> =>
      (await workspace.call('GET', `/v1/flows/${flowId}/trips`, undefined, test)).body;
    await until('the test trip is there', async () => (await list()).total === 1);
    expect(await trips(workspace, flowId)).toEqual([]);
  });

  test('GraphQL shows trips with their contact and messages', async () => {
    const { workspace, flowId } = await withFlow([{ type: 'send_email', template_slug: 'welcome' }]);
    await Promise.all(['g1', 'g2', 'g3'].map((id) => signUp(workspace, id)));
    await until('all are completed', async () => {
      const all = await trips(workspace, flowId);
      return all.length === 3 && all.every((trip) => trip.status === 'completed');
    });
    const answer = await workspace.graphql(
      `query ($flowId: ID!) { trips(flowId: $flowId) { totalCount edges { node { status contact { externalId email } emailLogs { edges { node { status toEmail subject } } } } } } }`,
      { flowId },
    );
    expect(answer.body.errors).toBeUndefined();
    expect(answer.body.data.trips.totalCount).toBe(3);
    for (const { node: trip } of answer.body.data.trips.edges) {
      const email = `${trip.contact.externalId}@example.com`;
      expect(trip).toMatchObject({
        contact: { email },
        emailLogs: { edges: [{ node: { toEmail: email, subject: 'welcome Ada' } }] },
      });
    }
  });
});
