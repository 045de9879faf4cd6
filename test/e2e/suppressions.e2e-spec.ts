/** The list of suppressed addresses: manual entries, files, its effect on sending, and after an erasure. */
import pg from 'pg';
import { runCommand } from '../../src/processes/cli/commands.js';
import { PlainText, type CliContext } from '../../src/processes/cli/command.js';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';
import { UNWATCHED } from '../support/cli-world.js';

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

const FIELDS = `id address reason since by note emailLogId removedAt history { kind by reason note }`;
const LIST = `query ($first: Int, $after: String, $filter: SuppressionFilter) {
  suppressions(first: $first, after: $after, filter: $filter) { edges { cursor node { ${FIELDS} } } pageInfo { hasNextPage endCursor } } }`;
const ADD = `mutation ($input: AddSuppressionInput!) { addSuppression(input: $input) { ${FIELDS} } }`;
const REMOVE = `mutation ($input: RemoveSuppressionInput!) { removeSuppression(input: $input) { ${FIELDS} } }`;

/** A command-line environment in which every file contains the text. */
const worldOf = (text: string): CliContext => ({
  config: app.config,
  now: () => new Date(),
  readText: () => Promise.resolve(text),
  ...UNWATCHED,
  readInput: () => Promise.resolve(Buffer.alloc(0)),
  migrate: () => Promise.resolve([]),
  withServices: (work) => work(app.app),
});

const nodes = (answer: Answer): any[] =>
  (answer.body.data.suppressions.edges as { node: any }[]).map(({ node }) => node);
const errorOf = (answer: Answer): any => answer.body.errors[0].extensions;

async function withFlow(contentType: 'transactional' | 'promotional', workspace: TestWorkspace) {
  const slug = `hello-${contentType}`;
  const template = { name: slug, slug, subject: 'Hello', body_html: '<p>Hello</p>' };
  expect((await workspace.call('POST', '/v1/templates', template)).status).toBe(201);
  const step = {
    type: 'send_email',
    template_slug: slug,
    email_send_settings: { send_to_unsubscribed: true },
  };
  const { body } = await workspace.call('POST', '/v1/flows', {
    name: slug,
    trigger_event: `came_${contentType}`,
    content_type: contentType,
    steps: [step],
    settings: { reentry_policy: 'always' },
  });
  expect((await workspace.call('POST', `/v1/flows/${body.id}/activate`)).status).toBe(200);
}

async function send(workspace: TestWorkspace, externalId: string, contentType: string, email: string) {
  const event = { external_id: externalId, event_name: `came_${contentType}`, contact: { email } };
  expect((await workspace.call('POST', '/v1/events', event)).status).toBe(202);
}

async function fates(workspace: TestWorkspace, count: number): Promise<(string | null)[]> {
  const read = async () =>
    (
      await admin.query<{ status: string; reason: string | null }>(
        `SELECT status, suppressed_reason AS reason FROM email_logs WHERE workspace_id = $1 ORDER BY id`,
        [workspace.id],
      )
    ).rows;
  await until(
    `${count} messages are settled`,
    async () =>
      (await read()).filter(({ status }) => ['sent', 'suppressed'].includes(status)).length === count,
    read,
  );
  return (await read()).map(({ status, reason }) => reason ?? status);
}

