/** Template languages over HTTP and GraphQL: convert and detect-language, section 4.3. */
import { sharedApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';

let app: TestApp;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await sharedApp();
  workspace = await app.workspace();
});
afterAll(() => app.close());

const convert = (body: unknown): Promise<Answer> => workspace.call('POST', '/v1/templates/convert', body);
const detect = (body: unknown): Promise<Answer> =>
  workspace.call('POST', '/v1/templates/detect-language', body);

const NLT = '<p>Hi {the user\'s First Name, or "there"}</p>{if the user\'s Plan is premium}*{end if}';
const JINJA2 =
  '<p>Hi {{ contact.first_name | default("there", true) }}</p>{% if contact.properties.plan == "premium" %}*{% endif %}';
const MIXED = "Hi {the user's First Name} of {{ contact.properties.company }}";
const ROUTES = ['/v1/templates/convert', '/v1/templates/detect-language'];

describe('convert', () => {
  test('answers 200 with content, count, warnings and both languages', async () => {
    const answer = await convert({ content: '{{ contact.first_name }}', direction: 'jinja2_to_nlt' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      content: "{the user's first_name}",
      count: 1,
      warnings: [],
      source_language: 'jinja2',
      target_language: 'nlt',
    });
  });

  test('nlt_to_jinja2 converts to Jinja2', async () => {
    const answer = await convert({ content: NLT, direction: 'nlt_to_jinja2' });
    expect(answer.body).toMatchObject({
      content: JINJA2,
      count: 3,
      warnings: [],
      source_language: 'nlt',
      target_language: 'jinja2',
    });
  });

  test('there and back gives a template that renders the same', async () => {
    const there = await convert({ content: NLT, direction: 'nlt_to_jinja2' });
    const back = await convert({ content: there.body.content, direction: 'jinja2_to_nlt' });
    const sample = { contact: { first_name: 'Ada', properties: { plan: 'premium' } } };
    const html = async (body_html: string): Promise<unknown> =>
      (await workspace.call('POST', '/v1/templates/render-inline', { body_html, ...sample })).body.html;
    expect(await html(NLT)).toBe('<p>Hi Ada</p>*');
    expect(await html(back.body.content)).toBe('<p>Hi Ada</p>*');
  });

  test.each([
    ['NLT to Jinja2', NLT, 'nlt', 'jinja2', JINJA2],
    ['Jinja2 to NLT', '{{ event.amount }}', 'jinja2', 'nlt', '{the amount from the trigger event}'],
    ['mixed content to NLT', MIXED, 'mixed', 'nlt', "Hi {the user's First Name} of {the user's company}"],
    ['plain text to what it is', '<p>a { color: red }</p>', 'none', 'nlt', '<p>a { color: red }</p>'],
    ['empty content to what it is', '', 'none', 'nlt', ''],
  ])('auto, which is the default, converts %s', async (_name, content, source, target, expected) => {
    const answer = await convert({ content });
    expect(answer.body).toMatchObject({
      content: expected,
      warnings: [],
      source_language: source,
      target_language: target,
    });
    expect((await convert({ content, direction: 'auto' })).body).toEqual(answer.body);
  });

  test('counts nothing in content without expressions', async () => {
    expect((await convert({ content: '<p>Hi</p>' })).body.count).toBe(0);
  });

  test.each([
    ['nlt_to_jinja2', 'jinja2', 'Hi {{ contact.first_name }} of {{ contact.properties.company }}'],
    ['jinja2_to_nlt', 'nlt', "Hi {the user's First Name} of {the user's company}"],
  ])(
    '%s gives one language for mixed content, and counts what it converted',
    async (direction, target, content) => {
      const answer = await convert({ content: MIXED, direction });
      expect(answer.body).toEqual({
        content,
        count: 1,
        warnings: [],
        source_language: 'mixed',
        target_language: target,
      });
    },
  );

  test('Jinja2 that stands there already stays as written', async () => {
    const answer = await convert({ content: "{{ contact.a }} {the user's B}", direction: 'nlt_to_jinja2' });
    expect(answer.body).toMatchObject({
      content: '{{ contact.a }} {{ contact.properties.b }}',
      count: 1,
      source_language: 'mixed',
    });
  });

  test.each([
    ['nlt_to_jinja2', JINJA2, 'jinja2', 'jinja2'],
    ['jinja2_to_nlt', NLT, 'nlt', 'nlt'],
    ['nlt_to_jinja2', '<p>Hi</p>', 'none', 'jinja2'],
    ['jinja2_to_nlt', '<p>Hi</p>', 'none', 'nlt'],
  ])('%s of %s changes nothing and tells both languages', async (direction, content, source, target) => {
    const answer = await convert({ content, direction });
    expect(answer.body).toEqual({
      content,
      count: 0,
      warnings: [],
      source_language: source,
      target_language: target,
    });
  });

  test.each([
    ['jinja2_to_nlt', 'a {{ contact.name | wordcount }} b', '{{ contact.name | wordcount }}'],
    ['nlt_to_jinja2', "a {the user's Email, required} b", "{the user's Email, required}"],
  ])('%s leaves what has no counterpart and warns of it with a quote', async (direction, content, quote) => {
    const answer = await convert({ content, direction });
    expect(answer.body).toMatchObject({ content, count: 0 });
    expect(answer.body.warnings).toEqual([expect.stringContaining(quote)]);
  });

  test('saves nothing', async () => {
    await convert({ content: NLT });
    expect((await workspace.call('GET', '/v1/templates')).body).toEqual([]);
  });

  test.each(['both', 'NLT_TO_JINJA2', '', 1])('refuses the direction %j with 422', async (direction) => {
    const answer = await convert({ content: 'x', direction });
    expect([answer.status, answer.body.code, answer.body.errors[0].field]).toEqual([
      422,
      'invalid_field',
      'direction',
    ]);
  });
});

