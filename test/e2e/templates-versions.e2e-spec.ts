/** Updates, deletion and version history of templates over HTTP and GraphQL: sections 2.7 and 4.3. */
import { bootApp, sharedApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { MailSink } from '../support/mail-sink.js';
import { until } from '../support/until.js';

let app: TestApp;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  workspace = await app.workspace();
});

const PATH = '/v1/templates/welcome';
const GOOD = { name: 'Welcome', slug: 'welcome', subject: 'Hello', body_html: '<p>One</p>' };

const create = (more: object = {}) => workspace.call('POST', '/v1/templates', { ...GOOD, ...more });
const update = (body: unknown) => workspace.call('PUT', PATH, body);
const get = async () => (await workspace.call('GET', PATH)).body;
const versions = async () => (await workspace.call('GET', `${PATH}/versions`)).body;
const version = (number: number | string) => workspace.call('GET', `${PATH}/versions/${number}`);
const keep = (body?: unknown) => workspace.call('POST', `${PATH}/versions`, body);
const restore = (number: number | string, body?: unknown) =>
  workspace.call('POST', `${PATH}/versions/${number}/restore`, body);

/** Status, code and first field of a refusal. */
const refusal = ({ status, body }: { status: number; body: any }) => [
  status,
  body.code,
  ...(body.errors?.[0] ? [body.errors[0].field] : []),
];

describe('update', () => {
  test('changes what is sent, keeps what is omitted, and answers 200 with the whole template', async () => {
    const { body: before } = await create({ body_ast: { blocks: [] }, template_language: 'nlt' });
    app.clock.wind(60_000);
    const answer = await update({ body_html: '<p>Two</p>' });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ...before,
        body_html: '<p>Two</p>',
        body_text: 'Two',
        version: 2,
        updated_at: app.clock.now().toISOString(),
      },
    ]);
    expect(await get()).toEqual(answer.body);
  });

  test('changes every field', async () => {
    await create();
    const all = {
      name: 'Other',
      subject: 'Bye',
      body_html: '<p>Two</p>',
      body_ast: { blocks: [1], schema_version: 3, renderer: 'mjml' },
      is_active: false,
      template_language: 'jinja2',
    };
    const answer = await update(all);
    expect(answer.body).toMatchObject({ ...all, ast_schema_version: 3, renderer_used: 'mjml', version: 2 });
  });

  test('an omitted subject stays, a string sets it, null clears it', async () => {
    await create();
    expect((await update({ name: 'A' })).body.subject).toBe('Hello');
    expect((await update({ subject: 'Bye' })).body.subject).toBe('Bye');
    expect((await update({ subject: null })).body.subject).toBeNull();
    expect((await update({})).body.subject).toBeNull();
  });

  test('null clears the language pin and the AST', async () => {
    await create({ template_language: 'nlt', body_ast: { blocks: [] } });
    expect((await update({ template_language: null, body_ast: null })).body).toMatchObject({
      template_language: null,
      body_ast: null,
    });
  });

  test('an empty update increments the version too', async () => {
    await create();
    expect((await update({})).body.version).toBe(2);
    expect(await versions()).toMatchObject([{ version: 1 }]);
  });

  test('re-validates, and findings never keep it from being saved', async () => {
    await create();
    const broken = await update({ body_html: '{end if}' });
    expect([broken.status, broken.body.validation_status]).toEqual([200, 'has_errors']);
    expect(broken.body.validation_errors).toMatchObject([{ field: 'body_html', block_text: '{end if}' }]);
    const mended = await update({ body_html: '<p>x</p>' });
    expect([mended.body.validation_status, mended.body.validation_errors]).toEqual(['valid', []]);
  });

  test.each(['sender_name', 'from_email', 'reply_to', 'bcc', 'content_type', 'status'])(
    'refuses the delivery field %s with 422 and changes nothing',
    async (field) => {
      const { body } = await create();
      expect(refusal(await update({ name: 'Other', [field]: 'x' }))).toEqual([422, 'invalid_field', field]);
      expect(await get()).toEqual(body);
    },
  );

  test.each([
    ['an empty name', { name: '' }, 'name'],
    ['a name of null', { name: null }, 'name'],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 'name'],
    ['a subject of 256 characters', { subject: 'x'.repeat(256) }, 'subject'],
    ['an empty body', { body_html: '' }, 'body_html'],
    ['a body beyond 2 MB', { body_html: 'x'.repeat(2_097_153) }, 'body_html'],
    ['a list as AST', { body_html: 'x', body_ast: [] }, 'body_ast'],
    ['is_active as a text', { is_active: 'yes' }, 'is_active'],
    ['a language that does not exist', { template_language: 'mjml' }, 'template_language'],
    ['a change_summary of 501 characters', { change_summary: 'x'.repeat(501) }, 'change_summary'],
    ['an expected_version as a text', { expected_version: '1' }, 'expected_version'],
    ['another slug', { slug: 'other' }, 'slug'],
    ['a version', { version: 7 }, 'version'],
    ['an id', { id: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface' }, 'id'],
    ['validation_status', { validation_status: 'valid' }, 'validation_status'],
  ])('refuses %s with 422 and names the field', async (_name, body, field) => {
    await create();
    expect(refusal(await update(body))).toEqual([422, 'invalid_field', field]);
    expect((await get()).version).toBe(1);
  });

  test('takes the same slug, and a change_summary of 500 characters', async () => {
    await create();
    expect((await update({ slug: 'welcome', change_summary: 'x'.repeat(500) })).status).toBe(200);
  });

  test('needs body_html when body_ast is given', async () => {
    await create();
    expect(refusal(await update({ body_ast: { blocks: [] } }))).toEqual([
      400,
      'validation_error',
      'body_html',
    ]);
  });

  test('refuses what is no object with 400', async () => {
    await create();
    expect((await update([])).status).toBe(400);
    expect((await update(undefined)).status).toBe(400);
  });

  test('answers 404 template_not_found for an unknown slug', async () => {
    expect(refusal(await update({}))).toEqual([404, 'template_not_found']);
  });

  test('a changed template leads the list', async () => {
    await create();
    app.clock.wind(1_000);
    await create({ slug: 'later' });
    app.clock.wind(1_000);
    await update({ name: 'Other' });
    const { body } = await workspace.call('GET', '/v1/templates');
    expect(body.map(({ slug }: { slug: string }) => slug)).toEqual(['welcome', 'later']);
  });
});