test('an address by hand: no mail of any kind goes there in any spelling, until it is taken off', async () => {
  const workspace = await app.workspace();
  await withFlow('transactional', workspace);
  await withFlow('promotional', workspace);
  const added = (
    await workspace.graphql(ADD, { input: { email: 'Ada@Example.com', note: 'asked by phone' } })
  ).body.data.addSuppression;
  const { rows } = await admin.query<{ id: string }>('SELECT id FROM members WHERE workspace_id = $1', [
    workspace.id,
  ]);
  const by = rows[0]?.id;
  expect(added).toMatchObject({
    address: 'ada@example.com',
    reason: 'manual',
    by,
    note: 'asked by phone',
    removedAt: null,
    history: [{ kind: 'added', by, reason: 'manual', note: 'asked by phone' }],
  });
  await send(workspace, 'ada', 'transactional', 'ADA@example.COM');
  await send(workspace, 'ada', 'promotional', 'ADA@example.COM');
  expect(await fates(workspace, 2)).toEqual(['suppressed_manual', 'suppressed_manual']);

  const again = await workspace.graphql(ADD, { input: { email: 'ada@example.com', note: 'again' } });
  expect(again.body.data.addSuppression).toEqual(added);
  const removed = await workspace.graphql(REMOVE, { input: { id: added.id, note: 'she came back' } });
  expect(removed.body.data.removeSuppression.history).toEqual([
    ...added.history,
    { kind: 'removed', by, reason: null, note: 'she came back' },
  ]);
  expect(errorOf(await workspace.graphql(REMOVE, { input: { id: added.id } }))).toMatchObject({
    code: 'suppression_not_found',
  });
  expect(nodes(await workspace.graphql(LIST))).toEqual([]);
  expect(nodes(await workspace.graphql(LIST, { filter: { includesRemoved: true } }))).toHaveLength(1);
  await send(workspace, 'ada', 'transactional', 'ADA@example.COM');
  expect((await fates(workspace, 3)).at(-1)).toBe('sent');
  // In the other environment nothing was ever suppressed, and another workspace sees nothing.
  const other = await app.workspace();
  expect(nodes(await other.graphql(LIST, { filter: { includesRemoved: true } }))).toEqual([]);
  expect(errorOf(await other.graphql(REMOVE, { input: { id: added.id } }))).toMatchObject({
    code: 'suppression_not_found',
  });
});

test('what a simulation foresees, sending does', async () => {
  const workspace = await app.workspace();
  await withFlow('transactional', workspace);
  await workspace.graphql(ADD, { input: { email: 'sim@example.com' } });
  await send(workspace, 'sim', 'transactional', 'sim@example.com');
  expect(await fates(workspace, 1)).toEqual(['suppressed_manual']);
  app.clock.wind(1_000);
  const { body } = await workspace.call('GET', '/v1/flows');
  const answer = await workspace.graphql(
    'query ($flowId: ID!, $from: DateTime!) { simulateFlow(flowId: $flowId, from: $from) { unsent { kind reason messages } } }',
    { flowId: body.flows[0].id, from: new Date(app.clock.now().getTime() - 3_600_000).toISOString() },
  );
  expect(answer.body.data.simulateFlow.unsent).toEqual([
    { kind: 'suppressed', reason: 'suppressed_manual', messages: 1 },
  ]);
});

test('pages follow one another, and are searched by address and by reason', async () => {
  const workspace = await app.workspace();
  for (const name of ['a', 'b', 'c']) {
    app.clock.wind(1);
    await workspace.graphql(ADD, { input: { email: `${name}@x.test` } });
  }
  const first = await workspace.graphql(LIST, { first: 2 });
  expect(nodes(first).map(({ address }) => address)).toEqual(['c@x.test', 'b@x.test']);
  const { hasNextPage, endCursor } = first.body.data.suppressions.pageInfo;
  expect(hasNextPage).toBe(true);
  expect(nodes(await workspace.graphql(LIST, { after: endCursor })).map(({ address }) => address)).toEqual([
    'a@x.test',
  ]);
  const found = async (filter: object) =>
    nodes(await workspace.graphql(LIST, { filter })).map(({ address }) => address);
  expect(await found({ email: 'B@X.test' })).toEqual(['b@x.test']);
  expect(await found({ email: 'b@x' })).toEqual([]);
  expect(await found({ email: '' })).toEqual([]);
  expect(await found({ reason: 'complaint' })).toEqual([]);
});

