/** Topics that members of a workspace define, and preferences that its application reports, over GraphQL. */
import pg from 'pg';
import { PreferenceChangesListener } from '../../src/modules/preferences/application/preference-changes.listener.js';
import { PreferenceChecks } from '../../src/modules/preferences/application/preference-checks.js';
import type { PreferenceChange } from '../../src/modules/preferences/domain/preference-change.js';
import { Database } from '../../src/platform/database/database.js';
import { sharedApp, type TestApp, type TestWorkspace } from '../support/app.js';

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

const CREATE =
  'mutation($input: CreateTopicInput!) { createTopic(input: $input) { key name description names descriptions isSubscribedByDefault isArchived } }';
const UPDATE =
  'mutation($key: String!, $input: UpdateTopicInput!) { updateTopic(key: $key, input: $input) { key name names isArchived isSubscribedByDefault } }';
const SET =
  'mutation($slug: String!, $topic: String) { setTemplateTopic(slug: $slug, topic: $topic) { slug topic version } }';
const OUT =
  'mutation($id: ID!, $topic: String) { optContactOut(id: $id, topic: $topic) { topics { topic { key } isSubscribed isChosen } } }';
const IN =
  'mutation($id: ID!, $topic: String!) { optContactIn(id: $id, topic: $topic) { topics { isSubscribed } } }';
const CHANGES =
  'query($id: ID!, $first: Int, $after: String) { preferenceChanges(id: $id, first: $first, after: $after) { edges { cursor node { kind topic way actor messageId } } pageInfo { hasNextPage endCursor } } }';

