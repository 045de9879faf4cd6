/**
 * Numbers that a double cannot hold are never changed silently, at any input or output. Numbers that cannot be stored
 * exactly are refused.
 */
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';
import { MailSink } from '../support/mail-sink.js';

const BIG = '12345678901234567890';
const FINE = '0.12345678901234567890123';

let app: TestApp;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await bootApp();
  workspace = await app.workspace();
});
afterAll(() => app.close());

/** Sends and returns bodies as text, because JSON.parse would hide lost digits. */
async function raw(method: string, path: string, body?: string): Promise<{ status: number; text: string }> {
  const response = await fetch(app.url + path, {
    method,
    headers: {
      'x-workspace-id': workspace.id,
      'x-api-key': workspace.key,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, text: await response.text() };
}

async function rawGraphql(query: string, variables = '{}'): Promise<string> {
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${workspace.ownerToken}`,
      'x-workspace-id': workspace.id,
    },
    body: `{"query":${JSON.stringify(query)},"variables":${variables}}`,
  });
  return response.text();
}

const VALUES = `{"order_id":${BIG},"rate":${FINE},"nested":[{"n":-${BIG}}],"usual":1e2,"price":1.1}`;

/** Checks that a text contains all of the values, as numbers. */
function expectValues(text: string): void {
  for (const member of [`"order_id":${BIG}`, `"rate":${FINE}`, `"n":-${BIG}`, '"usual":100', '"price":1.1'])
    expect(text.replaceAll(/": /g, '":')).toContain(member);
}

const get = async (id: string): Promise<string> => (await raw('GET', `/v1/contacts/${id}`)).text;
/** Waits until the contact contains the sent value, and returns it. */
async function contactWith(id: string, what: string): Promise<string> {
  await until('the contact has it', async () => (await get(id)).includes(what));
  return get(id);
}

describe("a contact's properties", () => {
  test.each([
    ['an upsert', 'POST', '/v1/contacts', `{"external_id":"up","properties":${VALUES}}`, 'up'],
    [
      'a bulk',
      'POST',
      '/v1/contacts/bulk',
      `{"contacts":[{"external_id":"bulk","properties":${VALUES}}]}`,
      'bulk',
    ],
    [
      'an event',
      'POST',
      '/v1/events',
      `{"external_id":"ev","event_name":"seen","contact":{"properties":${VALUES}}}`,
      'ev',
    ],
    [
      'a batch',
      'POST',
      '/v1/events/batch',
      `{"events":[{"external_id":"ba","event_name":"seen","contact":{"properties":${VALUES}}}]}`,
      'ba',
    ],
  ])('%s', async (_, method, path, body, id) => {
    const answer = await raw(method, path, body);
    expect(answer.status).toBeLessThan(300);
    expectValues(await contactWith(id, 'order_id'));
  });

  test('a patch, and nothing new in the same number written otherwise', async () => {
    await raw('POST', '/v1/contacts', '{"external_id":"pa"}');
    expectValues((await raw('PATCH', '/v1/contacts/pa', `{"properties":${VALUES}}`)).text);
    const same = `{"external_id":"pa","properties":{"order_id":1.2345678901234567890e19}}`;
    expect((await raw('POST', '/v1/contacts', same)).text).toContain('"updated_fields":[]');
    const other = `{"external_id":"pa","properties":{"order_id":12345678901234567891}}`;
    expect((await raw('POST', '/v1/contacts', other)).text).toContain('"updated_fields":["properties"]');
    await raw('PATCH', '/v1/contacts/pa', `{"properties":${VALUES}}`);
  });

  test("a flow's step", async () => {
    const flow = `{"name":"Set","trigger_event":"set_it","content_type":"transactional",
      "steps":[{"type":"update_contact","set":{"order_id":${BIG},"properties":{"rate":${FINE}}}}]}`;
    const created = await raw('POST', '/v1/flows', flow);
    expect(created.text).toContain(BIG);
    const { id } = JSON.parse(created.text) as { id: string };
    expect((await raw('GET', `/v1/flows/${id}`)).text).toContain(`"rate":${FINE}`);
    await raw('POST', `/v1/flows/${id}/activate`);
    await raw('POST', '/v1/events', '{"external_id":"st","event_name":"set_it"}');
    const text = await contactWith('st', 'order_id');
    expect(text).toContain(`"order_id":${BIG}`);
    expect(text).toContain(`"rate":${FINE}`);
  });

  test('go out by every door', async () => {
    expectValues((await raw('GET', '/v1/contacts?search=up')).text);
    expectValues((await raw('GET', '/v1/contacts?limit=100')).text);
    expectValues(await rawGraphql('{ contact(id: "up") { properties } }'));
    for (const format of ['json', 'csv'])
      expectValues(
        (await raw('POST', '/v1/contacts/export', `{"format":"${format}"}`)).text.replaceAll('""', '"'),
      );
  });
});

describe('templates', () => {
  const body =
    "<p>Order {the Order ID from the trigger event}; {the user's Order ID} {if the Order ID from the trigger event is 12345678901234567890}same{else}other{end if} {the Order ID from the trigger event plus 1}</p>";

  test('a mail, and a preview of it, show the number as it came, and reckon with it', async () => {
    const template = JSON.stringify({
      name: 'Order',
      slug: 'order',
      subject: '{the Order ID from the trigger event}',
      body_html: body,
    });
    expect((await raw('POST', '/v1/templates', template)).status).toBe(201);
    const flow = `{"name":"Order","trigger_event":"ordered","content_type":"transactional",
      "trigger_conditions":{"order_id":${BIG}},"steps":[{"type":"send_email","template_slug":"order"}]}`;
    const { id } = JSON.parse((await raw('POST', '/v1/flows', flow)).text) as { id: string };
    expect((await raw('GET', `/v1/flows/${id}`)).text).toContain(`"trigger_conditions":{"order_id":${BIG}}`);
    await raw('POST', `/v1/flows/${id}/activate`);
    const event = (number: string, who: string): string =>
      `{"external_id":"${who}","event_name":"ordered","attributes":{"order_id":${number}},
        "contact":{"email":"${who}@example.com","properties":{"order_id":${number}}}}`;
    await raw('POST', '/v1/events', event('12345678901234567891', 'neighbour'));
    await raw('POST', '/v1/events', event('1.2345678901234567890E+19', 'buyer'));
    await until('the mail is there', () => app.sink.to('buyer@example.com').length === 1);
    const mail = await MailSink.parse(app.sink.to('buyer@example.com')[0]!);
    expect(mail.subject).toBe(BIG);
    expect(mail.html).toContain(`Order ${BIG}; ${BIG} same 12345678901234567891`);
    expect(app.sink.to('neighbour@example.com')).toEqual([]);

    const data = `"contact":{"properties":{"order_id":${BIG}}},"trigger_event":{"event_name":"ordered","attributes":{"order_id":${BIG}}}`;
    for (const [path, sent] of [
      ['/v1/templates/order/preview', `{${data}}`],
      ['/v1/templates/render-inline', `{"body_html":${JSON.stringify(body)},${data}}`],
    ] as const)
      expect((await raw('POST', path, sent)).text).toContain(
        `Order ${BIG}; ${BIG} same 12345678901234567891`,
      );
  });

  test('documents of the editor', async () => {
    const document = `{"root":{"n":${BIG}}}`;
    const created = await raw(
      'POST',
      '/v1/templates',
      `{"name":"Doc","slug":"doc","body_html":"<p>a</p>","body_ast":${document}}`,
    );
    expect(created.text).toContain(`"body_ast":${document}`);
    const next = document.replace('890', '891');
    const updated = await raw('PUT', '/v1/templates/doc', `{"body_html":"<p>b</p>","body_ast":${next}}`);
    expect(updated.text).toContain(next);
    expect((await raw('GET', '/v1/templates/doc')).text).toContain(next);
    expect((await raw('GET', '/v1/templates/doc/versions/1')).text).toContain(document);
  });
});

describe('segments', () => {
  const preview = `query ($conditions: JSON!) { previewSegment(conditions: $conditions, match: "all", first: 10) { count } }`;
  const QUESTIONS = [
    ['equals', BIG, true],
    ['equals', '12345678901234567891', false],
    ['not_equals', BIG, false],
    ['greater_than', '12345678901234567889', true],
    ['greater_than', BIG, false],
    ['greater_than_or_equal', BIG, true],
    ['less_than', '12345678901234567891', true],
    ['less_than', '12345678901234567889', false],
    ['in', `[1,${BIG}]`, true],
  ] as const;

  test.each(QUESTIONS)('%s %s finds exactly: %s', async (operator, value, isFound) => {
    await raw('POST', '/v1/contacts', `{"external_id":"seg","properties":{"seg":true,"number":${BIG}}}`);
    const conditions = `[{"field":"properties.seg","operator":"equals","value":true},{"field":"properties.number","operator":"${operator}","value":${value}}]`;
    const variable = await rawGraphql(preview, `{"conditions":${conditions}}`);
    expect(JSON.parse(variable).data.previewSegment.count).toBe(isFound ? 1 : 0);
    const literal = conditions.replaceAll(/"(\w+)":/g, '$1:');
    const answer = await rawGraphql(
      `{ previewSegment(conditions: ${literal}, match: "all", first: 10) { count } }`,
    );
    expect(JSON.parse(answer).data.previewSegment.count).toBe(isFound ? 1 : 0);
  });
});

test('a segment keeps the number that it was given, through a change too', async () => {
  const conditions = (value: string): string =>
    `[{"field":"properties.number","operator":"equals","value":${value}}]`;
  const save = (mutation: string, variables: string): Promise<string> => rawGraphql(mutation, variables);
  const created = await save(
    'mutation ($input: CreateSegmentInput!) { createSegment(input: $input) { id conditions } }',
    `{"input":{"name":"Exact","conditions":${conditions(BIG)}}}`,
  );
  expect(created).toContain(`"value":${BIG}`);
  const { id } = (JSON.parse(created) as { data: { createSegment: { id: string } } }).data.createSegment;
  await save(
    'mutation ($id: ID!, $input: UpdateSegmentInput!) { updateSegment(id: $id, input: $input) { id } }',
    `{"id":"${id}","input":{"conditions":${conditions(FINE)}}}`,
  );
  expect(await rawGraphql(`{ segment(id: "${id}") { conditions } }`)).toContain(`"value":${FINE}`);
});

describe('what cannot be kept', () => {
  const HUGE = `1${'0'.repeat(1_000)}`;
  test.each(['1e400', '-1e400', HUGE, '1e-2000'])('%s is refused at every door', async (number) => {
    const json = `{"n":[${number}]}`;
    for (const [method, path, body] of [
      ['POST', '/v1/contacts', `{"external_id":"no","properties":${json}}`],
      ['PATCH', '/v1/contacts/up', `{"properties":${json}}`],
      ['POST', '/v1/events', `{"external_id":"no","event_name":"seen","attributes":${json}}`],
      ['POST', '/v1/events', `{"external_id":"no","event_name":"seen","contact":{"properties":${json}}}`],
      [
        'POST',
        '/v1/flows',
        `{"name":"n","trigger_event":"e","content_type":"transactional","trigger_conditions":${json}}`,
      ],
      [
        'POST',
        '/v1/flows',
        `{"name":"n","trigger_event":"e","content_type":"transactional","steps":[{"type":"update_contact","set":${json}}]}`,
      ],
      ['POST', '/v1/templates', `{"name":"n","slug":"n","body_html":"<p>a</p>","body_ast":${json}}`],
      ['POST', '/v1/templates/render-inline', `{"body_html":"a","contact":${json}}`],
    ] as const)
      expect([path, (await raw(method, path, body)).status]).toEqual([path, 422]);
    const batch = await raw(
      'POST',
      '/v1/events/batch',
      `{"events":[{"external_id":"x","event_name":"seen","attributes":${json}},{"external_id":"x","event_name":"seen"}]}`,
    );
    expect(JSON.parse(batch.text)).toMatchObject({ accepted: 1, rejected: 1 });
    const bulk = await raw(
      'POST',
      '/v1/contacts/bulk',
      `{"contacts":[{"external_id":"x","properties":${json}},{"external_id":"y"}]}`,
    );
    expect(JSON.parse(bulk.text)).toMatchObject({ errors: [{ index: 0, code: 'invalid_field' }] });
    expect(await rawGraphql(`{ previewTemplate(slug: "doc", contact: {n: ${number}}) { html } }`)).toContain(
      'out of range',
    );
  });

  test('NaN is no JSON', async () =>
    expect((await raw('POST', '/v1/contacts', '{"external_id":"n","properties":{"n":NaN}}')).status).toBe(
      400,
    ));

  test('where a number is wanted that people count with, an exact one is refused', async () =>
    expect((await raw('POST', '/v1/contacts', `{"external_id":${BIG}}`)).status).toBe(422));
});