describe('expected_version', () => {
  test('lets the update through when it is the current one', async () => {
    await create();
    expect((await update({ expected_version: 1 })).body.version).toBe(2);
    expect((await update({ expected_version: 2 })).body.version).toBe(3);
  });

  test.each([0, 1, 3, -1])(
    'answers 409 conflict for %s when version 2 is current, and changes nothing',
    async (expected) => {
      await create();
      const { body } = await update({});
      const answer = await update({ name: 'Other', expected_version: expected });
      expect(refusal(answer)).toEqual([409, 'conflict']);
      expect(answer.body).toMatchObject({ detail: expect.any(String), current_version: 2 });
      expect(await get()).toEqual(body);
      expect(await versions()).toHaveLength(1);
    },
  );

  test('of ten updates at once that expect the same version, one is made', async () => {
    await create();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => update({ name: `Name ${i}`, expected_version: 1 })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    const winner = answers.find(({ status }) => status === 200);
    expect(await get()).toEqual(winner?.body);
    expect(await versions()).toMatchObject([{ version: 1, name: 'Welcome' }]);
  });

  test('of ten updates at once without it, none is lost and each state is kept', async () => {
    await create();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => update({ name: `Name ${i}` })));
    expect(answers.map(({ body }) => body.version).sort((a, b) => a - b)).toEqual([
      2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ]);
    const kept = await versions();
    expect(kept.map((each: { version: number }) => each.version)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    const names = new Map(answers.map(({ body }) => [body.version, body.name]));
    for (const each of kept) expect(each.name).toBe(names.get(each.version) ?? 'Welcome');
  });
});

