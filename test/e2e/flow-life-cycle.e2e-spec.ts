/** Life-cycle actions on flows and their effect on trips: section 3.2. */
import type { Answer } from '../support/app.js';
import { flowsFixture } from '../support/flows-fixture.js';
import { until } from '../support/until.js';

const fixture = flowsFixture();
const { create, get, act, flow, template } = fixture;

describe('transitions', () => {
  test.each([
    ['draft', [], 'activate', 'active'],
    ['paused', ['activate', 'pause'], 'activate', 'active'],
    ['stopped', ['activate', 'stop'], 'activate', 'active'],
    ['active', ['activate'], 'pause', 'paused'],
    ['active', ['activate'], 'stop', 'stopped'],
  ])('%s %j: %s leads to %s', async (_status, before, action, next) => {
    const id = await flow({}, ...before);
    fixture.app.clock.wind(1_000);
    const answer = await act(id, action);
    expect([answer.status, answer.body.status, answer.body.version]).toEqual([200, next, 1]);
    expect(answer.body.updated_at).toBe(fixture.app.clock.now().toISOString());
    expect((await get(id)).body).toEqual(answer.body);
  });

  test.each([
    ['active', ['activate'], 'activate'],
    ['draft', [], 'pause'],
    ['paused', ['activate', 'pause'], 'pause'],
    ['stopped', ['activate', 'stop'], 'pause'],
    ['draft', [], 'stop'],
    ['paused', ['activate', 'pause'], 'stop'],
    ['stopped', ['activate', 'stop'], 'stop'],
  ])('%s %j: %s is refused with 400 and changes nothing', async (status, before, action) => {
    const id = await flow({}, ...before);
    const answer = await act(id, action);
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_error']);
    expect((await get(id)).body.status).toBe(status);
  });
});

describe('activate', () => {
  test('refuses missing templates and those with syntax errors with 422 and names them', async () => {
    await template('good');
    await template('broken', '<p>{if the A exists}</p>');
    const steps = ['good', 'broken', 'missing', 'broken'].map((slug) => ({
      type: 'send_email',
      template_slug: slug,
    }));
    const { body } = await create({ steps });
    const answer = await act(body.id, 'activate');
    expect([answer.status, answer.body.code]).toEqual([422, 'template_errors']);
    expect(answer.body.templates).toMatchObject([
      {
        slug: 'broken',
        reason: 'syntax_errors',
        steps: [1, 3],
        findings: [{ severity: 'error', line: 1, column: 4 }],
      },
      { slug: 'missing', reason: 'not_found', steps: [2], findings: [] },
    ]);
    const fields = (errors: { field: string }[]): string[] => errors.map(({ field }) => field);
    const steps132 = (name: string): string[] => [1, 3, 2].map((step) => `steps[${step}].${name}`);
    expect(fields(answer.body.errors)).toEqual(steps132('template_slug'));
    expect(answer.body.templates[0].findings[0]).toMatchObject({
      field: 'body_html',
      block_text: '{if the A exists}',
    });
    const byGraphql = await fixture.workspace.graphql(
      'mutation ($id: ID!) { activateFlow(id: $id) { id } }',
      {
        id: body.id,
      },
    );
    const [{ extensions }] = byGraphql.body.errors;
    expect(fields(extensions.errors)).toEqual(steps132('templateSlug'));
    expect(extensions.templates[0].findings[0]).toMatchObject({
      field: 'bodyHtml',
      blockText: '{if the A exists}',
    });
    expect((await get(body.id)).body.status).toBe('draft');
  });

  test('refuses a step whose own subject has a syntax error', async () => {
    await template('good');
    const { body } = await create({
      steps: [{ type: 'send_email', template_slug: 'good', subject: '{end if}' }],
    });
    expect((await act(body.id, 'activate')).body.code).toBe('template_errors');
  });

  test('lets warnings pass', async () => {
    await template('loud', '{the Note, as "html"}');
    const { body } = await create({ steps: [{ type: 'send_email', template_slug: 'loud' }] });
    expect((await act(body.id, 'activate')).status).toBe(200);
  });

  test('warns of send steps of a transactional flow that leave out who has unsubscribed', async () => {
    await template('receipt');
    const step = { type: 'send_email', template_slug: 'receipt' };
    const reaching = { ...step, email_send_settings: { send_to_unsubscribed: true } };
    const transactional = (await create({ content_type: 'transactional', steps: [reaching, step] })).body.id;
    const activated = await act(transactional, 'activate');
    expect([activated.status, activated.body.status, activated.body.step_warnings]).toEqual([
      200,
      'active',
      [
        {
          ...{ code: 'unsubscribed_not_reached', path: 'steps[1]', template_slug: 'receipt' },
          message: expect.stringContaining('email_send_settings.send_to_unsubscribed'),
        },
      ],
    ]);
    await act(transactional, 'pause');
    const byGraphql = await fixture.workspace.graphql(
      'mutation ($id: ID!) { activateFlow(id: $id) { status stepWarnings { code path templateSlug message } } }',
      { id: transactional },
    );
    expect(byGraphql.body.data.activateFlow).toMatchObject({
      status: 'active',
      stepWarnings: [{ code: 'unsubscribed_not_reached', path: 'steps[1]', templateSlug: 'receipt' }],
    });
    for (const content of [
      { content_type: 'transactional', steps: [reaching] },
      { content_type: 'promotional', steps: [step] },
    ]) {
      const quiet = await act((await create(content)).body.id, 'activate');
      expect([quiet.status, 'step_warnings' in quiet.body]).toEqual([200, false]);
    }
  });

  test('does not take a template of another workspace for its own', async () => {
    const other = await fixture.app.workspace();
    await other.call('POST', '/v1/templates', { name: 'a', slug: 'theirs', body_html: 'x' });
    const { body } = await create({ steps: [{ type: 'send_email', template_slug: 'theirs' }] });
    expect((await act(body.id, 'activate')).status).toBe(422);
  });

  test('a flow without steps may be active', async () => {
    expect((await get(await flow({}, 'activate'))).body.status).toBe('active');
  });
});