test('who may not read or write email logs neither sees nor changes the list; keys see their environment’s', async () => {
  const workspace = await app.workspace({
    members: [
      { email: 'boss@x.test', role: 'owner' },
      { email: 'marketing@x.test', role: 'marketing' },
    ],
  });
  const as = async (email: string, query: string, variables: object = {}) =>
    app.request(
      'POST',
      '/graphql',
      { query, variables },
      { authorization: `Bearer ${await app.token(email)}`, 'x-workspace-id': workspace.id },
    );
  await as('boss@x.test', ADD, { input: { email: 'ada@x.test' } });
  for (const [query, variables] of [
    [LIST, {}],
    [ADD, { input: { email: 'b@x.test' } }],
    [REMOVE, { input: { id: '1' } }],
  ] as const)
    expect(errorOf(await as('marketing@x.test', query, variables))).toMatchObject({
      code: 'missing_permission',
    });
  const byKey = async (key: string) =>
    app.request('POST', '/graphql', { query: LIST }, { 'x-workspace-id': workspace.id, 'x-api-key': key });
  expect(nodes(await byKey(workspace.key))).toMatchObject([{ address: 'ada@x.test' }]);
  expect(nodes(await byKey(workspace.testKey))).toEqual([]);
});

test('an erasure keeps a digest: the address is gone, and mail to it is suppressed still', async () => {
  const workspace = await app.workspace();
  await withFlow('transactional', workspace);
  await workspace.call('POST', '/v1/contacts', { external_id: 'eve', email: 'Eve@x.test' });
  await workspace.graphql(ADD, { input: { email: 'eve@x.test', note: 'eve@x.test rang' } });
  const erased = await workspace.graphql('mutation { eraseContact(id: "eve") { suppressions } }');
  expect(erased.body.data.eraseContact).toEqual({ suppressions: 1 });
  const { rows } = await admin.query('SELECT s::text AS row FROM suppressions s WHERE workspace_id = $1', [
    workspace.id,
  ]);
  expect(JSON.stringify(rows)).not.toMatch(/eve@/i);
  expect(nodes(await workspace.graphql(LIST))).toMatchObject([
    { address: null, note: null, history: [{ kind: 'added', note: null }, { kind: 'erased' }] },
  ]);
  await send(workspace, 'eve again', 'transactional', 'eve@X.test');
  expect(await fates(workspace, 1)).toEqual(['suppressed_manual']);
  // The address is added again and then removed: both of its rows are removed.
  const { id } = (await workspace.graphql(ADD, { input: { email: 'eve@x.test' } })).body.data.addSuppression;
  expect(nodes(await workspace.graphql(LIST, { filter: { email: 'eve@x.test' } }))).toHaveLength(2);
  await workspace.graphql(REMOVE, { input: { id } });
  expect(nodes(await workspace.graphql(LIST))).toEqual([]);
  await send(workspace, 'eve again', 'transactional', 'eve@X.test');
  expect((await fates(workspace, 2)).at(-1)).toBe('sent');
});

test('of two erasures of an address the stronger reason stays, with all that was done', async () => {
  const workspace = await app.workspace();
  const erase = async (externalId: string) => {
    await workspace.call('POST', '/v1/contacts', { external_id: externalId, email: 'una@x.test' });
    await workspace.graphql('mutation ($id: ID!) { eraseContact(id: $id) { suppressions } }', {
      id: externalId,
    });
    return nodes(await workspace.graphql(LIST, { filter: { includesRemoved: true } }));
  };
  const world = worldOf('email,reason,note\nuna@x.test,complaint,una@x.test wrote\n');
  const { id } = (await workspace.graphql(ADD, { input: { email: 'una@x.test' } })).body.data.addSuppression;
  await erase('una 1');
  await runCommand(['suppression:import', '-', '--workspace', workspace.id], world);
  expect(await erase('una 2')).toMatchObject([
    {
      id,
      reason: 'complaint',
      history: [
        { kind: 'added', reason: 'manual' },
        { kind: 'erased' },
        { kind: 'added', reason: 'complaint', note: null },
        { kind: 'erased' },
      ],
    },
  ]);
  // A removed entry does not override a current one.
  await workspace.graphql(REMOVE, { input: { id } });
  await workspace.graphql(ADD, { input: { email: 'una@x.test' } });
  expect(await erase('una 3')).toMatchObject([{ id, reason: 'manual', removedAt: null }]);
});

