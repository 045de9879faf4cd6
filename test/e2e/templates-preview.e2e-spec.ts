/** Viewing templates before sending them, section 4.3: preview, render-inline, validate and preview-context. */
import { Client } from 'pg';
import { sharedApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';

let app: TestApp;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  workspace = await app.workspace();
});

const post = (path: string, body?: unknown): Promise<Answer> =>
  workspace.call('POST', `/v1/templates/${path}`, body);

async function save(template: object): Promise<void> {
  const answer = await workspace.call('POST', '/v1/templates', {
    name: 'Welcome',
    slug: 'welcome',
    body_html: '<p>x</p>',
    ...template,
  });
  expect(answer.status).toBe(201);
}

const RENDERED = { suppressed: false, suppressed_reason: null };

describe('preview', () => {
  const SAMPLE = {
    contact: { first_name: 'Ada & Co', properties: { plan: 'pro' } },
    trigger_event: { event_name: 'order_placed', attributes: { amount: 5 } },
    additional_events: { signed_up: { attributes: { source: 'web' } } },
  };
  const BODY =
    "<p>{the user's First Name} {the user's Plan} {the Amount from the trigger event} {the Source from the signed up event}</p>";

  test('renders subject, HTML and text with contact, trigger event and additional events', async () => {
    await save({ subject: "For {the user's First Name}", body_html: BODY });
    const answer = await post('welcome/preview', SAMPLE);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        subject: 'For Ada & Co',
        html: '<p>Ada &amp; Co pro 5 web</p>',
        text: 'Ada & Co pro 5 web',
        ...RENDERED,
      },
    ]);
  });

  test('takes additional events as a list too', async () => {
    await save({ body_html: BODY });
    const list = [{ event_name: 'signed_up', attributes: { source: 'web' } }];
    const answer = await post('welcome/preview', { ...SAMPLE, additional_events: list });
    expect(answer.body.html).toBe('<p>Ada &amp; Co pro 5 web</p>');
  });

  test('needs no body at all; what is not given is missing', async () => {
    await save({ body_html: '<p>Hi {the user\'s First Name, or "there"}{the user\'s Plan}</p>' });
    expect((await post('welcome/preview')).body).toEqual({
      subject: null,
      html: '<p>Hi there</p>',
      text: 'Hi there',
      ...RENDERED,
    });
    expect((await post('welcome/preview', {})).status).toBe(200);
  });

  test.each([
    ['the body', { body_html: '<p>{the Order ID from the trigger event, required}</p>' }],
    ['the subject', { subject: 'Order {the Order ID from the trigger event, required}' }],
  ])('is suppressed when a required field of %s resolves to null, and names it', async (_name, template) => {
    await save(template);
    const sample = { trigger_event: { event_name: 'order_placed', attributes: { order_id: null } } };
    const answer = await post('welcome/preview', sample);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        subject: null,
        html: '',
        text: '',
        suppressed: true,
        suppressed_reason: 'missing_required_field: Order ID',
      },
    ]);
    const found = { trigger_event: { event_name: 'order_placed', attributes: { order_id: 'A-1' } } };
    expect((await post('welcome/preview', found)).body).toMatchObject(RENDERED);
  });

  test('uses the contact’s own time zone and locale', async () => {
    await save({ body_html: '{the At from the trigger event, as "date and time"} {the Sum, as "number"}' });
    const trigger_event = { event_name: 'x', attributes: { at: '2026-03-02T23:30:00Z', sum: 1234.5 } };
    const render = async (contact: object): Promise<string> =>
      (await post('welcome/preview', { contact, trigger_event })).body.html;
    const german = await render({ timezone: 'Europe/Berlin', locale: 'de-DE' });
    expect(german).toMatch(/^3\. (?:März|Mär).* 1\.234,5$|^03\.03\..* 1\.234,5$/);
    expect(german).toContain('00:30');
    expect(await render({})).toMatch(/11:30.* 1,234\.5$/);
  });

  test('converts Jinja2 first', async () => {
    await save({
      subject: '{{ contact.first_name|upper }}',
      body_html: '<p>{% if event.amount > 3 %}{{ contact.properties.plan }}{% else %}no{% endif %}</p>',
    });
    const answer = await post('welcome/preview', SAMPLE);
    expect(answer.body).toEqual({ subject: 'ADA & CO', html: '<p>pro</p>', text: 'pro', ...RENDERED });
  });

  test('leaves Jinja2 as text in a template pinned to nlt', async () => {
    await save({ body_html: '<p>{{ contact.first_name }}</p>', template_language: 'nlt' });
    expect((await post('welcome/preview', SAMPLE)).body.html).toBe('<p>{{ contact.first_name }}</p>');
  });

  test('shows placeholders as they stand', async () => {
    await save({ body_html: '<p>«name»</p>' });
    expect((await post('welcome/preview')).body.html).toBe('<p>«name»</p>');
  });

  test('answers 422 template_errors with the findings for a template that does not parse', async () => {
    await save({ subject: '{end if}', body_html: "<p>\n{the user's Name</p>" });
    const answer = await post('welcome/preview');
    expect([answer.status, answer.body.code]).toEqual([422, 'template_errors']);
    expect(answer.body.errors).toMatchObject([{ field: 'subject' }, { field: 'body_html' }]);
    expect(answer.body.findings).toMatchObject([
      { severity: 'error', field: 'subject', block_text: '{end if}' },
      { severity: 'error', field: 'body_html', line: 2 },
    ]);
  });

  test('answers 422 template_errors for loops without end', async () => {
    await save({ body_html: '{for each A in the Items}{for each B in the Items}{end for}{end for}' });
    const trigger_event = { event_name: 'x', attributes: { items: Array(200).fill(1) } };
    const answer = await post('welcome/preview', { trigger_event });
    expect([answer.status, answer.body.code, answer.body.errors[0].field]).toEqual([
      422,
      'template_errors',
      'body_html',
    ]);
  });

  test('answers 404 template_not_found for an unknown slug, and for one of another workspace', async () => {
    await save({});
    expect((await post('unknown/preview')).body.code).toBe('template_not_found');
    workspace = await app.workspace();
    expect((await post('welcome/preview')).status).toBe(404);
  });

  test.each([
    ['an unknown field', { colour: 1 }, 'colour'],
    ['content, which is the template’s', { body_html: 'x' }, 'body_html'],
    ['a contact that is a text', { contact: 'u1' }, 'contact'],
    ['a contact that is a list', { contact: [] }, 'contact'],
    ['a trigger event that is a list', { trigger_event: [] }, 'trigger_event'],
    ['attributes that are a text', { trigger_event: { attributes: 'x' } }, 'trigger_event.attributes'],
    ['additional events as a text', { additional_events: 'x' }, 'additional_events'],
    ['a nameless event', { additional_events: [{ attributes: {} }] }, 'additional_events[0].event_name'],
  ])('refuses %s with 422 and names the field', async (_name, body, field) => {
    await save({});
    const answer = await post('welcome/preview', body);
    expect([answer.status, answer.body.code, answer.body.errors?.[0]?.field]).toEqual([
      422,
      'invalid_field',
      field,
    ]);
  });
});