describe('trips', () => {
  const signUp = (externalId: string, key = fixture.workspace.key): Promise<Answer> =>
    fixture.app.request(
      'POST',
      '/v1/events',
      { external_id: externalId, event_name: 'signed_up' },
      { 'x-workspace-id': fixture.workspace.id, 'x-api-key': key },
    );
  const tripsOf = async (
    id: string,
    key = fixture.workspace.key,
  ): Promise<{ external_id: string; status: string }[]> =>
    (
      await fixture.app.request('GET', `/v1/flows/${id}/trips`, undefined, {
        'x-workspace-id': fixture.workspace.id,
        'x-api-key': key,
      })
    ).body.trips;
  const pendingEvents = async (): Promise<number> => {
    const { rows } = await fixture.admin.query(
      'SELECT 1 FROM events WHERE workspace_id = $1 AND processed_at IS NULL',
      [fixture.workspace.id],
    );
    return rows.length;
  };

  async function waitingFlow(): Promise<string> {
    const { body } = await create({ steps: [{ type: 'wait', duration: '1d' }] });
    await act(body.id, 'activate');
    return body.id as string;
  }

  test('stop keeps a version first and ends the trips of both environments', async () => {
    const id = await waitingFlow();
    await signUp('live-one');
    await signUp('test-one', fixture.workspace.testKey);
    await until(
      'both trips wait',
      async () => (await tripsOf(id)).length + (await tripsOf(id, fixture.workspace.testKey)).length === 2,
    );
    const answer = await act(id, 'stop');
    expect([answer.status, answer.body.status]).toEqual([200, 'stopped']);
    for (const key of [fixture.workspace.key, fixture.workspace.testKey])
      expect(await tripsOf(id, key)).toMatchObject([{ status: 'terminated', ended_reason: 'flow_stopped' }]);
    const { rows } = await fixture.admin.query('SELECT * FROM flow_versions WHERE flow_id = $1', [id]);
    expect(rows).toMatchObject([
      {
        version: 1,
        name: 'Onboarding',
        status_at_snapshot: 'active',
        steps: [{ type: 'wait', duration: '1d' }],
        changed_by: expect.stringMatching(/^api_key:/),
        change_summary: 'Flow stopped',
      },
    ]);
  });

  test('pause starts no new trips and keeps those in flight', async () => {
    const id = await waitingFlow();
    await signUp('before');
    await until('the trip waits', async () => (await tripsOf(id)).length === 1);
    await act(id, 'pause');
    await signUp('after');
    await until('the event is processed', async () => (await pendingEvents()) === 0);
    expect(await tripsOf(id)).toMatchObject([{ external_id: 'before', status: 'paused' }]);
    const { rows } = await fixture.admin.query('SELECT 1 FROM flow_versions WHERE flow_id = $1', [id]);
    expect(rows).toHaveLength(0);
  });

  test("a list counts the trips of the caller's environment", async () => {
    const id = await flow({}, 'activate');
    for (const contact of ['a', 'b']) await signUp(contact);
    await until('both trips are over', async () => (await tripsOf(id)).length === 2);
    const live = await fixture.workspace.call('GET', '/v1/flows');
    expect(live.body.flows).toMatchObject([{ id, trips_started: 2, trips_completed: 2 }]);
    const headers = { 'x-workspace-id': fixture.workspace.id, 'x-api-key': fixture.workspace.testKey };
    const test = await fixture.app.request('GET', '/v1/flows', undefined, headers);
    expect(test.body.flows).toMatchObject([{ id, trips_started: 0, trips_completed: 0 }]);
  });
});
