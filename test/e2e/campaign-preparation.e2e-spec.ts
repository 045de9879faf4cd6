/** What users check before they send a campaign, over HTTP and SMTP, section 4.5: its audience, and its appearance. */
import type { Answer } from '../support/app.js';
import { campaignsFixture } from '../support/campaigns-fixture.js';
import { UNKNOWN_ID } from '../support/flows-fixture.js';
import { MailSink, type ReceivedMail } from '../support/mail-sink.js';

const fixture = campaignsFixture({ queues: [] });
const { call, campaign, put, template, segment } = fixture;

const externalIds = (body: any): string[] =>
  body.sample.map(({ external_id: id }: { external_id: string }) => id);

describe('audience-preview', () => {
  const preview = (id: string, body: unknown = {}, headers = {}): Promise<Answer> =>
    call('POST', `/${id}/audience-preview`, body, headers);
  const everybody = async (): Promise<string> => (await campaign({ segment_id: await segment() })).id;

  async function contact(externalId: string, more: object = {}): Promise<any> {
    const person = { external_id: externalId, email: `${externalId}@example.com`, ...more };
    const { body } = await fixture.workspace.call('POST', '/v1/contacts', person);
    fixture.app.clock.wind(1_000);
    return body;
  }
  const remove = async (externalId: string): Promise<void> => {
    expect((await fixture.workspace.call('DELETE', `/v1/contacts/${externalId}`)).status).toBeLessThan(300);
  };
  async function mutate(query: string, input: object): Promise<void> {
    const { body } = await fixture.workspace.graphql(query, input);
    expect(body.errors).toBeUndefined();
  }
  const suppress = (email: string): Promise<void> =>
    mutate('mutation ($input: AddSuppressionInput!) { addSuppression(input: $input) { id } }', {
      input: { email },
    });
  const optOut = (id: string): Promise<void> =>
    mutate('mutation ($id: ID!) { optContactOut(id: $id) { pausedUntil } }', { id });
  const erase = (id: string): Promise<void> =>
    mutate('mutation ($id: ID!) { eraseContact(id: $id) { id } }', { id });

  test('tells who would get it, and of everybody else why not', async () => {
    for (const id of ['ada', 'bob']) await contact(id);
    await contact('twin', { email: 'ADA@Example.com' });
    await contact('quiet');
    await contact('silent', { email: null });
    for (const id of ['quiet', 'silent']) await optOut(id);
    await contact('nowhere', { email: null });
    await contact('blocked', { email: 'Blocked@Example.com' });
    await suppress('bLOCKED@example.com');
    await contact('gone');
    await remove('gone');
    const segmentId = await segment();
    const { id } = await campaign({ segment_id: segmentId });
    const answer = await preview(id);
    expect([answer.status, { ...answer.body, sample: externalIds(answer.body) }]).toEqual([
      200,
      {
        segment_id: segmentId,
        total: 7,
        sendable: 2,
        skipped: {
          ...{ unsubscribed: 2, deleted: 0, no_email_address: 1, suppression_list: 1 },
          duplicate_address: 1,
        },
        sample: ['bob', 'ada'],
        evaluated_at: fixture.app.clock.now().toISOString(),
      },
    ]);
    const ada = (await fixture.workspace.call('GET', '/v1/contacts/ada')).body;
    expect(answer.body.sample[1]).toEqual(ada);
  });

  test.each([0, 60])(
    'who refused or was suppressed under another name is skipped too, among %d more',
    async (more) => {
      // Two contacts share each address. One of them is erased, after which only a hash of the address records the
      // opt-out or the suppression.
      const first = await contact('refuser-1', { email: 'refuser@example.com' });
      await contact('refuser-2', { email: 'refuser@example.com' });
      const other = await contact('bouncer-1', { email: 'bouncer@example.com' });
      await contact('bouncer-2', { email: 'Bouncer@Example.com' });
      await suppress('bouncer@example.com');
      await optOut('refuser-1');
      await erase(first.id);
      await erase(other.id);
      const people = Array.from({ length: more }, (_, n) => ({
        external_id: `p${n}`,
        email: `p${n}@example.com`,
      }));
      if (more > 0) await fixture.workspace.call('POST', '/v1/contacts/bulk', { contacts: people });
      const { body } = await preview(await everybody());
      expect(body).toMatchObject({
        total: more + 2,
        sendable: more,
        skipped: { unsubscribed: 1, deleted: 0, no_email_address: 0, suppression_list: 1 },
      });
      expect(body.sample).toHaveLength(Math.min(more, 10));
    },
  );

  test('looks at everybody, however many, and at the contacts of the segment and the environment alone', async () => {
    const people = 5_003;
    await fixture.admin.query(
      `INSERT INTO contacts (workspace_id, id, environment, external_id, email, subscription_status, product_type, created_at,
         updated_at)
       SELECT $1, gen_random_uuid(), CASE WHEN n % 1000 = 999 THEN 'test' ELSE 'live' END, 'c' || n,
         CASE WHEN n % 7 = 0 THEN NULL ELSE 'c' || n || '@example.com' END,
         CASE WHEN n % 11 = 0 THEN 'unsubscribed' ELSE 'subscribed' END,
         CASE WHEN n % 2 = 0 THEN 'pro' ELSE 'free' END, now(), now()
       FROM generate_series(0, $2) n`,
      [fixture.workspace.id, people - 1],
    );
    await suppress('c1@example.com');
    await suppress('c2@example.com');
    const all = Array.from({ length: people }, (_, n) => n).filter((n) => n % 1000 !== 999);
    const expected = (of: readonly number[], suppressed: number): object => {
      const unsubscribed = of.filter((n) => n % 11 === 0).length;
      const nowhere = of.filter((n) => n % 11 !== 0 && n % 7 === 0).length;
      return {
        total: of.length,
        sendable: of.length - unsubscribed - nowhere - suppressed,
        skipped: { unsubscribed, deleted: 0, no_email_address: nowhere, suppression_list: suppressed },
      };
    };
    const { body } = await preview(await everybody());
    expect(body).toMatchObject(expected(all, 2));
    expect(body.sample).toHaveLength(10);
    const pros = await segment([{ field: 'product_type', operator: 'equals', value: 'pro' }]);
    const { id } = await campaign({ segment_id: pros });
    expect((await preview(id)).body).toMatchObject(
      expected(
        all.filter((n) => n % 2 === 0),
        1,
      ),
    );
    expect(new Set(externalIds(body)).size).toBe(10);

    const inTest = { 'x-environment': 'test' };
    const trial = await call('POST', '', { name: 'Trial', segment_id: pros }, inTest);
    expect((await preview(trial.body.id, {}, inTest)).body.total).toBe(0);
    const trialOfAll = await call('POST', '', { name: 'Trial', segment_id: await segment() }, inTest);
    expect((await preview(trialOfAll.body.id, {}, inTest)).body.total).toBe(5);
  });

  test.each([
    [[{ event: 'order_placed', at_least: 2 }], 0],
    [[{ event: 'order_placed', at_least: 0, at_most: 1 }], 1],
  ])('a segment by events is asked as any other: %j', async (conditions, total) => {
    await contact('ada');
    const { id } = await campaign({ segment_id: await segment(conditions) });
    expect((await preview(id)).body).toMatchObject({ total, sendable: total });
  });

  test('previews at the same time are each answered', async () => {
    await contact('ada');
    const id = await everybody();
    const answers = await Promise.all(Array.from({ length: 6 }, () => preview(id)));
    expect(answers.map(({ status, body }) => [status, body.sendable])).toEqual(Array(6).fill([200, 1]));
  });

  test('whoever may not read contacts sees no addresses', async () => {
    const email = `marketing-${Date.now()}@example.com`;
    fixture.workspace = await fixture.app.workspace({
      members: [
        { email: `owner-${email}`, role: 'owner' },
        { email, role: 'marketing' },
      ],
    });
    const token = await fixture.app.token(email);
    const asMarketing = { authorization: `Bearer ${token}` };
    await contact('ada@example.com', {
      email: 'ada@example.com',
      phone: '+44 20 7946 0958',
      first_name: 'Ada',
    });
    const segmentId = await segmentOfOwner(`owner-${email}`);
    const { body: made } = await call('POST', '', { name: 'N', segment_id: segmentId }, asMarketing);
    const { body } = await preview(made.id, {}, asMarketing);
    expect(body.sample).toEqual([
      expect.objectContaining({
        external_id: 'a***@e***.com',
        email: 'a***@e***.com',
        phone: '***58',
        first_name: 'Ada',
      }),
    ]);
  });

  async function segmentOfOwner(email: string): Promise<string> {
    const { body } = await fixture.app.request(
      'POST',
      '/graphql',
      { query: 'mutation { createSegment(input: { name: "All", conditions: [] }) { id } }' },
      { authorization: `Bearer ${await fixture.app.token(email)}`, 'x-workspace-id': fixture.workspace.id },
    );
    return body.data.createSegment.id as string;
  }

  test('without a segment, or when it was deleted, the campaign is incomplete', async () => {
    const { id } = await campaign();
    const segmentId = await segment();
    const { id: left } = await campaign({ segment_id: segmentId });
    await mutate('mutation ($id: ID!) { deleteSegment(id: $id) }', { id: segmentId });
    for (const each of [id, left]) {
      const { status, body } = await preview(each);
      expect([status, body.code, body.errors.map(({ field }: any) => field)]).toEqual([
        422,
        'campaign_incomplete',
        ['segment_id'],
      ]);
    }
  });

  test('takes nothing, needs nothing, and writes nothing; unknown campaigns are 404', async () => {
    const id = await everybody();
    expect((await preview(id, undefined)).status).toBe(200);
    expect((await preview(id, { limit: 1 })).body).toMatchObject({ code: 'invalid_field' });
    expect((await preview(UNKNOWN_ID)).body.code).toBe('campaign_not_found');
    await put(id, 'sent');
    expect((await preview(id)).status).toBe(200);
    const { rows } = await fixture.admin.query('SELECT count(*)::int AS n FROM email_logs');
    expect(rows).toEqual([{ n: 0 }]);
  });
});