describe('render-inline', () => {
  test('renders what is sent and saves nothing', async () => {
    const answer = await post('render-inline', {
      subject: "Hi {the user's First Name}",
      body_html: '<p>{the Plan from the signed up event} {{ event.amount }}</p>',
      contact: { first_name: 'Ada' },
      trigger_event: { event_name: 'order_placed', attributes: { amount: 5 } },
      additional_events: { signed_up: { attributes: { plan: 'pro' } } },
    });
    expect([answer.status, answer.body]).toEqual([
      200,
      { subject: 'Hi Ada', html: '<p>pro 5</p>', text: 'pro 5', ...RENDERED },
    ]);
    expect((await workspace.call('GET', '/v1/templates')).body).toEqual([]);
  });

  test('all of its body is optional', async () => {
    const empty = { subject: null, html: '', text: '', ...RENDERED };
    expect((await post('render-inline')).body).toEqual(empty);
    expect((await post('render-inline', {})).body).toEqual(empty);
    expect((await post('render-inline', { subject: 'x' })).body).toEqual({ ...empty, subject: 'x' });
  });

  describe('makes a plain text', () => {
    const textOf = async (body_html: string, properties: object = {}): Promise<unknown> => {
      const contact = { email: 'ada@example.com', properties };
      const answer = await post('render-inline', { body_html, contact });
      expect([answer.status, answer.body.suppressed]).toEqual([200, false]);
      return answer.body.text;
    };

    test.each([
      ['Use &#123;% if x %&#125; in Jinja', 'Use {% if x %} in Jinja'],
      ['Write &#123;the Code, required&#125; here', 'Write {the Code, required} here'],
      ["&#123;the user's Email&#125; {&#116;he user's Email}", "{the user's Email} {the user's Email}"],
      ['&lbrace;&lbrace; contact.email &rbrace;&rbrace;', '{{ contact.email }}'],
      ["&#123;if the user's Plan is premium&#125;", "{if the user's Plan is premium}"],
      ['{today&#125;}', '{today}}'],
    ])('in which text stays text: %s', async (html, text) => {
      expect(await textOf(`<p>${html}</p>`)).toBe(text);
    });

    test('without marks, in a template pinned to jinja2, too', async () => {
      const body_html = "<p>{the user's First Name} {{ contact.first_name }}</p>";
      await save({ body_html, template_language: 'jinja2' });
      const answer = await post('welcome/preview', { contact: { first_name: 'Ada' } });
      expect(answer.body.text).toBe("{the user's First Name} Ada");
    });

    test('with lines for rows, and spaces between cells', async () => {
      const html =
        '<table><tr><td>Hello Ada,</td></tr><tr><td><table><tr><th>Item</th><th>Qty</th></tr>' +
        "{for each Item in the Items}<tr><td>{the Item's Name}</td><td>{the Item's Qty}</td></tr>{end for}" +
        '</table></td></tr><tr><td>Bye</td></tr></table>';
      const items = [
        { name: 'Mug', qty: 2 },
        { name: 'Tea', qty: 3 },
      ];
      expect(await textOf(html, { items })).toBe('Hello Ada,\nItem Qty\nMug 2\nTea 3\n\nBye');
      expect(await textOf('{for each I in the List}<li>i{the I}</li>{end for}', { list: [1, 2] })).toMatch(
        /^\* i1\n\* i2\n?$/,
      );
    });

    test.each([
      ['https://x.test/?q={the V}', 'Tea & Honey 50%', 'https://x.test/?q=Tea%20%26%20Honey%2050%25'],
      [
        'https://x.test/?e={the Email}&amp;n={the V}',
        'x&b=1',
        'https://x.test/?e=ada%40example.com&n=x%26b%3D1',
      ],
      ['https://x.test/{the V}', 'a\r\nb', 'https://x.test/a%0D%0Ab'],
      ['{the V}', 'javascript:alert(1)', '#'],
    ])('with values encoded in the link %s', async (href, v, address) => {
      expect(await textOf(`<a href="${href}">Go</a>`, { v })).toBe(`Go (${address})`);
    });

    test('with the alt of a picture that is a link', async () => {
      const html = '<a href="https://x.test"><img src="https://x.test/a.png" alt="Shop now"></a>';
      expect(await textOf(html)).toBe('Shop now (https://x.test)');
    });
  });

  test('is suppressed by a required field', async () => {
    const answer = await post('render-inline', { subject: 'x', body_html: "{the user's Plan, required}" });
    expect(answer.body).toMatchObject({
      html: '',
      suppressed: true,
      suppressed_reason: 'missing_required_field: Plan',
    });
  });

  test('answers 422 template_errors for what does not parse', async () => {
    const answer = await post('render-inline', { body_html: '{end if}' });
    expect([answer.status, answer.body.code]).toEqual([422, 'template_errors']);
    expect(answer.body.findings).toMatchObject([{ field: 'body_html', block_text: '{end if}' }]);
  });

  test.each([
    ['a subject of 256 characters', { subject: 'x'.repeat(256) }, 'subject'],
    ['a subject that is a number', { subject: 7 }, 'subject'],
    ['a body beyond 2 MB', { body_html: 'x'.repeat(2_097_153) }, 'body_html'],
    ['a pin, which is a field of templates', { template_language: 'nlt' }, 'template_language'],
    ['a subject with NUL', { subject: 'a\0', body_html: 'x' }, 'subject'],
    ['a body with half a character', { body_html: '\ud800' }, 'body_html'],
  ])('refuses %s with 422 and names the field', async (_name, body, field) => {
    for (const path of ['render-inline', 'validate']) {
      const answer = await post(path, body);
      expect([answer.status, answer.body.code, answer.body.errors?.[0]?.field]).toEqual([
        422,
        'invalid_field',
        field,
      ]);
    }
  });
});