async function ask(workspace: TestWorkspace, query: string, variables: object = {}): Promise<any> {
  const { body } = await workspace.graphql(query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
}

/** The error code, and the fields that it names. */
async function refusal(workspace: TestWorkspace, query: string, variables: object): Promise<unknown> {
  const { body } = await workspace.graphql(query, variables);
  const [{ extensions }] = body.errors;
  return [extensions.code, (extensions.errors ?? []).map(({ field }: { field: string }) => field)];
}

async function contact(workspace: TestWorkspace, externalId = 'ada'): Promise<string> {
  const fields = { external_id: externalId, email: `${externalId}@example.com` };
  return (await workspace.call('POST', '/v1/contacts', fields)).body.id;
}

test('a topic is made with its defaults, changed by what is given, and shown to its own workspace alone', async () => {
  const [workspace, other] = [await app.workspace(), await app.workspace()];
  const made = await ask(workspace, CREATE, { input: { key: 'product-news', name: 'News' } });
  expect(made.createTopic).toEqual({
    ...{ key: 'product-news', name: 'News', description: '', names: {}, descriptions: {} },
    ...{ isSubscribedByDefault: true, isArchived: false },
  });
  const input = { names: { de: 'Neues' }, isArchived: true };
  expect((await ask(workspace, UPDATE, { key: 'product-news', input })).updateTopic).toEqual({
    ...{ key: 'product-news', name: 'News', names: { de: 'Neues' } },
    ...{ isArchived: true, isSubscribedByDefault: true },
  });
  expect((await ask(workspace, '{ topics { key isArchived } }')).topics).toEqual([
    { key: 'product-news', isArchived: true },
  ]);
  const { auditLog } = await ask(
    workspace,
    '{ auditLog(first: 2) { edges { node { action subjectId before after } } } }',
  );
  expect(auditLog.edges.map(({ node }: { node: object }) => node)).toMatchObject([
    {
      ...{ action: 'topic_changed', subjectId: 'product-news', before: { names: {}, isArchived: false } },
      after: { name: 'News', names: { de: 'Neues' }, isArchived: true },
    },
    { action: 'topic_created', before: null, after: { key: 'product-news', isSubscribedByDefault: true } },
  ]);
  expect((await ask(other, '{ topics { key } }')).topics).toEqual([]);
  expect(await refusal(other, UPDATE, { key: 'product-news', input: {} })).toEqual(['topic_not_found', []]);
  expect(await refusal(other, UPDATE, { key: 'a\0', input: {} })).toEqual(['topic_not_found', []]);
});

test.each<[string, object, string]>([
  ['a key in capitals', { key: 'News' }, 'key'],
  ['a key with a blank', { key: 'my news' }, 'key'],
  ['a key that is too long', { key: 'x'.repeat(65) }, 'key'],
  ['a blank name', { name: '  ' }, 'name'],
  ['a name that is too long', { name: 'x'.repeat(101) }, 'name'],
  ['a description that is too long', { description: 'x'.repeat(301) }, 'description'],
  ['a language that is not spoken', { names: { xx: 'News' } }, 'names'],
  ['a name in a language that is too long', { names: { de: 'x'.repeat(101) } }, 'names'],
  ['a description in a language that is no text', { descriptions: { de: 7 } }, 'descriptions'],
])('is refused: %s', async (_name, wrong, field) => {
  const workspace = await app.workspace();
  const input = { key: 'news', name: 'News', ...wrong };
  expect(await refusal(workspace, CREATE, { input })).toEqual(['invalid_field', [field]]);
});

test('a key is had once, and a workspace has 50 topics at most, also when they are made at once', async () => {
  const workspace = await app.workspace();
  const answers = await Promise.all(
    Array.from({ length: 55 }, (_, i) => workspace.graphql(CREATE, { input: { key: `t${i}`, name: 'T' } })),
  );
  const codes = answers.map(({ body }) => body.errors?.[0].extensions.code ?? 'made');
  expect(codes.filter((code) => code === 'made')).toHaveLength(50);
  expect(codes.filter((code) => code === 'invalid_field')).toHaveLength(5);
  const [{ key }] = (await ask(workspace, '{ topics { key } }')).topics;
  expect(await refusal(workspace, CREATE, { input: { key, name: 'T' } })).toEqual(['conflict', []]);
});

test('a template is given a topic, which makes no version and shows in no REST answer', async () => {
  const workspace = await app.workspace();
  await ask(workspace, CREATE, { input: { key: 'news', name: 'News' } });
  await ask(workspace, CREATE, { input: { key: 'old', name: 'Old' } });
  await ask(workspace, UPDATE, { key: 'old', input: { isArchived: true } });
  await workspace.call('POST', '/v1/templates', { name: 'A', slug: 'a', body_html: '<p>a</p>' });
  expect(await refusal(workspace, SET, { slug: 'b', topic: 'news' })).toEqual(['template_not_found', []]);
  expect(await refusal(workspace, SET, { slug: 'a', topic: 'none' })).toEqual(['topic_not_found', []]);
  expect(await refusal(workspace, SET, { slug: 'a', topic: 'old' })).toEqual(['invalid_field', ['topic']]);
  const given = { slug: 'a', topic: 'news', version: 1 };
  expect((await ask(workspace, SET, { slug: 'a', topic: 'news' })).setTemplateTopic).toEqual(given);
  expect((await workspace.call('GET', '/v1/templates/a')).body).not.toHaveProperty('topic');
  const { body } = await workspace.call('PUT', '/v1/templates/a', { body_html: '<p>b</p>' });
  expect([body.version, body.body_html]).toEqual([2, '<p>b</p>']);
  const listed = await ask(workspace, '{ templates { edges { node { slug topic version } } } }');
  expect(listed.templates.edges).toEqual([{ node: { slug: 'a', topic: 'news', version: 2 } }]);
  expect((await ask(workspace, SET, { slug: 'a' })).setTemplateTopic.topic).toBeNull();
});

test('the application opts contacts out, and in only where they have not opted out themselves', async () => {
  const workspace = await app.workspace();
  await ask(workspace, CREATE, { input: { key: 'news', name: 'News' } });
  app.clock.wind(1_000);
  await ask(workspace, CREATE, { input: { key: 'digest', name: 'Digest', isSubscribedByDefault: false } });
  const id = await contact(workspace);
  app.clock.wind(1_000);
  expect((await ask(workspace, IN, { id, topic: 'digest' })).optContactIn.topics).toEqual([
    { isSubscribed: true },
    { isSubscribed: true },
  ]);
  app.clock.wind(1_000);
  for (let times = 0; times < 2; times++)
    expect((await ask(workspace, OUT, { id: 'ada', topic: 'news' })).optContactOut.topics).toEqual([
      { topic: { key: 'news' }, isSubscribed: false, isChosen: true },
      { topic: { key: 'digest' }, isSubscribed: true, isChosen: true },
    ]);
  expect(await refusal(workspace, IN, { id, topic: 'news' })).toEqual(['conflict', []]);
  expect(await refusal(workspace, OUT, { id, topic: 'none' })).toEqual(['topic_not_found', []]);
  expect(await refusal(workspace, OUT, { id: 'nobody' })).toEqual(['contact_not_found', []]);
  app.clock.wind(1_000);
  await ask(workspace, OUT, { id });
  expect((await workspace.call('GET', '/v1/contacts/ada')).body.subscription_status).toBe('unsubscribed');
  const { preferenceChanges: page } = await ask(workspace, CHANGES, { id, first: 2 });
  const member = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const byMember = { way: 'api', actor: member, messageId: null };
  expect(page.edges.map(({ node }: { node: unknown }) => node)).toEqual([
    { kind: 'opted_out', topic: null, ...byMember },
    { kind: 'opted_out', topic: 'news', ...byMember },
  ]);
  expect(page.pageInfo.hasNextPage).toBe(true);
  const rest = await ask(workspace, CHANGES, { id, first: 2, after: page.pageInfo.endCursor });
  expect(rest.preferenceChanges.edges.map(({ node }: { node: { kind: string } }) => node.kind)).toEqual([
    'opted_in',
  ]);
});

test('contacts of a list are shown with what each has chosen', async () => {
  const workspace = await app.workspace();
  await ask(workspace, CREATE, { input: { key: 'news', name: 'News' } });
  const [ada] = [await contact(workspace, 'ada'), await contact(workspace, 'bob')];
  await ask(workspace, OUT, { id: ada, topic: 'news' });
  const query =
    '{ contacts(sortBy: externalId, sortOrder: asc) { edges { node { externalId preferences { pausedUntil topics { isSubscribed } } } } } }';
  const { contacts } = await ask(workspace, query);
  expect(contacts.edges.map(({ node }: { node: unknown }) => node)).toEqual([
    { externalId: 'ada', preferences: { pausedUntil: null, topics: [{ isSubscribed: false }] } },
    { externalId: 'bob', preferences: { pausedUntil: null, topics: [{ isSubscribed: true }] } },
  ]);
});

test('an archived topic is offered to nobody, and what was chosen of it holds', async () => {
  const workspace = await app.workspace();
  const scope = { workspaceId: workspace.id, environment: 'live' as const };
  await ask(workspace, CREATE, { input: { key: 'news', name: 'News' } });
  const [ada, bob] = [await contact(workspace, 'ada'), await contact(workspace, 'bob')];
  await ask(workspace, OUT, { id: ada, topic: 'news' });
  await ask(workspace, UPDATE, { key: 'news', input: { isArchived: true } });
  expect(await refusal(workspace, OUT, { id: bob, topic: 'news' })).toEqual(['invalid_field', ['topic']]);
  const against = (
    contactIds: readonly string[],
    topic: string | null,
    environment: 'live' | 'test' = 'live',
  ) =>
    app.app.get(Database, { strict: false }).inScope({ ...scope, environment }, (tx) =>
      app.app.get(PreferenceChecks, { strict: false }).check(
        tx,
        { ...scope, environment },
        contactIds.map((contactId) => ({ contactId, topic })),
        app.clock.now(),
      ),
    );
  const no = expect.objectContaining({ reason: 'unsubscribed_topic', topic: 'news' });
  expect(await against([bob, ada, ada], 'news')).toEqual([null, no, no]);
  expect(await against([ada, bob], null)).toEqual([null, null]);
  // A deleted topic blocks no mail, and the choice does not apply in the other environment.
  expect(await against([ada], 'none')).toEqual([null]);
  expect(await against([ada], 'news', 'test')).toEqual([null]);
});

test('each change is announced once, in the transaction that stores it: who hears and throws undoes it', async () => {
  const workspace = await app.workspace();
  await ask(workspace, CREATE, { input: { key: 'news', name: 'News' } });
  const id = await contact(workspace);
  const listeners = app.app.get(PreferenceChangesListener, { strict: false });
  const received: PreferenceChange[] = [];
  const usual = listeners.handle.bind(listeners);
  try {
    listeners.handle = (_tx, _scope, changes) => {
      received.push(...changes);
      return Promise.reject(new Error('A listener refuses.'));
    };
    await workspace.graphql(OUT, { id, topic: 'news' });
    expect((await ask(workspace, CHANGES, { id })).preferenceChanges.edges).toEqual([]);
    listeners.handle = (_tx, _scope, changes) => Promise.resolve(void received.push(...changes));
    for (let times = 0; times < 2; times++) await ask(workspace, OUT, { id, topic: 'news' });
    for (let times = 0; times < 2; times++) await ask(workspace, OUT, { id });
  } finally {
    listeners.handle = usual;
  }
  expect(received.map(({ contactId, kind, topic, way }) => [contactId, kind, topic, way])).toEqual([
    [id, 'opted_out', 'news', 'api'],
    [id, 'opted_out', 'news', 'api'],
    [id, 'opted_out', null, 'api'],
  ]);
});