describe('test-send', () => {
  beforeEach(() => void fixture.app.sink.mails.splice(0));
  const testSend = (id: string, body: unknown = { recipients: ['ada@example.com'] }): Promise<Answer> =>
    call('POST', `/${id}/test-send`, body);
  const HTML = '<p>Hi {the user\'s First Name, or "there"}</p>';

  function onlyMail(): ReceivedMail {
    expect(fixture.app.sink.mails).toHaveLength(1);
    return fixture.app.sink.mails[0]!;
  }

  test("shows the campaign's subject and sender, rendered for the recipient's contact, and leaves no trace", async () => {
    await fixture.workspace.call('POST', '/v1/contacts', {
      external_id: 'ada',
      email: 'ada@example.com',
      first_name: 'Ada',
    });
    const { id } = await campaign({
      template_id: await template(HTML),
      subject: 'Spring, {the user\'s First Name, or "you"}',
      sender_name: 'Olive',
      sender_email: 'olive@mail.localhost',
      reply_to: 'help@acme.test',
    });
    const { status, body } = await testSend(id);
    expect([status, body]).toEqual([
      200,
      {
        sent_count: 1,
        failed: [],
        results: [{ email: 'ada@example.com', outcome: 'sent', reason: null }],
        all_accepted: true,
      },
    ]);
    const mail = await MailSink.parse(onlyMail());
    expect(mail).toMatchObject({
      subject: '[Test] Spring, Ada',
      from: { name: 'Olive', address: 'olive@mail.localhost' },
      replyTo: [{ address: 'help@acme.test' }],
    });
    expect(mail.html?.trimEnd()).toBe('<p>Hi Ada</p>');
    const { rows } = await fixture.admin.query(
      `SELECT (SELECT count(*)::int FROM email_logs WHERE workspace_id = $1) AS logs,
         (SELECT coalesce(sum(used), 0)::int FROM monthly_emails WHERE workspace_id = $1) AS emails`,
      [fixture.workspace.id],
    );
    expect(rows).toEqual([{ logs: 0, emails: 0 }]);
  });

  test.each([
    [{}, {}, '[Test] News'],
    [{ subject: ' ' }, {}, '[Test] News'],
    [{}, { subject: null }, '[Test] Test email'],
    [{ subject: 'Own' }, { subject: null }, '[Test] Own'],
  ])('of a campaign with %j and a template with %j the subject is %s', async (more, ofTemplate, subject) => {
    const { id } = await campaign({ template_id: await template(HTML, ofTemplate), ...more });
    await testSend(id);
    const mail = await MailSink.parse(onlyMail());
    expect([mail.subject, mail.from]).toEqual([subject, { name: 'Acme', address: 'hello@mail.localhost' }]);
  });

  test('reads the template as it is pinned', async () => {
    const { id } = await campaign({
      template_id: await template('<p>{{ a }}</p>', { template_language: 'nlt' }),
    });
    await testSend(id);
    const { html } = await MailSink.parse(onlyMail());
    const free = await campaign({ template_id: await template('<p>{{ a }}</p>') });
    fixture.app.sink.mails.length = 0;
    await testSend(free.id);
    expect((await MailSink.parse(onlyMail())).html).not.toBe(html);
  });

  test('a campaign of any status may be tried', async () => {
    const { id } = await campaign({ template_id: await template() });
    await put(id, 'sent');
    expect((await testSend(id)).body.sent_count).toBe(1);
  });

  test('without a template that is there and active the campaign is incomplete, and nobody is sent anything', async () => {
    const gone = await template();
    const { id: left } = await campaign({ template_id: gone });
    await fixture.admin.query('DELETE FROM templates WHERE id = $1', [gone]);
    const { id: idle } = await campaign({ template_id: await template(HTML, { is_active: false }) });
    for (const id of [(await campaign()).id, left, idle]) {
      const { status, body } = await testSend(id);
      expect([status, body.code, body.errors.map(({ field }: any) => field)]).toEqual([
        422,
        'campaign_incomplete',
        ['template_id'],
      ]);
    }
    expect(fixture.app.sink.mails).toEqual([]);
  });

  test('what is wrong with the template fails every recipient with its reason', async () => {
    const { id } = await campaign({ template_id: await template("<p>{the user's Name, as }</p>") });
    expect((await testSend(id)).body.results).toEqual([
      { email: 'ada@example.com', outcome: 'failed', reason: 'template_errors' },
    ]);
  });

  test.each([
    [{ recipients: ['ada@example.com', 'nobody'] }, 400, 'invalid_email', 'recipients[1]'],
    [{ recipients: [''] }, 400, 'invalid_email', 'recipients[0]'],
    [{ recipients: [] }, 422, 'invalid_field', 'recipients'],
    [{ recipients: Array(6).fill('ada@example.com') }, 422, 'invalid_field', 'recipients'],
    [{ recipients: 'ada@example.com' }, 422, 'invalid_field', 'recipients'],
    [{ recipients: [7] }, 422, 'invalid_field', 'recipients'],
    [{ recipients: ['ada@example.com'], subject: 'S' }, 422, 'invalid_field', 'subject'],
    [{}, 400, 'validation_error', 'recipients'],
  ])('refuses %j with %d %s', async (body, status, code, field) => {
    const { id } = await campaign({ template_id: await template() });
    const answer = await testSend(id, body);
    expect([answer.status, answer.body.code, answer.body.errors?.[0]?.field]).toEqual([status, code, field]);
    expect(fixture.app.sink.mails).toEqual([]);
  });

  test('five recipients at most, each once', async () => {
    const { id } = await campaign({ template_id: await template() });
    const recipients = [
      'a@example.com',
      ' A@example.com ',
      'b@example.com',
      'c@example.com',
      'd@example.com',
    ];
    const { body } = await testSend(id, { recipients });
    expect([body.sent_count, body.results.map(({ email }: any) => email)]).toEqual([
      4,
      ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com'],
    ]);
  });

  test('unknown campaigns are 404', async () => {
    expect((await testSend(UNKNOWN_ID)).body.code).toBe('campaign_not_found');
  });
});