describe('detect-language', () => {
  test.each([
    ['nlt', NLT, 3, 0],
    ['jinja2', JINJA2, 0, 3],
    ['mixed', MIXED, 1, 1],
    ['none', '<p>a { color: red } {anything}</p>', 0, 0],
    ['none', '', 0, 0],
  ])('tells %s of %s and counts the expressions', async (language, content, nlt, jinja2) => {
    const answer = await detect({ content });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ language, nlt_count: nlt, jinja2_count: jinja2 });
  });
});

describe.each(ROUTES)('the body of %s', (route) => {
  const call = (body: unknown): Promise<Answer> => workspace.call('POST', route, body);

  test('without content is refused with 400 validation_error', async () => {
    const answer = await call({});
    expect([answer.status, answer.body.code, answer.body.errors[0].field]).toEqual([
      400,
      'validation_error',
      'content',
    ]);
  });

  test.each([
    ['of another type', { content: 5 }, 'content'],
    ['that is null', { content: null }, 'content'],
    ['beyond 2 MB', { content: 'x'.repeat(2_097_153) }, 'content'],
    ['of too many bytes', { content: 'é'.repeat(1_048_577) }, 'content'],
    ['with NUL', { content: 'a\0' }, 'content'],
    ['with half a character', { content: '\ud800' }, 'content'],
    ['with an unknown field beside it', { content: 'x', slug: 'a' }, 'slug'],
  ])('with content %s is refused with 422 and names the field', async (_name, body, field) => {
    const answer = await call(body);
    expect([answer.status, answer.body.code, answer.body.errors[0].field]).toEqual([
      422,
      'invalid_field',
      field,
    ]);
  });

  test('may be 2 MB of braces', async () => {
    expect((await call({ content: '{'.repeat(2_097_152) })).status).toBe(200);
  });
});

describe('who may', () => {
  const ROLES = ['developer', 'marketing', 'operations', 'viewer'];

  test('members with templates:read; others get 403 missing_permission', async () => {
    const email = (role: string): string => `${role}@language.example.com`;
    const members = [{ email: email('owner'), role: 'owner' }];
    const seeded = await app.workspace({
      members: [...members, ...ROLES.map((role) => ({ email: email(role), role }))],
    });
    for (const route of ROUTES) {
      for (const role of ROLES) {
        const headers = {
          'x-workspace-id': seeded.id,
          authorization: `Bearer ${await app.token(email(role))}`,
        };
        const answer = await app.request('POST', route, { content: 'x' }, headers);
        const may = role === 'developer' || role === 'marketing';
        expect([role, answer.status]).toEqual([role, may ? 200 : 403]);
        if (!may)
          expect(answer.body).toMatchObject({
            reason: 'missing_permission',
            required_permission: 'templates:read',
          });
      }
    }
  });

  test('keys of management and full; others get 403 insufficient_scope', async () => {
    const members = [{ email: 'owner@language-keys.example.com', role: 'owner' }];
    for (const [scope, status] of [
      ['management', 200],
      ['full', 200],
      ['data', 403],
      ['reporting', 403],
    ] as const) {
      const seeded = await app.workspace({
        members,
        api_keys: [
          { name: 'live', scope, environment: 'live' },
          { name: 'test', scope, environment: 'test' },
        ],
      });
      for (const route of ROUTES) {
        const answer = await seeded.call('POST', route, { content: 'x' });
        expect([scope, answer.status]).toEqual([scope, status]);
        if (status === 403) expect(answer.body.reason).toBe('insufficient_scope');
      }
    }
  });

  test('nobody without credentials', async () => {
    for (const route of ROUTES) expect((await app.request('POST', route, { content: 'x' })).status).toBe(401);
  });
});

