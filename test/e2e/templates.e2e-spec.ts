/** Templates over HTTP and GraphQL: every rule of sections 2.7 and 4.3 that this release implements. */
import { sharedApp, type TestApp, type TestWorkspace } from '../support/app.js';

let app: TestApp;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  workspace = await app.workspace();
});

const GOOD = {
  name: 'Welcome',
  slug: 'welcome',
  body_html: '<p>Hi {the user\'s First Name, or "there"}</p>',
};

const create = (more: object = {}) => workspace.call('POST', '/v1/templates', { ...GOOD, ...more });

/** A caller of the workspace with another role or key. */
const as = (headers: Record<string, string>) => (method: string, path: string, body?: unknown) =>
  app.request(method, path, body, { 'x-workspace-id': workspace.id, ...headers });

describe('create', () => {
  test('answers 201 with the whole template', async () => {
    const answer = await create({ subject: 'Hello', body_ast: { blocks: [] }, template_language: 'nlt' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Welcome',
      slug: 'welcome',
      subject: 'Hello',
      body_html: GOOD.body_html,
      body_ast: { blocks: [] },
      body_text: 'Hi {the user\'s First Name, or "there"}',
      ast_schema_version: null,
      renderer_used: null,
      is_active: true,
      template_language: 'nlt',
      version: 1,
      validation_status: 'valid',
      validation_errors: [],
      created_at: app.clock.now().toISOString(),
      updated_at: app.clock.now().toISOString(),
    });
  });

  test('fills in what is left out', async () => {
    expect((await create()).body).toMatchObject({
      subject: null,
      body_ast: null,
      template_language: null,
      is_active: true,
    });
  });

  test.each(['sender_name', 'from_email', 'reply_to', 'bcc', 'content_type', 'status'])(
    'refuses the delivery field %s with 422 and names it',
    async (field) => {
      const answer = await create({ [field]: 'x' });
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({ code: 'invalid_field', errors: [{ field }] });
      expect((await workspace.call('GET', '/v1/templates')).body).toEqual([]);
    },
  );

  test.each([
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['an id', { id: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface' }, 'id'],
    ['a slug in capitals', { slug: 'Welcome' }, 'slug'],
    ['a slug with a slash', { slug: 'a/b' }, 'slug'],
    ['an empty name', { name: '' }, 'name'],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 'name'],
    ['a subject of 256 characters', { subject: 'x'.repeat(256) }, 'subject'],
    ['an empty body', { body_html: '' }, 'body_html'],
    ['a body beyond 2 MB', { body_html: 'x'.repeat(2_097_153) }, 'body_html'],
    ['a body of too many bytes', { body_html: 'é'.repeat(1_048_577) }, 'body_html'],
    ['a body_ast that is a text', { body_ast: 'x' }, 'body_ast'],
    ['a language that does not exist', { template_language: 'mjml' }, 'template_language'],
    ['is_active as a text', { is_active: 'yes' }, 'is_active'],
  ])('refuses %s with 422 and names the field', async (_name, more, field) => {
    const answer = await create(more);
    expect([answer.status, answer.body.code, answer.body.errors?.[0]?.field]).toEqual([
      422,
      'invalid_field',
      field,
    ]);
    expect(answer.body.request_id).toEqual(expect.any(String));
  });

  test.each(['name', 'slug', 'body_html'])('refuses a body without %s with 400', async (field) => {
    const answer = await create({ [field]: undefined });
    expect([answer.status, answer.body.code, answer.body.errors?.[0]?.field]).toEqual([
      400,
      'validation_error',
      field,
    ]);
  });

  test('needs body_html also when body_ast is given', async () => {
    expect((await create({ body_html: undefined, body_ast: {} })).status).toBe(400);
  });

  test('takes a body of exactly 2 MB and a subject of 255 characters', async () => {
    const answer = await create({ body_html: 'x'.repeat(2_097_152), subject: 's'.repeat(255) });
    expect(answer.status).toBe(201);
  });

  test('answers 409 duplicate_slug for a slug that the workspace has', async () => {
    await create();
    const again = await create({ name: 'Another' });
    expect([again.status, again.body.code]).toEqual([409, 'duplicate_slug']);
  });

  test('of ten at once with one slug, one is made', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create()));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  });

  test('lets another workspace have the same slug', async () => {
    await create();
    const other = await app.workspace();
    expect((await other.call('POST', '/v1/templates', GOOD)).status).toBe(201);
  });

  test('saves a template with errors, and says what they are', async () => {
    const answer = await create({ body_html: "<p>\n{the user's Name", subject: '{end if}' });
    expect([answer.status, answer.body.validation_status]).toEqual([201, 'has_errors']);
    expect(answer.body.validation_errors).toMatchObject([
      { severity: 'error', field: 'subject', block_text: '{end if}', line: 1, column: 1 },
      { severity: 'error', field: 'body_html', line: 2 },
    ]);
    const stored = await workspace.call('GET', '/v1/templates/welcome');
    expect(stored.body.validation_errors).toEqual(answer.body.validation_errors);
  });

  test('saves a template with warnings', async () => {
    const answer = await create({ body_html: '{the Note, as "html"}' });
    expect([answer.status, answer.body.validation_status]).toEqual([201, 'has_warnings']);
  });
});

