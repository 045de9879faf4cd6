/** What holds messages back, from HTTP to SMTP: section 2.3 and the workspace's settings. */
import pg from 'pg';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { HOUR } from '../support/clock.js';
import { until } from '../support/until.js';

let app: TestApp;

beforeAll(async () => {
  app = await bootApp();
});
afterAll(() => app.close());
beforeEach(() => {
  // Nine in the morning of some day, wherever earlier tests have moved the clock.
  const past = (app.clock.now().getTime() - 9 * HOUR) % (24 * HOUR);
  app.clock.wind((24 * HOUR - past) % (24 * HOUR));
});

async function withFlow(step: object, settings: object = {}) {
  const workspace = await app.workspace();
  const template = { name: 'Hello', slug: 'hello', subject: 'Hello', body_html: '<p>Hello</p>' };
  expect((await workspace.call('POST', '/v1/templates', template)).status).toBe(201);
  const created = await workspace.call('POST', '/v1/flows', {
    name: 'Onboarding',
    trigger_event: 'signed_up',
    content_type: 'transactional',
    steps: [{ type: 'send_email', template_slug: 'hello', ...step }],
    settings,
  });
  expect([created.status, created.body]).toMatchObject([201, { settings }]);
  const flowId = created.body.id as string;
  expect((await workspace.call('POST', `/v1/flows/${flowId}/activate`)).status).toBe(200);
  return { workspace, flowId };
}

async function signUp(workspace: TestWorkspace, externalId: string, contact: object = {}): Promise<void> {
  const event = {
    external_id: externalId,
    event_name: 'signed_up',
    contact: { email: `${externalId}@example.com`, ...contact },
  };
  expect((await workspace.call('POST', '/v1/events', event)).status).toBe(202);
}

interface Log {
  readonly status: string;
  readonly suppressedReason: string | null;
  readonly waitsFor: { readonly gate: string; readonly until: string } | null;
}

async function logs(workspace: TestWorkspace): Promise<Log[]> {
  const answer = await workspace.graphql(
    '{ emailLogs(first: 100) { edges { node { status suppressedReason waitsFor { gate until } } } } }',
  );
  return (answer.body.data.emailLogs.edges as { node: Log }[]).map(({ node }) => node);
}

const statuses = async (workspace: TestWorkspace): Promise<string[]> =>
  (await logs(workspace)).map(({ status }) => status).toSorted();

async function trips(workspace: TestWorkspace, flowId: string): Promise<string[]> {
  const { body } = await workspace.call('GET', `/v1/flows/${flowId}/trips?limit=100`);
  return (body.trips as { status: string }[]).map(({ status }) => status).toSorted();
}

const waitsFor = (workspace: TestWorkspace, gate: string, count = 1): Promise<void> =>
  until(
    `${count} wait for ${gate}`,
    async () => (await logs(workspace)).filter((log) => log.waitsFor?.gate === gate).length === count,
    () => logs(workspace),
  );

const areSent = (workspace: TestWorkspace, count: number): Promise<void> =>
  until(
    `${count} are sent`,
    async () => (await statuses(workspace)).filter((status) => status === 'sent').length === count,
    () => statuses(workspace),
  );

const WINDOW = { send_window_enabled: true, send_window_start: '12:00', send_window_end: '13:00' };

test('a message waits for its window on the contact’s clock, and its trip with it', async () => {
  const { workspace, flowId } = await withFlow({ email_send_settings: WINDOW });
  await signUp(workspace, 'ada', { timezone: 'Asia/Kathmandu' });
  await signUp(workspace, 'bob', { timezone: 'Europe/Berlin' });
  await waitsFor(workspace, 'send_window', 2);
  expect(await trips(workspace, flowId)).toEqual(['awaiting_send', 'awaiting_send']);
  const today = app.clock.now().toISOString().slice(0, 10);
  const tomorrow = new Date(app.clock.now().getTime() + 24 * HOUR).toISOString().slice(0, 10);
  // Noon had passed in Kathmandu, but not in Berlin.
  expect((await logs(workspace)).map((log) => log.waitsFor?.until).toSorted()).toEqual([
    `${today}T11:00:00.000Z`,
    `${tomorrow}T06:15:00.000Z`,
  ]);
  app.clock.wind(2 * HOUR);
  await areSent(workspace, 1);
  expect(app.sink.to('bob@example.com')).toHaveLength(1);
  app.clock.wind(20 * HOUR);
  await areSent(workspace, 2);
  await until('the trips are over', async () =>
    (await trips(workspace, flowId)).every((status) => status === 'completed'),
  );
  expect((await logs(workspace)).every((log) => log.waitsFor === null)).toBe(true);
});