describe('GraphQL', () => {
  test('detects and converts, in camel case', async () => {
    const { body } = await workspace.graphql(
      `query ($content: String!) {
        detectTemplateLanguage(content: $content) { language nltCount jinja2Count }
        convertTemplate(content: $content) { content count warnings sourceLanguage targetLanguage }
      }`,
      { content: NLT },
    );
    expect(body.errors).toBeUndefined();
    expect(body.data).toEqual({
      detectTemplateLanguage: { language: 'nlt', nltCount: 3, jinja2Count: 0 },
      convertTemplate: {
        content: JINJA2,
        count: 3,
        warnings: [],
        sourceLanguage: 'nlt',
        targetLanguage: 'jinja2',
      },
    });
  });

  test('takes a direction', async () => {
    const query = `{ convertTemplate(content: "{{ now }}", direction: jinja2_to_nlt) { content } }`;
    const { body } = await workspace.graphql(query);
    expect(body.data.convertTemplate.content).toBe('{now}');
  });

  test('knows no other direction', async () => {
    const { body } = await workspace.graphql(
      '{ convertTemplate(content: "x", direction: both) { content } }',
    );
    expect(body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  test('asks for templates:read', async () => {
    const members = [{ email: 'owner@language-graphql.example.com', role: 'owner' }];
    const viewer = { email: 'viewer@language-graphql.example.com', role: 'viewer' };
    const { id } = await app.workspace({ members: [...members, viewer] });
    const headers = { 'x-workspace-id': id, authorization: `Bearer ${await app.token(viewer.email)}` };
    for (const query of [
      '{ detectTemplateLanguage(content: "x") { language } }',
      '{ convertTemplate(content: "x") { content } }',
    ]) {
      const { body } = await app.request('POST', '/graphql', { query }, headers);
      expect(body.errors[0].extensions.code).toBe('missing_permission');
    }
  });
});

describe('templates of other platforms', () => {
  const DOCUMENT = `query Convert($input: ConvertForeignTemplateInput!) {
    convertForeignTemplate(input: $input) {
      subject
      body
      warnings { field line column offset code message original }
    }
  }`;
  const convertForeign = (input: unknown): Promise<Answer> => workspace.graphql(DOCUMENT, { input });

  test('become NLT, which is saved and rendered as any other', async () => {
    const { body } = await convertForeign({
      source: 'mailchimp',
      subject: 'Hi *|FNAME|*',
      body: '<p mc:edit="x">Hi *|FNAME|*, *|LIST:COMPANY|*</p><a href="*|UNSUB|*">Out</a>',
    });
    expect(body.data.convertForeignTemplate).toMatchObject({
      subject: "Hi {the user's first_name}",
      body: "<p>Hi {the user's first_name}, «LIST:COMPANY»</p>",
      warnings: [
        { field: 'body', code: 'left_out', offset: 3, original: 'mc:edit="x"' },
        { code: 'no_counterpart', line: 1, column: 30, original: '*|LIST:COMPANY|*' },
        { code: 'given_by_footer', original: '*|UNSUB|*' },
      ],
    });
    const checked = await workspace.call('POST', '/v1/templates/validate', {
      body_html: body.data.convertForeignTemplate.body,
    });
    expect(checked.body.valid).toBe(false);
  });

  test('need no subject', async () => {
    const { body } = await convertForeign({ source: 'klaviyo', body: "{{ first_name|default:'you' }}" });
    expect(body.data.convertForeignTemplate).toEqual({
      subject: null,
      body: '{the user\'s first_name, otherwise "you"}',
      warnings: [],
    });
  });

  test.each([
    ['an unknown source', { source: 'sendgrid', body: 'x' }],
    ['a body with half a character', { source: 'liquid', body: 'a\ud800' }],
    ['a subject of more than 2,000 characters', { source: 'liquid', subject: 'x'.repeat(2_001), body: 'x' }],
    ['a body with NUL', { source: 'liquid', body: 'a\u0000' }],
    ['no body', { source: 'liquid' }],
  ])('%s is refused', async (_what, input) => {
    const { body } = await convertForeign(input);
    expect(body.data ?? null).toBeNull();
    expect(body.errors).toHaveLength(1);
  });
});