describe('list', () => {
  test('is a bare array, the most recently updated first, each with its subject', async () => {
    for (const slug of ['first', 'second', 'third']) {
      await create({ slug, subject: `Subject of ${slug}` });
      app.clock.wind(1_000);
    }
    const answer = await workspace.call('GET', '/v1/templates');
    expect(answer.status).toBe(200);
    expect(
      answer.body.map(({ slug, subject }: { slug: string; subject: string }) => [slug, subject]),
    ).toEqual([
      ['third', 'Subject of third'],
      ['second', 'Subject of second'],
      ['first', 'Subject of first'],
    ]);
  });

  test('shows nothing of another workspace', async () => {
    await create();
    const other = await app.workspace();
    expect((await other.call('GET', '/v1/templates')).body).toEqual([]);
  });
});

describe('get', () => {
  test('gives one template', async () => {
    const created = await create({ body_ast: { blocks: [{ type: 'text' }] } });
    const answer = await workspace.call('GET', '/v1/templates/welcome');
    expect([answer.status, answer.body]).toEqual([200, created.body]);
  });

  test.each(['unknown', 'Welcome', 'x'.repeat(90)])('answers 404 template_not_found for %s', async (slug) => {
    const answer = await workspace.call('GET', `/v1/templates/${slug}`);
    expect([answer.status, answer.body.code]).toEqual([404, 'template_not_found']);
  });

  test('answers 404 for a template of another workspace', async () => {
    await create();
    const other = await app.workspace();
    expect((await other.call('GET', '/v1/templates/welcome')).status).toBe(404);
  });

  test('the test environment sees the same templates', async () => {
    await create();
    const answer = await as({ 'x-api-key': workspace.testKey })('GET', '/v1/templates/welcome');
    expect(answer.status).toBe(200);
  });
});