describe('validate', () => {
  const NOTHING_WRONG = { valid: true, issues: [], suppressed: false, suppressed_reason: null };

  test('all of its body is optional', async () => {
    const empty = { ...NOTHING_WRONG, rendered_subject: null, rendered_html: null };
    expect((await post('validate')).body).toEqual(empty);
    const answer = await post('validate', {});
    expect([answer.status, answer.body]).toEqual([200, empty]);
  });

  test('renders what is right, NLT and Jinja2', async () => {
    const answer = await post('validate', {
      subject: "Hi {the user's First Name}",
      body_html: '<p>{{ event.amount }}</p>',
      contact: { first_name: 'Ada' },
      trigger_event: { event_name: 'order_placed', attributes: { amount: 5 } },
    });
    expect(answer.body).toEqual({
      ...NOTHING_WRONG,
      rendered_subject: 'Hi Ada',
      rendered_html: '<p>5</p>',
    });
  });

  test('an expression that does not parse is an error issue with its text and place', async () => {
    const answer = await post('validate', { subject: 'x', body_html: '<p>\n {end if}</p>' });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ valid: false, rendered_subject: 'x', rendered_html: null });
    expect(answer.body.issues).toEqual([
      {
        severity: 'error',
        field: 'body_html',
        message: expect.any(String),
        block_text: '{end if}',
        line: 2,
        column: 2,
      },
    ]);
  });

  test('a value that the sample lacks is a warning, and content with warnings is valid', async () => {
    const body_html = "{the user's Plan} {the Amount from the trigger event}";
    expect((await post('validate', { body_html })).body.issues).toEqual([]);
    const answer = await post('validate', { body_html, contact: {}, trigger_event: { event_name: 'x' } });
    expect(answer.body.valid).toBe(true);
    expect(answer.body.issues).toMatchObject([
      { severity: 'warning', block_text: "{the user's Plan}" },
      { severity: 'warning', block_text: '{the Amount from the trigger event}' },
    ]);
  });

  test('Jinja2 without a counterpart is a warning that quotes it', async () => {
    const answer = await post('validate', { body_html: '<p>{% set a = 1 %}</p>' });
    expect(answer.body).toMatchObject({
      valid: true,
      issues: [{ severity: 'warning', block_text: '{% set a = 1 %}' }],
    });
  });

  test('a required field that is missing suppresses, and the content is valid', async () => {
    const answer = await post('validate', {
      subject: 'x',
      body_html: "{the user's Plan, required}",
      contact: {},
    });
    expect(answer.body).toEqual({
      ...NOTHING_WRONG,
      rendered_subject: null,
      rendered_html: null,
      suppressed: true,
      suppressed_reason: 'missing_required_field: Plan',
    });
  });

  /** Each issue as its token; a test searches for a literal one of `text` in the subject and in the body. */
  const GUILLEMETS: readonly [name: string, text: string, tokens: readonly string[]][] = [
    ['a placeholder', 'Hi «first name»!', ['«first name»']],
    ['a placeholder with inner spaces', 'Hi « first name »!', ['« first name »']],
    ['two placeholders', '«a» and «b»', ['«a»', '«b»']],
    ['an empty placeholder', '«»', ['«»']],
    ['a lone opening guillemet', 'Hi «first name', ['«']],
    ['a lone closing guillemet', 'Hi first name»', ['»']],
    ['a lone guillemet beside a pair', '«a «b»', ['«', '«b»']],
    ['a placeholder in an expression', '{the user\'s Name, or "«x»"}', ['«x»']],
    ['named entities', '&laquo;first name&raquo;', []],
    ['numbered entities', '&#171;first name&#xBB;', []],
    ['other quotation marks', '‹a› “b” <<c>>', []],
  ];

  test.each(GUILLEMETS)('%s in the subject', async (_name, text, tokens) => {
    const { body } = await post('validate', { subject: text, body_html: '<p>x</p>' });
    expect(body.valid).toBe(tokens.length === 0);
    expect(body.issues).toEqual(
      tokens.map((token) =>
        expect.objectContaining({
          severity: 'error',
          field: 'subject',
          message: expect.stringContaining('subject'),
          block_text: token,
        }),
      ),
    );
  });

  test.each(GUILLEMETS)('%s in the body', async (_name, text, tokens) => {
    const { body } = await post('validate', { subject: 'x', body_html: `<p>${text}</p>` });
    expect(body.valid).toBe(tokens.length === 0);
    expect(body.issues).toEqual(
      tokens.map((token) =>
        expect.objectContaining({
          severity: 'error',
          field: 'body_html',
          message: expect.stringContaining('body'),
          block_text: token,
        }),
      ),
    );
  });

  test('saving finds the same placeholders, and does not keep them from being saved', async () => {
    await save({ subject: '«a»', body_html: '<p>«b</p>' });
    const { body } = await workspace.call('GET', '/v1/templates/welcome');
    expect(body.validation_status).toBe('has_errors');
    expect(body.validation_errors).toMatchObject([
      { severity: 'error', field: 'subject', block_text: '«a»' },
      { severity: 'error', field: 'body_html', block_text: '«' },
    ]);
  });
});