describe('versions', () => {
  test('every update keeps the state before it, with the summary of the update', async () => {
    await create({ body_ast: { blocks: ['one'] }, template_language: 'nlt' });
    app.clock.wind(1_000);
    await update({
      name: 'Other',
      body_html: '<p>Two</p>',
      body_ast: { blocks: ['two'] },
      template_language: null,
      change_summary: 'New words',
    });
    const answer = await version(1);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        template_id: (await get()).id,
        version: 1,
        name: 'Welcome',
        change_summary: 'New words',
        body_html: '<p>One</p>',
        body_ast: { blocks: ['one'] },
        template_language: 'nlt',
        document_json: null,
        ast_patches: [{ op: 'replace', path: '/blocks/0', value: 'two' }],
        created_by: expect.stringMatching(/^api_key:/),
        created_at: app.clock.now().toISOString(),
      },
    ]);
  });

  test('the stored subject is not part of a version', async () => {
    await create();
    await update({ subject: 'Bye' });
    expect((await version(1)).body).not.toHaveProperty('subject');
  });

  test('there is no AST patch where one of the two has no AST', async () => {
    await create();
    await update({ body_html: 'x', body_ast: { blocks: [] } });
    await update({ body_ast: null });
    expect((await versions()).map((each: { ast_patches: unknown }) => each.ast_patches)).toEqual([
      null,
      null,
    ]);
  });

  test('the list is newest first and without body_html', async () => {
    await create();
    expect(await versions()).toEqual([]);
    for (const words of ['first', 'second', 'third']) {
      app.clock.wind(1_000);
      await update({ change_summary: words });
    }
    const list = await versions();
    expect(list).toMatchObject([
      { version: 3, change_summary: 'third' },
      { version: 2, change_summary: 'second' },
      { version: 1, change_summary: 'first' },
    ]);
    for (const each of list) expect(each).not.toHaveProperty('body_html');
  });

  test('one that is made by hand answers 201, keeps summary and document, and leaves the version number', async () => {
    const { body: template } = await create();
    const answer = await keep({
      change_summary: 'Before the sale',
      document_json: { zoom: [1, { a: null }] },
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      version: 1,
      change_summary: 'Before the sale',
      document_json: { zoom: [1, { a: null }] },
      body_html: '<p>One</p>',
      ast_patches: null,
    });
    expect((await version(1)).body).toEqual(answer.body);
    expect(await get()).toEqual(template);
  });

  test('by number one gets the latest snapshot; the document of one made by hand is not hidden by an update', async () => {
    await create();
    await keep({ change_summary: 'first', document_json: { a: 1 } });
    await keep({ change_summary: 'second', document_json: { a: 2 } });
    expect((await version(1)).body).toMatchObject({ change_summary: 'second', document_json: { a: 2 } });
    await update({ change_summary: 'third' });
    expect((await version(1)).body).toMatchObject({ change_summary: 'third', document_json: { a: 2 } });
    await update({});
    expect((await version(2)).body).toMatchObject({ change_summary: null, document_json: null });
    expect(await versions()).toHaveLength(4);
  });

  test('one made by hand needs no body', async () => {
    await create();
    for (const body of [undefined, {}, { change_summary: null, document_json: null }])
      expect(await keep(body)).toMatchObject({
        status: 201,
        body: { change_summary: null, document_json: null },
      });
  });

  test.each([
    ['a change_summary of 501 characters', { change_summary: 'x'.repeat(501) }, 'change_summary'],
    ['a document_json that is a list', { document_json: [] }, 'document_json'],
    ['a document_json that is a text', { document_json: '{}' }, 'document_json'],
    ['a document_json beyond 2 MB', { document_json: { a: 'x'.repeat(2_097_152) } }, 'document_json'],
    ['a document_json with NUL', { document_json: { a: '\0' } }, 'document_json'],
    ['content', { body_html: 'x' }, 'body_html'],
  ])('refuses %s with 422', async (_name, body, field) => {
    await create();
    expect(refusal(await keep(body))).toEqual([422, 'invalid_field', field]);
    expect(await versions()).toEqual([]);
  });

  test.each(['1', '2', '0', '-1', '1.5', '01', 'x', '99999999999', '2147483648'])(
    'answers 404 template_version_not_found for the number %s, which there is not',
    async (number) => {
      await create();
      expect(refusal(await version(number))).toEqual([404, 'template_version_not_found']);
      expect(refusal(await restore(number))).toEqual([404, 'template_version_not_found']);
      expect((await get()).version).toBe(1);
    },
  );

  test('answer 404 template_not_found for an unknown slug', async () => {
    for (const answer of [
      await workspace.call('GET', `${PATH}/versions`),
      await version(1),
      await keep({}),
      await restore(1),
    ])
      expect(refusal(answer)).toEqual([404, 'template_not_found']);
  });

  test('a long history of large ASTs comes whole', async () => {
    await create({ body_ast: { text: 'é'.repeat(100) } });
    const random = Array.from({ length: 200_000 }, (_, i) =>
      String.fromCharCode(97 + (((i * i * 31) % 9973) % 26)),
    );
    const document_json = { text: random.join('') };
    for (let i = 0; i < 12; i++) await keep({ change_summary: `Number ${i}`, document_json });
    const list = await versions();
    expect(list.map((each: { change_summary: string }) => each.change_summary)).toEqual(
      Array.from({ length: 12 }, (_, i) => `Number ${11 - i}`),
    );
    expect(list[11].document_json).toEqual(document_json);
  });
});

