/** Reports of an email provider about messages, over HTTP with signed bodies: section 6.2. */
import { createHmac, randomBytes } from 'node:crypto';
import pg from 'pg';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';

const KEY = randomBytes(32);
const OLD_KEY = randomBytes(24);
const secretOf = (key: Buffer): string => `whsec_${key.toString('base64')}`;
const PATH = '/v1/webhooks/email';

let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await bootApp({ env: { EMAIL_WEBHOOK_SECRET: `${secretOf(KEY)}, ${secretOf(OLD_KEY)}` } });
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});
beforeEach(async () => {
  workspace = await app.workspace();
  const template = { name: 'Hello', slug: 'hello', subject: 'Hello', body_html: '<p>Hello</p>' };
  expect((await workspace.call('POST', '/v1/templates', template)).status).toBe(201);
  const { body } = await workspace.call('POST', '/v1/flows', {
    name: 'Hello',
    trigger_event: 'came',
    content_type: 'transactional',
    steps: [{ type: 'send_email', template_slug: 'hello' }],
    settings: { reentry_policy: 'always' },
  });
  expect((await workspace.call('POST', `/v1/flows/${body.id}/activate`)).status).toBe(200);
});

interface Signing {
  readonly id?: string;
  readonly key?: Buffer;
  /** Seconds from now. */
  readonly ahead?: number;
  readonly prefix?: string;
}
let serial = 0;