test('lists come and go as files', async () => {
  const workspace = await app.workspace();
  const run = (text: string, ...argv: string[]) =>
    runCommand([...argv, '--workspace', workspace.id], worldOf(text));
  const csv =
    'email,reason,since\nold@x.test,hard_bounce,2020-01-01T00:00:00Z\n=1+1,manual,\nnew@x.test,complaint,2999-01-01T00:00:00Z\n' +
    'first@x.test,hard_bounce,0001-01-01T00:00:00Z\n';
  const imported = {
    total: 4,
    added: 3,
    unchanged: 0,
    refused: 1,
    errors: [{ line: 3, message: 'is not an email address' }],
  };
  expect(await run(csv, 'suppression:import', 'list.csv')).toMatchObject(imported);
  expect(await run(csv, 'suppression:import', '-')).toMatchObject({ added: 0, unchanged: 3 });
  const exported = await run('', 'suppression:export');
  if (!(exported instanceof PlainText)) throw new Error('The list is no text.');
  const now = app.clock.now().toISOString();
  expect(exported.text.split('\r\n')).toEqual([
    'email,reason,since,note',
    `new@x.test,complaint,${now},`,
    'old@x.test,hard_bounce,2020-01-01T00:00:00.000Z,',
    'first@x.test,hard_bounce,0001-01-01T00:00:00.000Z,',
    '',
  ]);
  expect(nodes(await workspace.graphql(LIST))[0]).toMatchObject({ by: 'operator' });
});

test('a list longer than a file that can be read is written whole', async () => {
  const workspace = await app.workspace();
  await admin.query(
    `INSERT INTO suppressions (workspace_id, id, environment, address, reason, since, added_by, history)
     SELECT $1, gen_random_uuid(), 'live', n || '@x.test', 'manual', now(), 'operator', '[]' FROM generate_series(1, 100001) AS n`,
    [workspace.id],
  );
  await admin.query('ANALYZE suppressions');
  const exported = await runCommand(['suppression:export', '--workspace', workspace.id], worldOf(''));
  if (!(exported instanceof PlainText)) throw new Error('The list is no text.');
  expect(new Set(exported.text.split('\r\n')).size).toBe(100_003);
});

test('an address whose server knows no such mailbox is on it from the first refusal on', async () => {
  const workspace = await app.workspace();
  await withFlow('transactional', workspace);
  app.sink.verdict = ({ to: [address] }) =>
    address?.startsWith('gone')
      ? { code: 550, text: '5.1.1 No such user' }
      : address?.startsWith('blocked')
        ? { code: 554, text: '5.7.1 Not wanted' }
        : address?.startsWith('unknown')
          ? { code: 550, text: '5.4.1 Recipient address rejected: Access denied' }
          : address?.startsWith('listed')
            ? { code: 550, text: '5.1.1 blocked using zen.spamhaus.org' }
            : undefined;
  try {
    for (const name of ['gone', 'blocked', 'unknown', 'listed'])
      await send(workspace, name, 'transactional', `${name}@example.com`);
    const failed = async (): Promise<boolean> => {
      const { rows } = await admin.query(
        `SELECT FROM email_logs WHERE workspace_id = $1 AND status = 'failed'`,
        [workspace.id],
      );
      return rows.length === 4;
    };
    await until('all are refused', failed);
    const listed = nodes(await workspace.graphql(LIST));
    expect(listed.toSorted((one: any, other: any) => one.address.localeCompare(other.address))).toMatchObject(
      [
        {
          address: 'gone@example.com',
          reason: 'hard_bounce',
          by: 'provider',
          note: '550 5.1.1 No such user',
        },
        { address: 'unknown@example.com', reason: 'hard_bounce' },
      ],
    );
    await send(workspace, 'gone', 'transactional', 'gone@example.com');
    const last = async (): Promise<unknown> =>
      (
        await admin.query<{ suppressed_reason: string | null }>(
          'SELECT suppressed_reason FROM email_logs WHERE workspace_id = $1 ORDER BY id DESC LIMIT 1',
          [workspace.id],
        )
      ).rows[0]?.suppressed_reason;
    await until('the next is not sent', async () => (await last()) === 'suppressed_hard_bounce');
  } finally {
    app.sink.verdict = () => undefined;
  }
});