describe('restore', () => {
  test('brings the content back as the next version, and keeps the state before', async () => {
    await create({ body_ast: { blocks: ['one'] }, template_language: 'nlt' });
    await update({ body_html: '<p>Two</p>', body_ast: null, template_language: null });
    app.clock.wind(1_000);
    const answer = await restore(1);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      slug: 'welcome',
      body_html: '<p>One</p>',
      body_text: 'One',
      body_ast: { blocks: ['one'] },
      template_language: 'nlt',
      version: 3,
      updated_at: app.clock.now().toISOString(),
    });
    expect(await get()).toEqual(answer.body);
    expect((await version(2)).body).toMatchObject({
      body_html: '<p>Two</p>',
      change_summary: 'Restored version 1',
    });
  });

  test('changes neither the subject nor the name', async () => {
    await create();
    await update({ subject: 'Bye', name: 'Other', body_html: '<p>Two</p>' });
    expect((await restore(1)).body).toMatchObject({ subject: 'Bye', name: 'Other', body_html: '<p>One</p>' });
    await update({ subject: null });
    expect((await restore(1)).body.subject).toBeNull();
  });

  test('leaves the record of the chosen version alone', async () => {
    await create();
    await update({ body_html: '<p>Two</p>', change_summary: 'x' });
    const { body: chosen } = await version(1);
    await restore(1);
    await restore(1);
    expect((await version(1)).body).toEqual(chosen);
    expect((await get()).version).toBe(4);
  });

  test('re-validates', async () => {
    await create({ body_html: '{end if}' });
    await update({ body_html: 'x' });
    expect((await restore(1)).body.validation_status).toBe('has_errors');
    expect((await restore(2)).body.validation_status).toBe('valid');
  });

  test('takes a summary and the version that is expected', async () => {
    await create();
    await update({});
    const late = await restore(1, { expected_version: 1 });
    expect([late.status, late.body.code, late.body.current_version]).toEqual([409, 'conflict', 2]);
    expect((await restore(1, { expected_version: 2, change_summary: 'Back' })).status).toBe(200);
    expect((await version(2)).body.change_summary).toBe('Back');
    expect(refusal(await restore(1, { change_summary: 'x'.repeat(501) }))).toEqual([
      422,
      'invalid_field',
      'change_summary',
    ]);
  });

  test('brings back the latest snapshot of the number', async () => {
    await create();
    await keep({});
    await update({ body_html: '<p>Two</p>' });
    expect((await restore(1)).body.body_html).toBe('<p>One</p>');
  });
});

