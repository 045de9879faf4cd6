/** Preflight over HTTP and GraphQL: every rule of section 4.3, and permissions. */
import { RULES, type RuleName } from '../../src/modules/inspect/domain/rules/catalogue.js';
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

const GOOD = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Welcome</title>
<meta name="viewport" content="width=device-width"><meta name="x-apple-disable-message-reformatting">
<meta name="color-scheme" content="light"><meta name="supported-color-schemes" content="light"></head>
<body style="background:#ffffff;color:#222222">
<div style="display:none">Your first steps, each in a minute or less</div>
<h1>Hi {the user's First Name, or "there"}</h1>
<p><a href="https://acme.com/start?u={the user's Id}">Take the first step</a></p>
<p><a href="https://acme.com/unsubscribe" data-tracking="off">Unsubscribe</a></p>
</body>
</html>`;

const save = (html: string, more: object = {}) =>
  workspace.call('POST', '/v1/templates', {
    name: 'Welcome',
    slug: 'welcome',
    subject: 'Welcome aboard',
    body_html: html,
    ...more,
  });
const PATH = '/v1/templates/welcome/preflight';
const run = () => workspace.call('POST', PATH);

/** A caller of the workspace with another role or key. */
const as = (headers: Record<string, string>) =>
  app.request('POST', PATH, undefined, { 'x-workspace-id': workspace.id, ...headers });

test('a sound template passes; the answer has the shape of the specification', async () => {
  await save(GOOD);
  const answer = await run();
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    pass: true,
    errors: [],
    warnings: [],
    info: [
      {
        category: 'domain',
        severity: 'info',
        code: RULES.sender_shared_domain.code,
        message: expect.stringContaining(`hello@${app.config.sharedSendingDomain}`),
        line: null,
        column: null,
        hint: expect.any(String),
      },
    ],
  });
});

test('errors fail it, and say where', async () => {
  await save(GOOD.replace('https://acme.com/start', 'javascript:start()'));
  const { body } = await run();
  expect(body.pass).toBe(false);
  expect(body.errors).toMatchObject([
    { category: 'links', severity: 'error', code: RULES.link_dangerous.code, line: 9, column: 4 },
  ]);
});

test('warnings and information do not fail it', async () => {
  await save('<p style="color:#999">Hello</p>');
  const { body } = await run();
  expect(body.pass).toBe(true);
  expect(body.warnings.map(({ code }: { code: string }) => code)).toEqual(
    expect.arrayContaining([RULES.contrast_low.code]),
  );
  expect(body.info.length).toBeGreaterThan(0);
});

test.each<[string, RuleName, string, string]>([
  ['content', 'placeholder', 'errors', '<p>Hi «name»</p>'],
  ['content', 'placeholder', 'errors', '<p>Hi &laquo;name&raquo;</p>'],
  ['content', 'template_error', 'errors', "<p>Hi {the user's Name</p>"],
  ['content', 'foreign_merge_tag', 'errors', '<p>Hi *|FNAME|*</p>'],
  ['content', 'filler_text', 'errors', '<p>Lorem ipsum</p>'],
  ['content', 'tag_unclosed', 'errors', '<div>Hi'],
  ['content', 'element_forbidden', 'errors', '<script>x</script>'],
  ['content', 'body_empty', 'errors', '<p></p>'],
  ['content', 'client_support_poor', 'warnings', '<p style="display:grid">Hi</p>'],
  ['content', 'image_only', 'warnings', '<img src="https://acme.com/x.png" alt="" width="1" height="1">'],
  ['content', 'size_clipped', 'warnings', `<p>${'x'.repeat(102 * 1024)}</p>`],
  ['content', 'unsubscribe_missing', 'info', '<p>Hi</p>'],
  ['links', 'link_relative', 'errors', '<a href="/shop">Shop</a>'],
  ['links', 'link_insecure', 'warnings', '<a href="http://acme.com">Shop</a>'],
  ['images', 'image_relative', 'errors', '<img src="x.png">'],
  ['images', 'image_without_size', 'warnings', '<img src="https://acme.com/x.png" alt="x">'],
  ['domain', 'link_shortener', 'warnings', '<a href="https://bit.ly/x">Shop</a>'],
  ['domain', 'sender_shared_domain', 'info', '<p>Hi</p>'],
  ['accessibility', 'image_without_alt', 'warnings', '<img src="https://acme.com/x.png">'],
  ['accessibility', 'contrast_low', 'warnings', '<p style="color:#999">Hi</p>'],
  ['accessibility', 'lang_missing', 'info', '<p>Hi</p>'],
])('%s: %s is among the %s', async (category, rule, list, html) => {
  const { code } = RULES[rule];
  await save(html);
  const { body } = await run();
  expect(body[list].filter((item: { code: string }) => item.code === code)).toEqual(
    expect.arrayContaining([expect.objectContaining({ category, code })]),
  );
  expect(body.pass).toBe(body.errors.length === 0);
});

test('the workspace has its say: sender, company, going live', async () => {
  workspace = await app.workspace({ company: { name: 'Acme Inc' }, sender: {}, live: false });
  await save(GOOD);
  const { body } = await run();
  expect(body.pass).toBe(true);
  expect(body.warnings).toMatchObject([{ category: 'domain', code: RULES.company_incomplete.code }]);
  expect(body.info).toMatchObject([
    { code: RULES.sender_shared_domain.code, message: expect.stringContaining('no-reply@') },
    { category: 'domain', code: RULES.not_live.code },
  ]);
});

test('an unknown slug is 404 template_not_found', async () => {
  const answer = await run();
  expect([answer.status, answer.body.code]).toEqual([404, 'template_not_found']);
});

test('a template of another workspace is not found', async () => {
  await save(GOOD);
  const other = await app.workspace();
  expect((await other.call('POST', PATH)).status).toBe(404);
});

test.each([undefined, {}])('a body of %j is allowed', async (body) => {
  await save(GOOD);
  expect((await workspace.call('POST', PATH, body)).status).toBe(200);
});

test('an unknown field is refused', async () => {
  await save(GOOD);
  const { status, body } = await workspace.call('POST', PATH, { anything: 1 });
  expect([status, body.code]).toEqual([422, 'invalid_field']);
});

test('is not changed by it', async () => {
  await save(GOOD);
  const before = await workspace.call('GET', '/v1/templates/welcome');
  await run();
  expect((await workspace.call('GET', '/v1/templates/welcome')).body).toEqual(before.body);
});

test('a hostile body gets an answer', async () => {
  await save('<b><i></b>'.repeat(200_000));
  const { status, body } = await run();
  expect(status).toBe(200);
  expect(body.warnings).toEqual(
    expect.arrayContaining([expect.objectContaining({ code: RULES.too_complex.code })]),
  );
});

describe('who may', () => {
  test.each([
    ['owner', 200],
    ['admin', 200],
    ['developer', 200],
    ['marketing', 200],
    ['operations', 403],
    ['viewer', 403],
  ])('%s: %d', async (role, status) => {
    const email = `${role}@preflight.test`;
    workspace = await app.workspace({ members: [{ email, role }] });
    await save(GOOD);
    const answer = await as({ authorization: `Bearer ${await app.token(email)}` });
    expect([answer.status, answer.body.reason]).toEqual([
      status,
      status === 200 ? undefined : 'missing_permission',
    ]);
  });

  test.each([
    ['full', 200],
    ['management', 200],
    ['data', 403],
    ['reporting', 403],
  ])('a key of the scope %s gets %d', async (scope, status) => {
    workspace = await app.workspace({
      api_keys: [
        { name: 'full', scope: 'full', environment: 'live' },
        { name: 'other', scope, environment: 'live' },
      ],
    });
    await save(GOOD);
    const answer = await as({ 'x-api-key': workspace.testKey });
    expect([answer.status, answer.body.reason]).toEqual([
      status,
      status === 200 ? undefined : 'insufficient_scope',
    ]);
  });

  test('nobody without credentials', async () => {
    expect((await app.request('POST', PATH)).status).toBe(401);
  });
});

describe('GraphQL', () => {
  const ITEM = '{ category code severity message line column hint }';
  const FIELDS = `{ pass errors ${ITEM} warnings ${ITEM} info ${ITEM} }`;

  test('preflightTemplate says what REST says', async () => {
    await save('<a href="/shop">Shop</a>');
    const answer = await workspace.graphql(`{ preflightTemplate(slug: "welcome") ${FIELDS} }`);
    expect(answer.body.data.preflightTemplate).toEqual((await run()).body);
  });

  test('an unknown slug is template_not_found', async () => {
    const answer = await workspace.graphql(`{ preflightTemplate(slug: "none") { pass } }`);
    expect(answer.body.errors[0].extensions.code).toBe('template_not_found');
  });

  test('preflightContent examines what is not saved', async () => {
    const query = `query($html: String!, $subject: String) {
      preflightContent(bodyHtml: $html, subject: $subject) ${FIELDS}
    }`;
    const bad = await workspace.graphql(query, { html: '<p>Hi «name»</p>', subject: 'Hi' });
    expect(bad.body.data.preflightContent).toMatchObject({
      pass: false,
      errors: [{ code: RULES.placeholder.code }],
    });
    const good = await workspace.graphql(query, { html: GOOD, subject: 'Welcome aboard' });
    expect(good.body.data.preflightContent).toMatchObject({ pass: true, warnings: [] });
    expect((await workspace.call('GET', '/v1/templates')).body).toEqual([]);
  });

  test.each([
    [
      'a language that does not exist',
      '{ preflightContent(bodyHtml: "x", templateLanguage: "mjml") { pass } }',
    ],
    ['a subject too long', `{ preflightContent(bodyHtml: "x", subject: "${'x'.repeat(256)}") { pass } }`],
  ])('refuses %s', async (_name, query) => {
    expect((await workspace.graphql(query)).body.errors[0].extensions.code).toBe('invalid_field');
  });
});