describe('preview-context', () => {
  const NONE = { source: 'none', contact: null, trigger_event: null, additional_events: {} };

  const context = (query: string, headers = {}): Promise<Answer> =>
    workspace.call('GET', `/v1/templates/preview-context${query}`, undefined, headers);

  async function contact(externalId: string, more: object = {}): Promise<{ id: string }> {
    const { status, body } = await workspace.call('POST', '/v1/contacts', {
      external_id: externalId,
      ...more,
    });
    expect(status).toBe(201);
    return body;
  }

  async function event(
    externalId: string,
    name: string,
    attributes: object,
    more: object = {},
  ): Promise<void> {
    app.clock.wind(1_000);
    const body = { external_id: externalId, event_name: name, attributes, ...more };
    expect((await workspace.call('POST', '/v1/events', body)).status).toBe(202);
  }

  test('real: the most recent event of the name and its contact', async () => {
    await contact('u1');
    const second = await contact('u2', { first_name: 'Grace' });
    await event('u1', 'order_placed', { amount: 1 });
    await event('u2', 'order_placed', { amount: 2 });
    const occurredAt = app.clock.now().toISOString();
    await event('u1', 'signed_up', {});
    const answer = await context('?event_name=order_placed');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      source: 'real',
      contact: expect.objectContaining({ id: second.id, external_id: 'u2', first_name: 'Grace' }),
      trigger_event: { event_name: 'order_placed', attributes: { amount: 2 }, occurred_at: occurredAt },
      additional_events: {},
    });
  });

  test('the most recent event is the one that occurred last, not the one that came last', async () => {
    await contact('u1');
    await contact('u2');
    await event('u1', 'order_placed', { amount: 1 });
    await event('u2', 'order_placed', { amount: 2 }, { occurred_at: '2020-01-01T00:00:00Z' });
    expect((await context('?event_name=order_placed')).body.contact.external_id).toBe('u1');
  });

  test('the contact’s latest additional events come along, those it has', async () => {
    await contact('u1');
    await contact('u2');
    await event('u1', 'signed_up', { plan: 'free' });
    await event('u1', 'signed_up', { plan: 'pro' });
    const occurredAt = app.clock.now().toISOString();
    await event('u2', 'moved', { city: 'Paris' });
    await event('u1', 'order_placed', { amount: 1 });
    const answer = await context('?event_name=order_placed&additional_events=signed_up,moved,%20unknown');
    expect(answer.body.additional_events).toEqual({
      signed_up: { attributes: { plan: 'pro' }, occurred_at: occurredAt },
    });
  });

  test('contact_id, a record id or an external_id, overrides the pick', async () => {
    const first = await contact('u1');
    await contact('u2');
    await event('u1', 'order_placed', { amount: 1 });
    await event('u1', 'order_placed', { amount: 3 });
    await event('u2', 'order_placed', { amount: 2 });
    for (const id of ['u1', first.id]) {
      const { body } = await context(`?event_name=order_placed&contact_id=${id}`);
      expect([body.source, body.contact.external_id, body.trigger_event.attributes]).toEqual([
        'real',
        'u1',
        { amount: 3 },
      ]);
    }
  });

  test('partial: the contact has no such event, and another one’s is not put in its place', async () => {
    await contact('u1');
    await contact('u2');
    await event('u2', 'order_placed', { amount: 2 });
    const { body } = await context('?event_name=order_placed&contact_id=u1');
    expect(body).toMatchObject({ source: 'partial', contact: { external_id: 'u1' }, trigger_event: null });
  });

  test('partial: only a contact is asked for', async () => {
    await contact('u1');
    await event('u1', 'signed_up', { plan: 'pro' });
    const { body } = await context('?contact_id=u1&additional_events=signed_up');
    expect(body).toMatchObject({
      source: 'partial',
      contact: { external_id: 'u1' },
      trigger_event: null,
      additional_events: { signed_up: { attributes: { plan: 'pro' } } },
    });
  });

  test('partial: the event’s contact is not known, or was deleted', async () => {
    await event('u9', 'order_placed', { amount: 1 });
    expect((await context('?event_name=order_placed')).body).toMatchObject({
      source: 'partial',
      contact: null,
      trigger_event: { attributes: { amount: 1 } },
      additional_events: {},
    });
    const { id } = await contact('u9');
    expect((await context('?event_name=order_placed')).body.source).toBe('real');
    const admin = new Client({ connectionString: app.adminUrl });
    await admin.connect();
    await admin.query(`UPDATE contacts SET subscription_status = 'deleted' WHERE id = $1`, [id]);
    await admin.end();
    expect((await context('?event_name=order_placed')).body).toMatchObject({
      source: 'partial',
      contact: null,
    });
    expect((await context('?event_name=order_placed&contact_id=u9')).body).toEqual(NONE);
  });

  test('none: nothing is asked for, nothing is found; nothing is made up', async () => {
    await contact('u1');
    await event('u1', 'signed_up', {});
    for (const query of [
      '',
      '?event_name=&contact_id=',
      '?additional_events=signed_up',
      '?event_name=order_placed',
      '?contact_id=unknown',
      '?event_name=signed_up&contact_id=unknown',
      '?contact_id=0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface',
    ])
      expect([query, (await context(query)).body]).toEqual([query, NONE]);
  });

  test('sees the caller’s environment and workspace only', async () => {
    const { id } = await contact('u1');
    await event('u1', 'order_placed', { amount: 1 });
    const ofTest = await context('?event_name=order_placed', { 'x-api-key': workspace.testKey });
    expect(ofTest.body).toEqual(NONE);
    workspace = await app.workspace();
    expect((await context(`?event_name=order_placed&contact_id=${id}`)).body).toEqual(NONE);
    expect((await context('?event_name=order_placed')).body).toEqual(NONE);
  });

  test('its answer can be sent to preview as it is', async () => {
    await contact('u1', { first_name: 'Ada' });
    await event('u1', 'signed_up', { plan: 'pro' });
    await event('u1', 'order_placed', { amount: 1 });
    await save({
      body_html:
        "{the user's First Name} {the Amount from the trigger event} {the Plan from the signed up event}",
    });
    const found = await context('?event_name=order_placed&additional_events=signed_up');
    const { source: _source, ...sample } = found.body;
    expect((await post('welcome/preview', sample)).body.html).toBe('Ada 1 pro');
    const { source: _none, ...nothing } = (await context('')).body;
    expect((await post('welcome/preview', nothing)).status).toBe(200);
  });

  test.each(['?event_name=Order', '?event_name=order-placed', '?additional_events=ok,Not'])(
    'answers 400 invalid_event_name for %s',
    async (query) => {
      const answer = await context(query);
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_event_name']);
    },
  );

  test.each([
    ['an unknown parameter', '?colour=red', 'colour'],
    ['a parameter given twice', '?event_name=a&event_name=b', 'event_name'],
    ['a long contact_id', `?contact_id=${'x'.repeat(256)}`, 'contact_id'],
    [
      'more than 50 additional events',
      `?additional_events=${Array.from({ length: 51 }, (_, index) => `e${index}`).join(',')}`,
      'additional_events',
    ],
  ])('refuses %s with 422 and names it', async (_name, query, field) => {
    const answer = await context(query);
    expect([answer.status, answer.body.code, answer.body.errors?.[0]?.field]).toEqual([
      422,
      'invalid_field',
      field,
    ]);
  });
});