describe('delete', () => {
  test('answers 204 and removes the template with all of its versions', async () => {
    await create();
    await update({});
    await keep({});
    const answer = await workspace.call('DELETE', PATH);
    expect([answer.status, answer.body]).toEqual([204, '']);
    for (const path of [PATH, `${PATH}/versions`, `${PATH}/versions/1`])
      expect(refusal(await workspace.call('GET', path))).toEqual([404, 'template_not_found']);
    expect((await workspace.call('GET', '/v1/templates')).body).toEqual([]);
    expect(refusal(await workspace.call('DELETE', PATH))).toEqual([404, 'template_not_found']);
  });

  test('a template made anew under the slug starts at version 1 without a history', async () => {
    const { body: old } = await create();
    await update({});
    await workspace.call('DELETE', PATH);
    const { status, body } = await create({ body_html: '<p>New</p>' });
    expect([status, body.version]).toEqual([201, 1]);
    expect(body.id).not.toBe(old.id);
    expect(await versions()).toEqual([]);
  });

  test('updates at the same time either come before it or find nothing', async () => {
    await create();
    const [deleted, ...updated] = await Promise.all([
      workspace.call('DELETE', PATH),
      ...Array.from({ length: 6 }, () => update({})),
      ...Array.from({ length: 3 }, () => keep({})),
    ]);
    expect(deleted?.status).toBe(204);
    for (const { status } of updated) expect([200, 201, 404]).toContain(status);
    await create();
    expect(await versions()).toEqual([]);
  });
});

describe('who may', () => {
  const CALLS: readonly [method: string, path: string, body?: unknown][] = [
    ['PUT', PATH, {}],
    ['GET', `${PATH}/versions`],
    ['POST', `${PATH}/versions`, {}],
    ['GET', `${PATH}/versions/1`],
    ['POST', `${PATH}/versions/1/restore`],
    ['DELETE', PATH],
  ];

  async function populated(overrides: object): Promise<void> {
    workspace = await app.workspace(overrides);
    await create();
  }

  test('another workspace’s slug is 404 for every call, and nothing happens to it', async () => {
    const { body } = await create();
    await update({});
    const other = await app.workspace();
    for (const [method, path, sent] of CALLS)
      expect(refusal(await other.call(method, path, sent))).toEqual([404, 'template_not_found']);
    expect(await get()).toEqual({ ...body, version: 2, updated_at: expect.any(String) });
    expect(await versions()).toHaveLength(1);
  });

  test('developer and marketing may do all, operations and viewer nothing', async () => {
    const tag = `${Date.now()}-${Math.random().toString(36).slice(2)}`;
    const roles = ['developer', 'marketing', 'operations', 'viewer'];
    await populated({
      members: [
        { email: `owner-${tag}@example.com`, role: 'owner' },
        ...roles.map((role) => ({ email: `${role}-${tag}@example.com`, role })),
      ],
    });
    const as = async (role: string) => {
      const headers = {
        'x-workspace-id': workspace.id,
        authorization: `Bearer ${await app.token(`${role}-${tag}@example.com`)}`,
      };
      const statuses: number[] = [];
      for (const [method, path, body] of CALLS)
        statuses.push((await app.request(method, path, body, headers)).status);
      return statuses;
    };
    for (const role of ['operations', 'viewer']) expect(await as(role)).toEqual(Array(6).fill(403));
    expect(await get()).toMatchObject({ version: 1 });
    for (const role of ['developer', 'marketing']) {
      expect(await as(role)).toEqual([200, 200, 201, 200, 200, 204]);
      await create();
    }
  });

  test('keys of the scopes management and full may do all, data and reporting nothing', async () => {
    const scopes = ['full', 'management', 'data', 'reporting'];
    const seeded: string[] = [];
    for (const scope of scopes) {
      await populated({
        api_keys: [
          { name: 'full', scope: 'full', environment: 'live' },
          { name: 'other', scope, environment: 'test' },
        ],
      });
      seeded.push(workspace.testKey);
      const headers = { 'x-workspace-id': workspace.id, 'x-api-key': workspace.testKey };
      const answers = [];
      for (const [method, path, body] of CALLS) answers.push(await app.request(method, path, body, headers));
      if (scope === 'full' || scope === 'management')
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 201, 200, 200, 204]);
      else
        expect(answers.map(({ status, body }) => [status, body.reason])).toEqual(
          Array(6).fill([403, 'insufficient_scope']),
        );
    }
    expect(new Set(seeded).size).toBe(4);
  });
});