test('the workspace’s hours of rest and its cap, and who may set them', async () => {
  const { workspace } = await withFlow(
    {
      email_send_settings: {
        ignore_dnd: false,
        ignore_frequency_capping: false,
        count_for_frequency_capping: true,
      },
    },
    { reentry_policy: 'always' },
  );
  const change = (input: object) =>
    workspace.graphql(
      `mutation ($input: WorkspaceSettingsInput!) { updateWorkspaceSettings(input: $input) {
         settings { frequencyCap { max periodHours } dnd { start end timezone } timezone mailTransports } mailTransports } }`,
      { input },
    );
  const settings = async (input: object): Promise<unknown> =>
    (await change(input)).body.data.updateWorkspaceSettings.settings;
  expect(
    await settings({
      frequencyCap: { max: 1, periodHours: 24 },
      dnd: { start: '08:00', end: '10:00' },
      timezone: 'Africa/Casablanca',
    }),
  ).toEqual({
    frequencyCap: { max: 1, periodHours: 24 },
    dnd: { start: '08:00', end: '10:00', timezone: 'contact' },
    timezone: 'Africa/Casablanca',
    mailTransports: null,
  });
  expect(await settings({ dnd: { start: '08:00', end: '10:00', timezone: 'UTC' }, timezone: null })).toEqual({
    frequencyCap: { max: 1, periodHours: 24 },
    dnd: { start: '08:00', end: '10:00', timezone: 'UTC' },
    timezone: null,
    mailTransports: null,
  });
  const chosen = await change({ mailTransports: ['smtp'] });
  expect(chosen.body.data.updateWorkspaceSettings).toMatchObject({
    settings: { mailTransports: ['smtp'], timezone: null },
    mailTransports: ['smtp'],
  });
  expect(await settings({ mailTransports: null })).toMatchObject({ mailTransports: null });
  for (const [input, field] of [
    [{ frequencyCap: { max: 0, periodHours: 24 } }, 'input.frequencyCap.max'],
    [{ frequencyCap: { max: 1, periodHours: 8_761 } }, 'input.frequencyCap.periodHours'],
    [{ dnd: { start: '8:00', end: '10:00' } }, 'input.dnd.start'],
    [{ dnd: { start: '08:00', end: '08:00' } }, 'input.dnd.end'],
    [{ timezone: 'Mars/Olympus' }, 'input.timezone'],
    [{ mailTransports: [] }, 'input.mailTransports'],
    [{ mailTransports: ['smtp', 'smtp'] }, 'input.mailTransports'],
    [{ mailTransports: ['smtp', 'sandbox'] }, 'input.mailTransports'],
  ] as const)
    expect(JSON.stringify((await change(input)).body.errors)).toContain(field.replace('input.', ''));

  await signUp(workspace, 'ada');
  await signUp(workspace, 'ada');
  await waitsFor(workspace, 'do_not_disturb', 2);
  app.clock.wind(HOUR);
  await until('one is sent, and one too many', async () => {
    app.clock.wind(3_000);
    return (await statuses(workspace)).join() === 'sent,suppressed';
  });
  expect((await logs(workspace)).map((log) => log.suppressedReason)).toContain('frequency_cap');
});

test('a throttled flow sends as many as it says in an hour, the others later', async () => {
  const throttle = { throttle_enabled: true, throttle_limit: 2, throttle_period: 'hour' };
  const { workspace, flowId } = await withFlow({}, throttle);
  for (const id of ['one', 'two', 'three', 'four', 'five']) await signUp(workspace, id);
  await areSent(workspace, 2);
  await waitsFor(workspace, 'throttle', 3);
  const standing = ['awaiting_send', 'awaiting_send', 'awaiting_send', 'completed', 'completed'].join();
  // The trips continue after their messages were sent.
  await until('two trips are over', async () => String(await trips(workspace, flowId)) === standing);
  app.clock.wind(HOUR);
  await areSent(workspace, 4);
  expect(['one', 'two', 'three', 'four'].map((id) => app.sink.to(`${id}@example.com`).length)).toEqual([
    1, 1, 1, 1,
  ]);
  // A new limit applies immediately to messages that already wait.
  const changed = await workspace.call('PUT', `/v1/flows/${flowId}/settings`, {
    settings: { ...throttle, throttle_limit: 10 },
  });
  expect(changed.status).toBe(200);
  await areSent(workspace, 5);
});