describe('who may', () => {
  async function withMembers(): Promise<
    Record<string, (method: string, path: string, body?: unknown) => ReturnType<TestApp['request']>>
  > {
    const tag = `${Date.now()}-${Math.random().toString(36).slice(2)}`;
    const roles = ['developer', 'marketing', 'operations', 'viewer'];
    workspace = await app.workspace({
      members: [
        { email: `owner-${tag}@example.com`, role: 'owner' },
        ...roles.map((role) => ({ email: `${role}-${tag}@example.com`, role })),
      ],
      api_keys: [
        { name: 'live', scope: 'full', environment: 'live' },
        { name: 'test', scope: 'full', environment: 'test' },
      ],
    });
    const callers = await Promise.all(
      roles.map(
        async (role) =>
          [role, as({ authorization: `Bearer ${await app.token(`${role}-${tag}@example.com`)}` })] as const,
      ),
    );
    return Object.fromEntries(callers);
  }

  test('developer and marketing write, operations and viewer get 403 missing_permission', async () => {
    const { developer, marketing, operations, viewer } = await withMembers();
    expect((await developer!('POST', '/v1/templates', { ...GOOD, slug: 'a' })).status).toBe(201);
    expect((await marketing!('POST', '/v1/templates', { ...GOOD, slug: 'b' })).status).toBe(201);
    for (const caller of [operations!, viewer!]) {
      const refused = await caller('POST', '/v1/templates', { ...GOOD, slug: 'c' });
      expect([refused.status, refused.body.reason]).toEqual([403, 'missing_permission']);
      expect(refused.body.required_permission).toBe('templates:write');
      expect((await caller('GET', '/v1/templates')).status).toBe(403);
    }
  });

  test.each([
    ['management', 201],
    ['full', 201],
    ['data', 403],
    ['reporting', 403],
  ])('a key of the scope %s gets %i', async (scope, status) => {
    workspace = await app.workspace({
      api_keys: [
        { name: 'full', scope: 'full', environment: 'live' },
        { name: 'other', scope, environment: 'live' },
      ],
    });
    const caller = as({ 'x-api-key': workspace.testKey });
    const made = await caller('POST', '/v1/templates', GOOD);
    expect(made.status).toBe(status);
    for (const path of ['/v1/templates', '/v1/templates/welcome']) {
      const read = await caller('GET', path);
      expect([read.status, read.body.reason]).toEqual(
        status === 201 ? [200, undefined] : [403, 'insufficient_scope'],
      );
    }
  });
});

describe('lengths are in characters', () => {
  test.each([
    ['subject', 255, 201],
    ['subject', 256, 422],
    ['name', 255, 201],
    ['name', 256, 422],
  ])('a %s of %d emoji: %d', async (field, length, status) => {
    expect((await create({ [field]: '😀'.repeat(length) })).status).toBe(status);
  });
});

test('a value fallback without its comma gives a warning', async () => {
  const { body } = await create({ body_html: "{the user's Nickname or the user's First Name}" });
  expect(body).toMatchObject({
    validation_status: 'has_warnings',
    validation_errors: [
      { severity: 'warning', message: expect.stringContaining('Is a comma missing before “or”?') },
    ],
  });
});

describe('GraphQL', () => {
  test('lists templates and gives one, in camel case', async () => {
    await create({ subject: 'Hello', body_html: '{end if}' });
    const query = `query ($slug: String!) {
      templates { edges { node { slug subject isActive } } }
      template(slug: $slug) { slug bodyHtml bodyText version validationStatus createdAt
        validationErrors { severity field blockText line column } }
    }`;
    const { body } = await workspace.graphql(query, { slug: 'welcome' });
    expect(body.errors).toBeUndefined();
    expect(body.data.templates.edges).toEqual([
      { node: { slug: 'welcome', subject: 'Hello', isActive: true } },
    ]);
    expect(body.data.template).toMatchObject({
      slug: 'welcome',
      bodyHtml: '{end if}',
      version: 1,
      validationStatus: 'has_errors',
      validationErrors: [{ severity: 'error', field: 'bodyHtml', blockText: '{end if}', line: 1, column: 1 }],
    });
  });

  test('tells what the document says of itself, as REST does', async () => {
    await create({ body_ast: { schema_version: 3, renderer: 'mjml' } });
    await create({ slug: 'other', body_ast: { schema_version: '3', renderer: 7 } });
    const query =
      '{ templates { edges { node { slug astSchemaVersion rendererUsed } } } template(slug: "welcome") { astSchemaVersion } }';
    const { body } = await workspace.graphql(query);
    expect(body.data.templates.edges).toEqual([
      { node: { slug: 'other', astSchemaVersion: null, rendererUsed: null } },
      { node: { slug: 'welcome', astSchemaVersion: 3, rendererUsed: 'mjml' } },
    ]);
    expect(body.data.template).toEqual({ astSchemaVersion: 3 });
  });

  test('answers template_not_found for an unknown slug', async () => {
    const { body } = await workspace.graphql('{ template(slug: "unknown") { slug } }');
    expect(body.errors[0].extensions.code).toBe('template_not_found');
  });

  test('answers template_not_found for a slug with NUL, which no template has', async () => {
    const { body } = await workspace.graphql('{ template(slug: "\\u0000") { slug } }');
    expect(body.errors[0].extensions.code).toBe('template_not_found');
  });
});