async function post(
  body: object | string | Buffer,
  { id = `msg_${++serial}`, key = KEY, ahead = 0, prefix = 'svix' }: Signing = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const seconds = String(Math.floor(Date.now() / 1_000) + ahead);
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.`).update(bytes).digest('base64');
  const response = await fetch(app.url + PATH, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [`${prefix}-id`]: id,
      [`${prefix}-timestamp`]: seconds,
      [`${prefix}-signature`]: `v1,${signature}`,
      ...headers,
    },
    body: new Uint8Array(bytes),
  });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text) as unknown, headers: response.headers };
}

interface Row {
  readonly id: string;
  readonly status: string;
  readonly suppressed_reason: string | null;
  readonly sent_at: Date | null;
}

async function logs(): Promise<Row[]> {
  const { rows } = await admin.query<Row>('SELECT * FROM email_logs WHERE workspace_id = $1 ORDER BY id', [
    workspace.id,
  ]);
  return rows;
}

/** Sends one message; returns its ledger row once it is settled. */
async function send(externalId: string, email = `${externalId}@x.test`): Promise<Row> {
  const before = (await logs()).length;
  const event = { external_id: externalId, event_name: 'came', contact: { email } };
  expect((await workspace.call('POST', '/v1/events', event)).status).toBe(202);
  const settled = async (): Promise<Row | undefined> =>
    (await logs()).slice(before).find(({ status }) => status === 'sent' || status === 'suppressed');
  await until('the message is settled', async () => (await settled()) !== undefined, logs);
  const row = await settled();
  if (!row) throw new Error('There is no message.');
  return row;
}

/** Waits until every report has been processed. */
const untilReportsProcessed = (): Promise<void> =>
  until('word was worked on', async () => {
    const { rows } = await admin.query(
      'SELECT 1 FROM feedback WHERE workspace_id = $1 AND processed_at IS NULL',
      [workspace.id],
    );
    return rows.length === 0;
  });

const event = (type: string, emailId: string, data: object = {}, created = new Date()) => ({
  type: `email.${type}`,
  created_at: created.toISOString(),
  data: { email_id: emailId, ...data },
});

const FIELDS = `status deliveredAt openedAt opens machineOpens clickedAt clicks machineClicks bouncedAt bounceKind bounceCode bounceDetail complainedAt`;
async function shown(id: string): Promise<any> {
  const { body } = await workspace.graphql(`query ($id: ID!) { emailLog(id: $id) { ${FIELDS} } }`, { id });
  return body.data.emailLog;
}

async function suppressed(): Promise<{ address: string; reason: string; by: string; emailLogId: string }[]> {
  const { body } = await workspace.graphql(
    '{ suppressions { edges { node { address reason by emailLogId } } } }',
  );
  return (body.data.suppressions.edges as { node: any }[]).map(({ node }) => node);
}

async function figures(): Promise<object> {
  const { rows } = await admin.query<Record<string, string>>(
    `SELECT sum(delivered) AS delivered, sum(opened) AS opened, sum(clicked) AS clicked, sum(bounced) AS bounced,
       sum(complained) AS complained FROM (
       SELECT workspace_id, delivered, opened, clicked, bounced, complained FROM email_rollups WHERE level = 1
       UNION ALL SELECT workspace_id, delivered, opened, clicked, bounced, complained FROM email_changes) AS sums
     WHERE workspace_id = $1`,
    [workspace.id],
  );
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, sum]) => [name, Number(sum)]));
}

test('what became of a message, in whichever order it is told and however often', async () => {
  const { id, sent_at: sentAt } = await send('ada');
  const words: [string, object][] = [
    ['clicked', { click: { link: 'https://x.test/a', userAgent: 'Mozilla/5.0 (X11) Firefox/130' } }],
    ['opened', { open: { userAgent: 'Mozilla/5.0' } }],
    ['delivered', {}],
    ['opened', { open: { userAgent: 'Mozilla/5.0 (X11) Firefox/130' } }],
    ['sent', {}],
    ['delivery_delayed', { strange: true }],
  ];
  for (const [type, data] of words) {
    const key = `ada_${type}_${words.findIndex((word) => word[1] === data)}`;
    for (let again = 0; again < 2; again++)
      expect(await post(event(type, id, data), { id: key })).toMatchObject({
        status: 200,
        body: { received: true },
      });
  }
  await untilReportsProcessed();
  const log = await shown(id);
  expect(log).toMatchObject({
    status: 'sent',
    opens: 1,
    machineOpens: 1,
    clicks: 1,
    machineClicks: 0,
    bouncedAt: null,
    complainedAt: null,
  });
  for (const moment of [log.deliveredAt, log.openedAt, log.clickedAt])
    expect(Date.parse(moment as string)).toBeGreaterThanOrEqual(sentAt?.getTime() ?? Infinity);
  expect(await figures()).toEqual({ delivered: 1, opened: 1, clicked: 1, bounced: 0, complained: 0 });
  // The content of a report is deleted once it has been processed.
  const { rows } = await admin.query('SELECT DISTINCT facts FROM feedback WHERE workspace_id = $1', [
    workspace.id,
  ]);
  expect(rows).toEqual([{ facts: {} }]);
});

test('a complaint suppresses the next message, also in another spelling', async () => {
  const { id } = await send('bob', 'Bob@x.test');
  expect((await post(event('complained', id))).status).toBe(200);
  await untilReportsProcessed();
  expect(await suppressed()).toEqual([
    { address: 'bob@x.test', reason: 'complaint', by: 'provider', emailLogId: id },
  ]);
  expect((await send('bob', 'BOB@X.test')).suppressed_reason).toBe('suppressed_complaint');
  expect(await figures()).toMatchObject({ delivered: 1, complained: 1 });
});

test('a hard bounce suppresses, a soft one does not; a scanner’s clicks are taken back', async () => {
  const hard = await send('carl');
  const soft = await send('dora');
  await post(event('bounced', hard.id, { bounce: { type: 'Permanent', message: '550 5.1.1 no such user' } }));
  await post(event('bounced', soft.id, { bounce: { type: 'Transient', message: '452 4.2.2 full' } }));
  await post(event('clicked', soft.id, { click: { link: 'https://x.test/1' } }));
  await untilReportsProcessed();
  expect(await shown(soft.id)).toMatchObject({ clicks: 1, bounceKind: 'soft', bounceCode: '4.2.2' });
  for (const link of ['2', '3'])
    await post(event('clicked', soft.id, { click: { link: `https://x.test/${link}` } }));
  await untilReportsProcessed();
  expect(await shown(soft.id)).toMatchObject({ clicks: 0, clickedAt: null, machineClicks: 3 });
  expect(await shown(hard.id)).toMatchObject({
    bounceKind: 'hard',
    bounceCode: '5.1.1',
    bounceDetail: '550 5.1.1 no such user',
  });
  expect((await suppressed()).map(({ address, reason }) => [address, reason])).toEqual([
    ['carl@x.test', 'hard_bounce'],
  ]);
  expect((await send('carl')).suppressed_reason).toBe('suppressed_hard_bounce');
  expect((await send('dora')).status).toBe('sent');
  expect(await figures()).toMatchObject({ clicked: 0, opened: 0 });
});

test('soft bounces in a row over three days suppress, in whichever spelling of the address', async () => {
  for (const email of ['emil@x.test', 'Emil@x.test', 'emil@X.test']) {
    const { id } = await send('emil', email);
    expect(await suppressed()).toEqual([]);
    await post(event('bounced', id, { bounce: { type: 'Transient', message: `${'x'.repeat(499)}😀` } }));
    await untilReportsProcessed();
    app.clock.wind(36 * 3_600_000);
  }
  expect(await suppressed()).toMatchObject([{ address: 'emil@x.test', reason: 'hard_bounce' }]);
});