describe('hostile bodies', () => {
  const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const BODIES: readonly [name: string, body: string][] = [
    ['no JSON', '{'],
    ['null', 'null'],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['deep nesting', `{"contact":${nested(10_000)}}`],
    ['nesting that is accepted', `{"contact":${nested(60)}}`],
    ['a poisoned prototype', '{"contact":{"__proto__":{"first_name":"x"}}}'],
    ['a poisoned constructor', '{"contact":{"constructor":{"prototype":{"x":1}}}}'],
    [
      'inherited names',
      '{"contact":{"toString":1,"valueOf":2,"hasOwnProperty":null},"trigger_event":{"attributes":{"constructor":1}}}',
    ],
    ['NUL', '{"contact":{"first_name":"a\\u0000b"}}'],
    ['half a character', '{"contact":{"first_name":"\\ud800","locale":"\\ud800","timezone":"\\ud800"}}'],
    ['values of every type', '{"contact":{"first_name":[[]],"properties":7,"locale":{},"timezone":[]}}'],
    ['a long locale', `{"contact":{"locale":"${'x-'.repeat(50_000)}"}}`],
    ['large numbers', '{"contact":{"first_name":1e400,"properties":{"n":-1e-400}}}'],
    ['a hundred thousand wrong events', `{"additional_events":[${Array(100_000).fill(0).join(',')}]}`],
  ];

  test.each(BODIES)('%s: no 5xx', async (_name, body) => {
    await save({
      body_html:
        '{the user\'s First Name} {the user\'s Plan, required} {the toString} {today, as "long date"}',
    });
    for (const path of ['welcome/preview', 'render-inline', 'validate'])
      expect((await post(path, body)).status).toBeLessThan(500);
  });

  test.each(['{', '«', '{if the A exists}', '&laquo;', '{{ x }}', '{% if x %}'])(
    '2 MB of %s',
    async (piece) => {
      const body_html = piece.repeat(Math.floor(2_097_152 / Buffer.byteLength(piece)));
      expect((await post('validate', { body_html })).status).toBe(200);
      const answer = await post('render-inline', { body_html: body_html.slice(0, 200_000) });
      expect(answer.status).toBeLessThan(500);
    },
  );
});