describe('GraphQL', () => {
  const ask = async (query: string, variables: object = {}) => {
    const { body } = await workspace.graphql(query, variables);
    expect(body.errors).toBeUndefined();
    return body.data;
  };
  const codeOf = async (query: string, variables: object = {}) =>
    (await workspace.graphql(query, variables)).body.errors?.[0]?.extensions?.code;

  const CREATE = `mutation ($input: CreateTemplateInput!) { createTemplate(input: $input) { slug version bodyText } }`;
  const UPDATE = `mutation ($slug: String!, $input: UpdateTemplateInput!) {
    updateTemplate(slug: $slug, input: $input) { name subject bodyHtml bodyAst version validationStatus }
  }`;
  const change = async (input: object) => (await ask(UPDATE, { slug: 'welcome', input })).updateTemplate;

  beforeEach(async () => {
    const made = await ask(CREATE, {
      input: {
        name: 'Welcome',
        slug: 'welcome',
        subject: 'Hello',
        bodyHtml: '<p>\nOne\n</p>',
        bodyAst: { a: 1 },
      },
    });
    expect(made.createTemplate).toEqual({ slug: 'welcome', version: 1, bodyText: 'One' });
  });

  test('an omitted subject stays, a string sets it, null clears it', async () => {
    expect((await change({ name: 'A' })).subject).toBe('Hello');
    expect((await change({ subject: 'Bye' })).subject).toBe('Bye');
    expect(await change({ subject: null })).toMatchObject({ subject: null, bodyAst: { a: 1 } });
    expect((await change({})).subject).toBeNull();
    const literal = `mutation { updateTemplate(slug: "welcome", input: { subject: "Again", bodyAst: null }) { subject bodyAst } }`;
    expect((await ask(literal)).updateTemplate).toEqual({ subject: 'Again', bodyAst: null });
  });

  test('refuses as REST does', async () => {
    expect(await codeOf(UPDATE, { slug: 'welcome', input: { expectedVersion: 7 } })).toBe('conflict');
    expect(await codeOf(UPDATE, { slug: 'welcome', input: { name: '' } })).toBe('invalid_field');
    expect(await codeOf(UPDATE, { slug: 'welcome', input: { bodyAst: {} } })).toBe('validation_error');
    expect(await codeOf(UPDATE, { slug: 'unknown', input: {} })).toBe('template_not_found');
    expect(await codeOf(CREATE, { input: { name: 'A', slug: 'welcome', bodyHtml: 'x' } })).toBe(
      'duplicate_slug',
    );
    for (const page of ['first: 0', 'first: -1', 'first: 101', 'after: "x"']) {
      expect(await codeOf(`{ templateVersions(slug: "welcome", ${page}) { totalCount } }`)).toBe(
        'invalid_field',
      );
    }
    expect(await codeOf('{ templateVersion(slug: "welcome", version: 1) { id } }')).toBe(
      'template_version_not_found',
    );
    expect(await codeOf('{ templateVersion(slug: "welcome", version: -1) { id } }')).toBe(
      'template_version_not_found',
    );
  });

  test('keeps, lists, shows and restores versions', async () => {
    const kept = await ask(
      `mutation ($input: TemplateVersionInput!) {
        createTemplateVersion(slug: "welcome", input: $input) { version changeSummary documentJson }
      }`,
      { input: { changeSummary: 'mine', documentJson: { zoom: 2 } } },
    );
    expect(kept.createTemplateVersion).toEqual({
      version: 1,
      changeSummary: 'mine',
      documentJson: { zoom: 2 },
    });
    await change({ bodyHtml: '<p>Two</p>', bodyAst: { a: 2 }, changeSummary: 'theirs' });
    const list = `query ($after: String) { templateVersions(slug: "welcome", first: 1, after: $after) {
      totalCount pageInfo { hasNextPage endCursor } edges { node { version changeSummary createdBy } } } }`;
    const page = (await ask(list)).templateVersions;
    expect(page).toMatchObject({
      totalCount: 2,
      pageInfo: { hasNextPage: true },
      edges: [{ node: { version: 1, changeSummary: 'theirs', createdBy: expect.any(String) } }],
    });
    expect((await ask(list, { after: page.pageInfo.endCursor })).templateVersions).toMatchObject({
      totalCount: 2,
      pageInfo: { hasNextPage: false },
      edges: [{ node: { changeSummary: 'mine' } }],
    });
    const read = await ask(`{
      templateVersion(slug: "welcome", version: 1) { bodyHtml bodyAst documentJson astPatches }
    }`);
    expect(read).toEqual({
      templateVersion: {
        bodyHtml: '<p>\nOne\n</p>',
        bodyAst: { a: 1 },
        documentJson: { zoom: 2 },
        astPatches: [{ op: 'replace', path: '/a', value: 2 }],
      },
    });
    const restored = await ask(
      'mutation { restoreTemplateVersion(slug: "welcome", version: 1) { version bodyHtml subject } }',
    );
    expect(restored.restoreTemplateVersion).toEqual({
      version: 3,
      bodyHtml: '<p>\nOne\n</p>',
      subject: 'Hello',
    });
    expect(
      await codeOf(
        'mutation { restoreTemplateVersion(slug: "welcome", version: 1, input: { expectedVersion: 1 }) { id } }',
      ),
    ).toBe('conflict');
  });

  test('shows what differs between two versions, and between one and now', async () => {
    await change({ bodyHtml: '<p>\nTwo\n</p>', bodyAst: { a: 2 } });
    await change({ name: 'Other', templateLanguage: 'nlt' });
    const { two, now } = await ask(`{
      two: templateVersionDiff(slug: "welcome", from: 1, to: 2) { ...all }
      now: templateVersionDiff(slug: "welcome", from: 2) { ...all }
    }
    fragment all on TemplateVersionDiff {
      from to name { from to } templateLanguage { from to } astChanged astPatch
      hunks { oldStart oldLines newStart newLines text }
    }`);
    expect(two).toEqual({
      from: 1,
      to: 2,
      name: null,
      templateLanguage: null,
      astChanged: true,
      astPatch: [{ op: 'replace', path: '/a', value: 2 }],
      hunks: [
        {
          oldStart: 1,
          oldLines: 3,
          newStart: 1,
          newLines: 3,
          text: ' <p>\n-One\n+Two\n </p>\n\\ No newline at end of file',
        },
      ],
    });
    expect(now).toMatchObject({
      from: 2,
      to: 3,
      name: { from: 'Welcome', to: 'Other' },
      templateLanguage: { from: null, to: 'nlt' },
      hunks: [],
      astChanged: false,
      astPatch: [],
    });
    const { named, back, same } = await ask(`{
      named: templateVersionDiff(slug: "welcome", from: 2, to: 3) { from to name { from to } }
      back: templateVersionDiff(slug: "welcome", from: 3, to: 1) { from to name { from to } hunks { text } }
      same: templateVersionDiff(slug: "welcome", from: 3) { from to hunks { text } astChanged }
    }`);
    expect(named).toEqual({ from: 2, to: 3, name: { from: 'Welcome', to: 'Other' } });
    expect(back).toEqual({
      ...{ from: 3, to: 1, name: { from: 'Other', to: 'Welcome' } },
      hunks: [{ text: ' <p>\n-Two\n+One\n </p>\n\\ No newline at end of file' }],
    });
    expect(same).toEqual({ from: 3, to: 3, hunks: [], astChanged: false });
    for (const versions of ['from: 9', 'from: 1, to: 4', 'from: 4, to: 1'])
      expect(await codeOf(`{ templateVersionDiff(slug: "welcome", ${versions}) { from } }`)).toBe(
        'template_version_not_found',
      );
  });

  test('compare but a few times in one query', async () => {
    const aliases = Array.from(
      { length: 15 },
      (_, index) => `d${index}: templateVersionDiff(slug: "welcome", from: 1) { from }`,
    );
    const { status, body } = await workspace.graphql(`{ ${aliases.join(' ')} }`);
    expect([status, body.errors[0].extensions.code]).toEqual([400, 'query_too_costly']);
  });

  test('deletes', async () => {
    expect((await ask('mutation { deleteTemplate(slug: "welcome") }')).deleteTemplate).toBe('welcome');
    expect(await codeOf('mutation { deleteTemplate(slug: "welcome") }')).toBe('template_not_found');
  });

  test('the list gives bodies where they are asked for', async () => {
    await ask(CREATE, { input: { name: 'B', slug: 'second', bodyHtml: '<p>B</p>' } });
    const { templates } = await ask('{ templates { edges { node { slug bodyHtml bodyText bodyAst } } } }');
    const found = templates.edges.map(({ node }: { node: object }) => node);
    expect(found).toHaveLength(2);
    expect(found).toContainEqual({
      slug: 'welcome',
      bodyHtml: '<p>\nOne\n</p>',
      bodyText: 'One',
      bodyAst: { a: 1 },
    });
  });
});