test('a hundred of the same at once, and a hundred others in any order, count once each', async () => {
  const { id } = await send('fay');
  const same = await Promise.all(
    Array.from({ length: 100 }, () =>
      post(event('opened', id, { open: { userAgent: 'Firefox' } }), { id: 'fay_open' }),
    ),
  );
  expect(new Set(same.map(({ status }) => status))).toEqual(new Set([200]));
  const others = Array.from({ length: 100 }, (_, n) => n).toSorted(
    (a, b) => ((a * 37) % 101) - ((b * 37) % 101),
  );
  await Promise.all(
    others.map((n) => post(event('opened', id, { open: { userAgent: 'Firefox' } }), { id: `fay_${n}` })),
  );
  await untilReportsProcessed();
  expect(await shown(id)).toMatchObject({ opens: 101 });
  expect(await figures()).toMatchObject({ delivered: 1, opened: 1 });
});

test('without a good signature nothing is read, and nothing is told', async () => {
  const { id } = await send('gil');
  const body = event('complained', id);
  const other = randomBytes(32);
  for (const answer of [
    await post(body, { key: other }),
    await post(body, { ahead: -301 }),
    await post(body, { ahead: 301 }),
    await post(body, {}, { 'svix-signature': '' }),
    await post(body, {}, { 'svix-id': 'another' }),
    await post('{"type": ', { key: other }),
    await post(Buffer.from([0xff, 0xfe]), { key: other }),
    await app.request('POST', PATH, body),
    await app.request('POST', PATH),
  ])
    expect([answer.status, answer.body.code, typeof answer.body.detail]).toEqual([
      401,
      'invalid_signature',
      'string',
    ]);
  for (const good of [await post(body, { key: OLD_KEY }), await post(body, { prefix: 'webhook' })])
    expect(good.status).toBe(200);
  await untilReportsProcessed();
  expect(await suppressed()).toHaveLength(1);
});

test('what is about no message of ours is answered as what is, and strange bodies harm nobody', async () => {
  const { id } = await send('hal');
  const known = await post(event('delivered', id));
  const unknown = await post(event('delivered', '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea'));
  const nobody = await post({ type: 'email.delivered' });
  for (const answer of [unknown, nobody])
    expect([answer.status, answer.body]).toEqual([known.status, known.body]);
  for (const [body, status] of [
    ['', 400],
    ['{', 400],
    ['[]', 400],
    ['{"data": {}}', 400],
    ['{"__proto__": {"type": "email.sent"}}', 400],
    [Buffer.from([0x7b, 0xff, 0x7d]), 400],
    [`${'['.repeat(10_000)}${']'.repeat(10_000)}`, 400],
    [JSON.stringify({ type: 'x', padding: 'x'.repeat(256 * 1024) }), 413],
    [
      JSON.stringify(
        event('bounced', id, { bounce: { message: '\u0000\ud800 5.0.0', type: 7 }, to: '\u0000' }),
      ),
      200,
    ],
    [
      `{"type":"email.opened","created_at":"9999-99-99","data":{"email_id":"${id}","open":{"userAgent":"\\u0000"}}}`,
      200,
    ],
  ] as const) {
    const answer = await post(body);
    expect([String(body).slice(0, 40), answer.status]).toEqual([String(body).slice(0, 40), status]);
  }
  await untilReportsProcessed();
  expect(await shown(id)).toMatchObject({ opens: 1, bounceKind: 'soft' });
});

test('signed word is never held up by what else came from its address', async () => {
  const { id } = await send('ida');
  for (let n = 0; n < 130; n++) await app.request('POST', PATH, '{}');
  expect((await app.request('GET', '/v1/nowhere')).status).toBe(429);
  expect((await post(event('delivered', id))).status).toBe(200);
});

test('a message of unknown fate is sent, once there is word of it', async () => {
  const { id } = await send('joe');
  await admin.query(
    `UPDATE email_logs SET status = 'unknown', sent_at = NULL, error_code = 'unknown_fate' WHERE id = $1`,
    [id],
  );
  await post(event('delivered', id));
  await untilReportsProcessed();
  expect(await shown(id)).toMatchObject({ status: 'sent', deliveredAt: expect.any(String) });
});