describe('who may', () => {
  const READS: readonly [method: string, path: string][] = [
    ['POST', '/v1/templates/welcome/preview'],
    ['POST', '/v1/templates/render-inline'],
    ['POST', '/v1/templates/validate'],
    ['GET', '/v1/templates/preview-context'],
  ];

  test('people with templates:read: developer and marketing, not operations and viewer', async () => {
    const tag = `${Date.now()}-${Math.random().toString(36).slice(2)}`;
    const roles = ['developer', 'marketing', 'operations', 'viewer'];
    workspace = await app.workspace({
      members: [
        { email: `owner-${tag}@example.com`, role: 'owner' },
        ...roles.map((role) => ({ email: `${role}-${tag}@example.com`, role })),
      ],
    });
    await save({});
    for (const role of roles) {
      const authorization = `Bearer ${await app.token(`${role}-${tag}@example.com`)}`;
      for (const [method, path] of READS) {
        const body = method === 'POST' ? {} : undefined;
        const answer = await app.request(method, path, body, {
          'x-workspace-id': workspace.id,
          authorization,
        });
        if (role === 'developer' || role === 'marketing')
          expect([role, path, answer.status]).toEqual([role, path, 200]);
        else
          expect([role, path, answer.status, answer.body.reason]).toEqual([
            role,
            path,
            403,
            'missing_permission',
          ]);
      }
    }
  });

  test('keys with the scope management or full, not data and reporting', async () => {
    await save({});
    for (const [first, second] of [
      ['full', 'data'],
      ['management', 'reporting'],
    ]) {
      workspace = await app.workspace({
        api_keys: [
          { name: 'first', scope: first, environment: 'live' },
          { name: 'second', scope: second, environment: 'live' },
        ],
      });
      await save({});
      for (const [method, path] of READS) {
        const body = method === 'POST' ? {} : undefined;
        expect([path, (await workspace.call(method, path, body)).status]).toEqual([path, 200]);
        const refused = await workspace.call(method, path, body, { 'x-api-key': workspace.testKey });
        expect([path, refused.status, refused.body.reason]).toEqual([path, 403, 'insufficient_scope']);
      }
    }
  });

  test('nobody without credentials', async () => {
    for (const [method, path] of READS)
      expect((await app.request(method, path, method === 'POST' ? {} : undefined)).status).toBe(401);
  });
});

