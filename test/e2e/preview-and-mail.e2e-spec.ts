/**
 * A preview is identical to the mail: for the same input, the previews of REST and GraphQL and the mail received by an
 * SMTP server are equal in every character of subject, HTML and text.
 */
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { MailSink } from '../support/mail-sink.js';
import { until } from '../support/until.js';

let app: TestApp;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await bootApp();
  workspace = await app.workspace();
});
afterAll(() => app.close());

interface Case {
  readonly subject: string;
  readonly body: string;
  readonly trigger?: string;
  readonly attributes?: object;
  readonly contact?: object;
  /** Events of the contact before the one that starts the trip. */
  readonly earlier?: Readonly<Record<string, object>>;
  /** The expected HTML, so that equal does not mean equally empty. */
  readonly html: string;
}

const amountOf = (event: string): string => `<p>{the Amount from the ${event} event, or "none"}</p>`;
const LONG = `${'ä€😀 '.repeat(300)}end`;

const CASES: Readonly<Record<string, Case>> = {
  'an event in camel case': {
    subject: '{the Amount from the OrderPlaced event, or "none"}',
    body: amountOf('OrderPlaced'),
    earlier: { order_placed: { amount: 17 } },
    html: '<p>17</p>',
  },
  'an event in words': {
    subject: 'x',
    body: amountOf('Order Placed') + amountOf('order-placed') + amountOf('ORDER_PLACED'),
    earlier: { order_placed: { amount: 17 } },
    html: '<p>17</p><p>17</p><p>17</p>',
  },
  'an event without any joints': {
    subject: 'x',
    body: amountOf('orderplaced') + amountOf('ORDERPLACED'),
    earlier: { order_placed: { amount: 17 } },
    html: '<p>17</p><p>17</p>',
  },
  'an event with figures': {
    subject: 'x',
    body: amountOf('Step2Done') + amountOf('step 2 done') + amountOf('step2 done'),
    earlier: { step_2_done: { amount: 3 } },
    html: '<p>3</p><p>3</p><p>3</p>',
  },
  'events that differ in underscores alone': {
    subject: 'x',
    body: amountOf('AB C') + amountOf('ab c') + amountOf('ABC') + amountOf('a b c') + amountOf('aBc'),
    earlier: { a_bc: { amount: 1 }, ab_c: { amount: 2 }, a_b_c: { amount: 3 } },
    html: '<p>2</p><p>2</p><p>3</p><p>3</p><p>1</p>',
  },
  'an event that nobody can have': {
    subject: '{the Amount from the Größe event, or "none"}',
    body: amountOf('Größe') + amountOf('1st order') + amountOf('a b'.repeat(90)) + amountOf('constructor'),
    html: '<p>none</p><p>none</p><p>none</p><p>none</p>',
  },
  'the trigger event by its name': {
    subject: '{the Amount from the CartLeft event}',
    body: amountOf('Cart-Left') + '<p>{the Amount from the trigger event} {the Amount}</p>',
    trigger: 'cart_left',
    attributes: { amount: 8 },
    html: '<p>8</p><p>8 8</p>',
  },
  'events in Jinja2': {
    subject: '{{ events.order_placed.amount }}',
    body: "<p>{{ events['OrderPlaced'].amount }} {{ event.note | upper }}</p>",
    attributes: { note: 'straße & co' },
    earlier: { order_placed: { amount: 17 } },
    html: '<p>17 STRASSE &amp; CO</p>',
  },
  'dates and numbers in the contact’s own place': {
    subject: '{the user\'s Renews, as "long date"} {the user\'s Points, as "number"}',
    body: "<p>{the user's Renews, as \"EEEE, d MMMM H:mm\"}; {the user's Points plus 0.1}; {the user's Rate}</p>",
    contact: {
      locale: 'de-DE',
      timezone: 'Pacific/Auckland',
      properties: { renews: '2026-12-31T23:30:00Z', points: 1234567.5, rate: 1e21 },
    },
    html: '',
  },
  'the contact’s own moments': {
    subject: "{the user's Created At}",
    body: '<p>{the user\'s Created At} {the user\'s Updated At, as "d MMMM yyyy"}</p>',
    html: '',
  },
  'what HTML, headers and mail have to escape': {
    subject: "{the Note from the trigger event} & {the user's First Name}",
    body: '<p title="{the Note from the trigger event}">{the Note from the trigger event}</p>\n.\n<a href="https://x.test/?q={the Note from the trigger event}">=?utf-8?q?x?=</a>   \n\n',
    contact: { first_name: 'Zoë 😀 <b>' },
    attributes: { note: 'a\t"b"\r\nTo: x@y.test\u2028<i>&amp;</i>\u00a0' },
    html: '',
  },
  'a line longer than mail allows': {
    subject: '{the Note from the trigger event}',
    body: '<p>{the Note from the trigger event}</p><p>{for each item in the Items}{the item}, {end for}</p>',
    attributes: { note: LONG, items: [1, 'two', null, true, [3]] },
    html: '',
  },
};