test('goals of the flow count what people do with its messages, each message once', async () => {
  const { body: list } = await workspace.call('GET', '/v1/flows');
  const flow = (list.flows ?? list.data ?? list.items)[0].id as string;
  for (const name of ['email_clicked', 'email_opened'])
    expect((await workspace.call('POST', `/v1/flows/${flow}/goals`, { name, event_name: name })).status).toBe(
      201,
    );
  const other = await workspace.call('POST', '/v1/flows', {
    name: 'Other',
    trigger_event: 'came_elsewhere',
    content_type: 'transactional',
    steps: [],
  });
  await workspace.call('POST', `/v1/flows/${other.body.id}/goals`, {
    name: 'x',
    event_name: 'email_clicked',
  });
  const [one, two] = [await send('ivo'), await send('ida')];
  const click = (agent: string) => ({
    click: { link: 'https://x.test/a', timestamp: new Date().toISOString(), userAgent: agent },
  });
  await post(
    event('clicked', one.id, click('Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0')),
  );
  await post(
    event('clicked', one.id, click('Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0')),
  );
  await post(event('clicked', two.id, click('curl/8.0')));
  await untilReportsProcessed();
  const counted = async (id: string): Promise<unknown> =>
    (await workspace.call('GET', `/v1/flows/${id}/goal-conversions`)).body.goals.map((goal: any) => [
      goal.event_name,
      goal.entered,
      goal.conversions,
      goal.total_conversions,
    ]);
  expect(await counted(flow)).toEqual([
    ['email_clicked', 2, 1, 1],
    ['email_opened', 2, 0, 0],
  ]);
  expect(await counted(other.body.id)).toEqual([['email_clicked', 0, 0, 0]]);
});

test('word of a message that was to go once more has it use the slot of its throttle that it held', async () => {
  const { id } = await send('jill');
  await admin.query(
    `UPDATE email_logs SET status = 'queued', sent_at = NULL, reissues = 1, has_slot = true, slot_at = NULL,
       next_attempt_at = now() + interval '1 day' WHERE id = $1`,
    [id],
  );
  await post(event('delivered', id));
  await untilReportsProcessed();
  const { rows } = await admin.query('SELECT status, has_slot, slot_at FROM email_logs WHERE id = $1', [id]);
  expect(rows).toEqual([{ status: 'sent', has_slot: false, slot_at: expect.any(Date) }]);
});

test('word is forgotten after a week, and that of erased people suppresses by a digest', async () => {
  const { id } = await send('kim');
  expect(
    (await workspace.graphql('mutation { eraseContact(id: "kim") { emails } }')).body.data.eraseContact,
  ).toEqual({ emails: 1 });
  await post(event('complained', id, { to: ['"Kim" <Kim@x.test>'] }));
  await post(event('bounced', id, { bounce: { message: '550 5.1.1 <kim@x.test> unknown' } }));
  await untilReportsProcessed();
  expect(await shown(id)).toMatchObject({ bounceCode: '5.1.1', bounceDetail: null });
  expect(await suppressed()).toMatchObject([{ address: null, reason: 'complaint' }]);
  expect((await send('kim again', 'kim@x.test')).suppressed_reason).toBe('suppressed_complaint');
  app.clock.wind(8 * 24 * 3_600_000);
  await until('it is forgotten', async () => {
    const { rows } = await admin.query('SELECT 1 FROM feedback WHERE workspace_id = $1', [workspace.id]);
    return rows.length === 0;
  });
});

test('word that nothing can be made of is set aside alone, loses what it says of erased people, and is put back', async () => {
  const { id } = await send('lea');
  const facts = {
    kind: 'bounced',
    user_agent: 'Firefox',
    recipient: 'lea@x.test',
    bounce: { kind: 'hard', code: null, detail: 7 },
  };
  const bad = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0f0001';
  await admin.query(
    `INSERT INTO feedback (workspace_id, environment, id, key, type, email_log_id, facts, happened_at, due_at)
     VALUES ($1, 'live', $2, 'bad', 'email.bounced', $3, $4, $5, $5)`,
    [workspace.id, bad, id, JSON.stringify(facts), app.clock.now()],
  );
  await post(event('delivered', id));
  const list = async (): Promise<any[]> =>
    (
      (await workspace.graphql('{ setAsideWork { edges { node { id kind subjectId code } } } }')).body.data
        .setAsideWork.edges as { node: any }[]
    ).map(({ node }) => node);
  await until('it is set aside', async () => (await list()).length === 1);
  const [work] = await list();
  expect(work).toMatchObject({ kind: 'feedback', subjectId: bad, code: 'product_fault' });
  await until('the other went on', async () => (await shown(id)).deliveredAt !== null);
  expect((await shown(id)).bouncedAt).toBeNull();

  await workspace.graphql('mutation { eraseContact(id: "lea") { emails } }');
  const { rows } = await admin.query<{ facts: object }>('SELECT facts FROM feedback WHERE id = $1', [bad]);
  expect(rows[0]?.facts).toEqual({
    kind: 'bounced',
    user_agent: null,
    recipient: null,
    bounce: { kind: 'hard', code: null, detail: null },
  });
  const retried = await workspace.graphql(
    'mutation ($id: ID!) { retrySetAsideWork(id: $id) { isPutBack } }',
    { id: work.id },
  );
  expect(retried.body.data.retrySetAsideWork).toEqual({ isPutBack: true });
  await untilReportsProcessed();
  expect(await shown(id)).toMatchObject({ bounceKind: 'hard', bounceDetail: null });
});