test('GraphQL shows the same, and sends the same', async () => {
  fixture.app.sink.mails.length = 0;
  await fixture.workspace.call('POST', '/v1/contacts', { external_id: 'ada', email: 'ada@example.com' });
  await fixture.workspace.call('POST', '/v1/contacts', { external_id: 'bob' });
  const { id } = await campaign({ segment_id: await segment(), template_id: await template() });
  const { body } = await fixture.workspace.graphql(
    `mutation { sendTestCampaign(id: "${id}", recipients: ["ada@example.com"]) { sentCount allAccepted results { reason } } }`,
  );
  expect(body.data.sendTestCampaign).toEqual({
    sentCount: 1,
    allAccepted: true,
    results: [{ reason: null }],
  });
  expect(fixture.app.sink.mails).toHaveLength(1);
  const audience = await fixture.workspace.graphql(
    `{ campaignAudience(id: "${id}") { total sendable skipped { unsubscribed deleted noEmailAddress suppressionList duplicateAddress }
       sample { externalId } } }`,
  );
  expect(audience.body.data.campaignAudience).toEqual({
    total: 2,
    sendable: 1,
    skipped: { unsubscribed: 0, deleted: 0, noEmailAddress: 1, suppressionList: 0, duplicateAddress: 0 },
    sample: [{ externalId: 'ada' }],
  });
  const { id: bare } = await campaign();
  for (const ask of [
    `{ campaignAudience(id: "${bare}") { total } }`,
    `mutation { sendTestCampaign(id: "${bare}", recipients: ["ada@example.com"]) { sentCount } }`,
  ]) {
    const { body: refused } = await fixture.workspace.graphql(ask);
    expect([refused.errors[0].extensions.code, refused.errors[0].extensions.errors[0].field]).toEqual([
      'campaign_incomplete',
      ask.startsWith('{') ? 'segmentId' : 'templateId',
    ]);
  }
  const wrong = await fixture.workspace.graphql(
    `mutation { sendTestCampaign(id: "${id}", recipients: ["nobody"]) { sentCount } }`,
  );
  expect(wrong.body.errors[0].extensions.code).toBe('invalid_email');
});