/** Mail ends each line with CR LF, and each part with such a line. */
const asMailed = (text: string): string => text.replace(/\r\n|\r|\n/g, '\n').replace(/\n+$/, '');

test.each(Object.entries(CASES))('%s', async (name, input) => {
  const tag = `case-${Object.keys(CASES).indexOf(name)}`;
  const trigger = input.trigger ?? `started_${tag.replace('-', '_')}`;
  const address = `${tag}@example.com`;
  const post = async (path: string, body: unknown): Promise<any> => {
    const answer = await workspace.call('POST', path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  await post('/v1/templates', { name, slug: tag, subject: input.subject, body_html: input.body });
  const flow = await post('/v1/flows', {
    name,
    trigger_event: trigger,
    content_type: 'transactional',
    steps: [{ type: 'send_email', template_slug: tag }],
  });
  await post(`/v1/flows/${flow.id}/activate`, undefined);
  await post('/v1/contacts', { external_id: tag, email: address, ...input.contact });
  for (const [event_name, attributes] of Object.entries(input.earlier ?? {}))
    await post('/v1/events', { external_id: tag, event_name, attributes });
  await post('/v1/events', { external_id: tag, event_name: trigger, attributes: input.attributes ?? {} });
  await until('the mail is there', () => app.sink.to(address).length === 1);
  const mail = await MailSink.parse(app.sink.to(address)[0]!);

  const query = new URLSearchParams({ contact_id: tag, event_name: trigger });
  const earlier = Object.keys(input.earlier ?? {}).toSorted();
  if (earlier.length > 0) query.set('additional_events', earlier.join(','));
  const { body: context } = await workspace.call('GET', `/v1/templates/preview-context?${query.toString()}`);
  const sample = {
    contact: context.contact,
    trigger_event: { event_name: trigger, attributes: context.trigger_event.attributes },
    additional_events: Object.fromEntries(
      earlier.map((each) => [each, { attributes: context.additional_events[each].attributes }]),
    ),
  };
  const content = { subject: input.subject, body_html: input.body };
  const previews = {
    rest: await post(`/v1/templates/${tag}/preview`, sample),
    inline: await post('/v1/templates/render-inline', { ...content, ...sample }),
    graphql: (
      await workspace.graphql(
        `query ($slug: String!, $contact: JSON, $triggerEvent: JSON, $additionalEvents: JSON) {
          previewTemplate(slug: $slug, contact: $contact, triggerEvent: $triggerEvent, additionalEvents: $additionalEvents) {
            subject html text } }`,
        {
          slug: tag,
          contact: sample.contact,
          triggerEvent: sample.trigger_event,
          additionalEvents: sample.additional_events,
        },
      )
    ).body.data.previewTemplate,
  };
  const sent = { subject: mail.subject, html: asMailed(mail.html ?? ''), text: asMailed(mail.text ?? '') };
  for (const [face, { subject, html, text }] of Object.entries(previews))
    expect([face, { subject, html: asMailed(html), text: asMailed(text) }]).toEqual([face, sent]);
  expect(sent.html).toContain(input.html);
});

test('the subject of a step reads events that the template does not read', async () => {
  const body = { name: 'Plain', slug: 'plain', subject: 'x', body_html: '<p>x</p>' };
  await workspace.call('POST', '/v1/templates', body);
  const subject = '{the Amount from the OrderPlaced event, or "none"}';
  const flow = await workspace.call('POST', '/v1/flows', {
    name: 'Step subject',
    trigger_event: 'reminded',
    content_type: 'transactional',
    steps: [{ type: 'send_email', template_slug: 'plain', subject }],
  });
  await workspace.call('POST', `/v1/flows/${flow.body.id}/activate`);
  const event = { external_id: 'step', contact: { email: 'step@example.com' } };
  await workspace.call('POST', '/v1/events', {
    ...event,
    event_name: 'order_placed',
    attributes: { amount: 5 },
  });
  await workspace.call('POST', '/v1/events', { ...event, event_name: 'reminded' });
  await until('the mail is there', () => app.sink.to('step@example.com').length === 1);
  expect((await MailSink.parse(app.sink.to('step@example.com')[0]!)).subject).toBe('5');
});