test('who waits hears of other hours: of the workspace, and of the flow, whose trips stay on their version', async () => {
  const rests = { ...WINDOW, ignore_dnd: false };
  const { workspace, flowId } = await withFlow({ email_send_settings: rests });
  const change = async (input: object): Promise<void> =>
    expect(
      (
        await workspace.graphql(
          'mutation ($input: WorkspaceSettingsInput!) { updateWorkspaceSettings(input: $input) { id } }',
          { input },
        )
      ).body.errors,
    ).toBeUndefined();
  const moment = async (): Promise<string | undefined> =>
    (await logs(workspace))[0]?.waitsFor?.until.slice(11, 16);
  const waitsUntil = (time: string): Promise<void> =>
    until(`it waits until ${time}`, async () => (await moment()) === time, moment);
  await signUp(workspace, 'eve');
  await waitsUntil('12:00');
  await change({ dnd: { start: '00:00', end: '12:30' } });
  await waitsUntil('12:30');
  await change({ dnd: null, timezone: 'Asia/Karachi' });
  await waitsUntil('07:00');
  const [step] = (await workspace.call('GET', `/v1/flows/${flowId}`)).body.steps as [object];
  const put = (settings: object) =>
    workspace.call('PUT', `/v1/flows/${flowId}`, { steps: [{ ...step, email_send_settings: settings }] });
  expect((await put({ ...rests, send_window_start: '16:00', send_window_end: '17:00' })).status).toBe(200);
  await waitsUntil('11:00');
  expect((await put({})).status).toBe(200);
  await areSent(workspace, 1);
  expect(app.sink.to('eve@example.com')).toHaveLength(1);
});

test('what waits is called off by a stop of the flow, and with its contact', async () => {
  const { workspace, flowId } = await withFlow({ email_send_settings: WINDOW });
  await signUp(workspace, 'carl');
  await signUp(workspace, 'dora');
  await waitsFor(workspace, 'send_window', 2);
  expect((await workspace.call('DELETE', '/v1/contacts/dora')).status).toBeLessThan(300);
  expect(await statuses(workspace)).toEqual(['cancelled', 'queued']);
  expect((await workspace.call('POST', `/v1/flows/${flowId}/stop`)).status).toBe(200);
  expect(await statuses(workspace)).toEqual(['cancelled', 'cancelled']);
  app.clock.wind(4 * HOUR);
  const { workspace: other } = await withFlow({});
  await signUp(other, 'witness');
  await areSent(other, 1);
  expect([...app.sink.to('carl@example.com'), ...app.sink.to('dora@example.com')]).toEqual([]);
});

test('a stop with 1,000 trips in flight: once it has answered no message starts, and each has its fate', async () => {
  // Enough that a thousand are left when the first messages are in flight.
  const TRIPS = 1_300;
  const { workspace, flowId } = await withFlow({ email_send_settings: WINDOW });
  const database = new pg.Client({ connectionString: app.adminUrl });
  await database.connect();
  const counts = async (table: string): Promise<Record<string, number>> => {
    const { rows } = await database.query<{ status: string; count: number }>(
      `SELECT status, count(*)::int AS count FROM ${table} WHERE workspace_id = $1 GROUP BY status`,
      [workspace.id],
    );
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  };
  const sum = (figures: Record<string, number>): number =>
    Object.values(figures).reduce((one, other) => one + other, 0);
  const received = (): number[] =>
    app.sink.mails.filter(({ to }) => to[0]?.startsWith('stopped-')).map(({ receivedAt }) => receivedAt);
  app.sink.delay = 150;
  try {
    for (let start = 0; start < TRIPS; start += 50) {
      const events = Array.from({ length: 50 }, (_, index) => ({
        external_id: `stopped-${start + index}`,
        event_name: 'signed_up',
        contact: { email: `stopped-${start + index}@example.com` },
      }));
      expect((await workspace.call('POST', '/v1/events/batch', { events })).status).toBe(202);
    }
    await until(
      'all are in flight',
      async () => (await counts('trips'))['awaiting_send'] === TRIPS,
      () => counts('trips'),
    );
    app.clock.wind(3 * HOUR);
    await until('messages are on their way', () => received().length > 20);
    await until('the first trips are over', async () => ((await counts('trips'))['completed'] ?? 0) > 0);
    expect((await counts('trips'))['awaiting_send']).toBeGreaterThanOrEqual(1_000);
    expect((await workspace.call('POST', `/v1/flows/${flowId}/stop`)).status).toBe(200);
    const answered = Date.now();
    const messages = await counts('email_logs');
    expect(Object.keys(messages).toSorted()).toEqual(['cancelled', 'sent']);
    expect(sum(messages)).toBe(TRIPS);
    const ended = await counts('trips');
    expect(Object.keys(ended).toSorted()).toEqual(['completed', 'terminated']);
    expect(sum(ended)).toBe(TRIPS);
    await signUp((await withFlow({})).workspace, 'after-the-stop');
    await until('the witness has its mail', () => app.sink.to('after-the-stop@example.com').length === 1);
    expect(received().filter((moment) => moment > answered)).toEqual([]);
    expect(received()).toHaveLength(messages['sent']!);
    expect(await counts('email_logs')).toEqual(messages);
    expect(await counts('trips')).toEqual(ended);
  } finally {
    app.sink.delay = 0;
    await database.end();
  }
});