describe('templates of two megabytes', () => {
  const COUNT = 8;

  beforeEach(async () => {
    for (let i = 0; i < COUNT; i++)
      expect(
        (await create({ slug: `large-${i}`, body_html: `<!-- ${i} -->`.padEnd(2_000_000, 'x') })).status,
      ).toBe(201);
  });

  test('the list of REST comes whole, in pieces', async () => {
    const answer = await workspace.call('GET', '/v1/templates');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('content-length')).toBeNull();
    expect(
      answer.body.map(({ slug, body_html }: { slug: string; body_html: string }) => [slug, body_html.length]),
    ).toEqual(Array.from({ length: COUNT }, (_, i) => [`large-${COUNT - 1 - i}`, 2_000_000]));
  });

  test('the list of GraphQL gives all but their bodies', async () => {
    const light = await workspace.graphql('{ templates { edges { node { slug version } } } }');
    expect(light.body.data.templates.edges).toHaveLength(COUNT);
    const heavy = await workspace.graphql('{ templates { edges { node { slug bodyHtml } } } }');
    expect(heavy.body.errors[0].extensions.code).toBe('payload_too_large');
  });
});

describe('delivery', () => {
  let sending: TestApp;

  beforeAll(async () => {
    sending = await bootApp();
  });
  afterAll(() => sending.close());

  test('sends a changed template as it is now; a flow step of a deleted one fails, and the trip goes on', async () => {
    workspace = await sending.workspace();
    await create();
    const flow = await workspace.call('POST', '/v1/flows', {
      name: 'Onboarding',
      trigger_event: 'signed_up',
      content_type: 'transactional',
      steps: [{ type: 'send_email', template_slug: 'welcome' }],
    });
    await workspace.call('POST', `/v1/flows/${flow.body.id}/activate`);
    const logOf = async (name: string) => {
      await workspace.call('POST', '/v1/events', {
        external_id: name,
        event_name: 'signed_up',
        contact: { email: `${name}@example.com` },
      });
      const query = `query ($flowId: ID!) { trips(flowId: $flowId) { edges { node {
        status contact { externalId } emailLogs { edges { node { status errorCode templateVersion } } } } } } }`;
      const tripOf = async () => {
        const { body } = await workspace.graphql(query, { flowId: flow.body.id });
        return body.data.trips.edges
          .map(({ node }: any) => node)
          .find((trip: any) => trip.contact?.externalId === name);
      };
      await until(`the trip of ${name} is complete`, async () => (await tripOf())?.status === 'completed');
      return (await tripOf()).emailLogs.edges.map(({ node }: any) => node);
    };
    const mailTo = async (name: string) => MailSink.parse(sending.sink.to(`${name}@example.com`)[0]!);

    expect(await logOf('ada')).toMatchObject([{ status: 'sent', templateVersion: 1 }]);
    expect((await mailTo('ada')).html).toContain('One');

    await update({ body_html: '<p>Two</p>', subject: 'Bye' });
    expect(await logOf('bob')).toMatchObject([{ status: 'sent', templateVersion: 2 }]);
    expect(await mailTo('bob')).toMatchObject({ subject: 'Bye', html: expect.stringContaining('Two') });

    await restore(1);
    expect(await logOf('cleo')).toMatchObject([{ status: 'sent', templateVersion: 3 }]);
    expect(await mailTo('cleo')).toMatchObject({ subject: 'Bye', html: expect.stringContaining('One') });

    expect((await workspace.call('DELETE', PATH)).status).toBe(204);
    expect(await logOf('dan')).toMatchObject([{ status: 'failed', errorCode: 'template_not_found' }]);
    expect(sending.sink.to('dan@example.com')).toEqual([]);
  });
});