describe('GraphQL', () => {
  test('previews a template', async () => {
    await save({
      subject: "For {the user's Name}",
      body_html: '<p>{the Amount} {the Plan from the signed up event}</p>',
    });
    const query = `query ($contact: JSON, $trigger: JSON, $more: JSON) {
      previewTemplate(slug: "welcome", contact: $contact, triggerEvent: $trigger, additionalEvents: $more) {
        subject html text suppressed suppressedReason } }`;
    const { body } = await workspace.graphql(query, {
      contact: { name: 'Ada' },
      trigger: { event_name: 'x', attributes: { amount: 5 } },
      more: { signed_up: { attributes: { plan: 'pro' } } },
    });
    expect(body.errors).toBeUndefined();
    expect(body.data.previewTemplate).toEqual({
      subject: 'For Ada',
      html: '<p>5 pro</p>',
      text: '5 pro',
      suppressed: false,
      suppressedReason: null,
    });
    const unknown = await workspace.graphql('{ previewTemplate(slug: "unknown") { html } }');
    expect(unknown.body.errors[0].extensions.code).toBe('template_not_found');
  });

  test('renders and validates content, with the pin of a template', async () => {
    const query = `query ($input: InlineTemplateInput!) {
      renderTemplate(input: $input) { subject html suppressed suppressedReason }
      validateTemplate(input: $input) { valid renderedSubject renderedHtml suppressed
        issues { severity field message blockText line column } } }`;
    const input = { subject: '«a»', bodyHtml: '{{ contact.name }}', contact: { name: 'Ada' } };
    const free = await workspace.graphql(query, { input });
    expect(free.body.errors).toBeUndefined();
    expect(free.body.data).toMatchObject({
      renderTemplate: { subject: '«a»', html: 'Ada', suppressed: false },
      validateTemplate: {
        valid: false,
        renderedHtml: 'Ada',
        issues: [{ severity: 'error', field: 'subject', blockText: '«a»', line: 1, column: 1 }],
      },
    });
    const pinned = await workspace.graphql(query, { input: { ...input, templateLanguage: 'nlt' } });
    expect(pinned.body.data.renderTemplate.html).toBe('{{ contact.name }}');
    const wrong = await workspace.graphql(query, { input: { ...input, templateLanguage: 'mjml' } });
    expect(wrong.body.errors[0].extensions.code).toBe('invalid_field');
    const bodyOfField = await workspace.graphql(query, { input: { bodyHtml: '{end if}' } });
    expect(bodyOfField.body.errors[0].extensions).toMatchObject({
      code: 'template_errors',
      errors: [{ field: 'bodyHtml' }],
      findings: [{ field: 'bodyHtml', blockText: '{end if}' }],
    });
    const inRest = await post('render-inline', { body_html: '{end if}' });
    expect(inRest.body).toMatchObject({
      code: 'template_errors',
      errors: [{ field: 'body_html' }],
      findings: [{ field: 'body_html', block_text: '{end if}' }],
    });
  });

  test('gives a context in the form in which previewTemplate takes it', async () => {
    await workspace.call('POST', '/v1/contacts', { external_id: 'u1', first_name: 'Ada' });
    await workspace.call('POST', '/v1/events', {
      external_id: 'u1',
      event_name: 'moved',
      attributes: { city: 'Paris' },
    });
    const query = `{ templatePreviewContext(eventName: "moved", additionalEvents: ["moved"], contactId: "u1") {
      source contact triggerEvent additionalEvents } }`;
    const { body } = await workspace.graphql(query);
    expect(body.errors).toBeUndefined();
    const occurredAt = app.clock.now().toISOString();
    expect(body.data.templatePreviewContext).toMatchObject({
      source: 'real',
      contact: { external_id: 'u1', first_name: 'Ada' },
      triggerEvent: { event_name: 'moved', attributes: { city: 'Paris' }, occurred_at: occurredAt },
      additionalEvents: { moved: { attributes: { city: 'Paris' }, occurred_at: occurredAt } },
    });
  });

  test('a contactId with NUL is nobody’s', async () => {
    const { body } = await workspace.graphql('{ templatePreviewContext(contactId: "\\u0000") { source } }');
    expect(body.data.templatePreviewContext).toEqual({ source: 'none' });
  });

  test('one query does not render many times', async () => {
    const field = (index: number): string => `r${index}: renderTemplate(input: { bodyHtml: "x" }) { html }`;
    const { body } = await workspace.graphql(
      `{ ${Array.from({ length: 10 }, (_, index) => field(index)).join(' ')} }`,
    );
    expect(body.errors[0].extensions.code).toBe('query_too_costly');
  });
});
