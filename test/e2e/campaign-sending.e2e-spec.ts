/**
 * Sends campaigns: each contact of the segment gets one message, also if the campaign is paused and resumed meanwhile.
 */
import pg from 'pg';
import { UnsubscribeLinks } from '../../src/modules/unsubscribe/application/unsubscribe-links.js';
import { campaignActs, SIGNED_WEBHOOKS } from '../support/campaign-acts.js';
import { campaignsFixture } from '../support/campaigns-fixture.js';
import { HOUR } from '../support/clock.js';
import { until } from '../support/until.js';

const fixture = campaignsFixture({ env: SIGNED_WEBHOOKS });
const { people, ready, become, act, ledger, taken, deliverWebhook, swept } = campaignActs(fixture);

test('everybody whom mail may go to has it once, and nobody else costs anything', async () => {
  const reached = await people(60);
  const campaign = await ready();
  const sent = await act(campaign.id, 'send');
  expect(sent).toMatchObject({ status: 'sending', audience_size: 0, paused_reason: null });
  await become(campaign.id, 'sent');
  expect(await ledger()).toEqual({ sent: reached });
  const { body } = await fixture.get(campaign.id);
  expect(body).toMatchObject({ audience_size: 60, completed_at: expect.any(String) });
  const { rows } = await fixture.admin.query(
    `SELECT skipped, count(*)::int FROM campaign_recipients WHERE workspace_id = $1 GROUP BY 1 ORDER BY 1`,
    [fixture.workspace.id],
  );
  expect(rows).toEqual([
    { skipped: 'no_email_address', count: 12 },
    { skipped: 'unsubscribed', count: 12 },
    { skipped: null, count: reached },
  ]);
  const { rows: once } = await fixture.admin.query(
    'SELECT FROM email_logs WHERE workspace_id = $1 GROUP BY contact_id HAVING count(*) > 1',
    [fixture.workspace.id],
  );
  expect(once).toEqual([]);
});

test('several contacts with one address get a campaign once, wherever in the audience they stand', async () => {
  // 5,000 contacts without an address separate the contacts with the same one, because an audience is read in chunks of
  // that size.
  await fixture.admin.query(
    `INSERT INTO contacts (workspace_id, environment, id, external_id, email, subscription_status, properties, created_at, updated_at)
     SELECT $1, 'live', ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'n' || n, CASE
         WHEN n < 10 THEN 'person-' || n || '@example.com'
         WHEN n >= 5020 THEN CASE WHEN n = 5022 THEN 'Quiet' ELSE 'quiet' END || '@example.com'
         WHEN n >= 5010 THEN 'Person-' || (n - 5010) || '@EXAMPLE.com' END,
       CASE WHEN n = 5020 THEN 'unsubscribed' ELSE 'subscribed' END, '{}', now(), now()
     FROM generate_series(0, 5022) AS n`,
    [fixture.workspace.id],
  );
  const campaign = await ready();
  const { body: preview } = await fixture.call('POST', `/${campaign.id}/audience-preview`, {});
  expect([preview.total, preview.sendable, preview.skipped]).toEqual([
    ...[5023, 11],
    { unsubscribed: 1, deleted: 0, no_email_address: 5000, suppression_list: 0, duplicate_address: 11 },
  ]);
  const sample = preview.sample.map(({ external_id: id }: any) => id);
  expect(sample).toEqual(['n5021', 'n9', 'n8', 'n7', 'n6', 'n5', 'n4', 'n3', 'n2', 'n1']);
  for (const times of [1, 2]) {
    const { body: sent } = await fixture.call('POST', `/${campaign.id}/duplicate`);
    await act(sent.id, 'send');
    await become(sent.id, 'sent');
    expect(await ledger()).toEqual({ sent: 11 * times });
    const { rows: skipped } = await fixture.admin.query(
      `SELECT r.skipped, count(*)::int FROM campaign_recipients r JOIN campaign_instances i ON i.id = r.instance_id
       WHERE i.campaign_id = $1 GROUP BY 1 ORDER BY 1`,
      [sent.id],
    );
    expect(skipped).toEqual([
      { skipped: 'duplicate_address', count: 11 },
      { skipped: 'no_email_address', count: 5000 },
      { skipped: 'unsubscribed', count: 1 },
      { skipped: null, count: 11 },
    ]);
    const { body: page } = await fixture.call('GET', `/${sent.id}/recipients?limit=1&offset=5010`);
    expect(page.recipients).toMatchObject([
      { external_id: 'n5010', status: 'skipped', reason: 'duplicate_address', email_log_id: null },
    ]);
  }
  const { rows } = await fixture.admin.query(
    `SELECT (SELECT count(*)::int FROM campaign_addresses) AS kept, (SELECT count(*)::int FROM (SELECT lower(to_email)
       FROM email_logs WHERE workspace_id = $1 GROUP BY 1, source_id HAVING count(*) > 1) AS more) AS more`,
    [fixture.workspace.id],
  );
  expect(rows).toEqual([{ kept: 0, more: 0 }]);
});

test('what is sent is what it was when the sending began, whatever is changed then', async () => {
  await people(10);
  const campaign = await ready({ subject: 'Before', sender_name: 'Ada of Acme' });
  await act(campaign.id, 'send', { max_per_hour: 60 });
  await taken(campaign.id, 10);
  await fixture.admin.query(
    `UPDATE templates SET subject = 'After', body_html = 'gone' WHERE workspace_id = $1`,
    [fixture.workspace.id],
  );
  fixture.app.clock.wind(HOUR);
  await become(campaign.id, 'sent');
  const { rows } = await fixture.admin.query(
    'SELECT DISTINCT subject, template_version FROM email_logs WHERE workspace_id = $1',
    [fixture.workspace.id],
  );
  expect(rows).toEqual([{ subject: 'Before', template_version: 1 }]);
});

test('spread over hours: paused nothing begins, resumed it goes on as much later, cancelled the rest is called off', async () => {
  const reached = await people(50);
  const campaign = await ready();
  await act(campaign.id, 'send', { max_per_hour: 10 });
  await taken(campaign.id, 50);
  await until('the first has gone', async () => (await ledger())['sent'] === 1);
  fixture.app.clock.wind(HOUR);
  await until('an hour’s have gone', async () => (await ledger())['sent'] === 11);
  expect(await act(campaign.id, 'pause')).toMatchObject({ status: 'paused', paused_reason: null });
  await swept(campaign.id);
  fixture.app.clock.wind(3 * HOUR);
  await swept(campaign.id);
  expect(await ledger()).toEqual({ sent: 11, queued: reached - 11 });
  expect(await act(campaign.id, 'resume')).toMatchObject({ status: 'resumed' });
  await swept(campaign.id);
  const before = (await ledger())['sent'] ?? 0;
  expect(before).toBeLessThan(14);
  fixture.app.clock.wind(HOUR);
  await until('another hour’s have gone', async () => ((await ledger())['sent'] ?? 0) >= before + 9);
  expect((await ledger())['sent']).toBeLessThanOrEqual(before + 11);
  expect(await act(campaign.id, 'cancel')).toMatchObject({ status: 'cancelled' });
  await swept(campaign.id);
  const { sent = 0, cancelled = 0, ...rest } = await ledger();
  expect([sent + cancelled, rest]).toEqual([reached, {}]);
  fixture.app.clock.wind(9 * HOUR);
  expect((await ledger())['sent']).toBe(sent);
});

test('a moment in the future: it begins then, and may be moved until it does', async () => {
  await people(5);
  const campaign = await ready();
  const at = (hours: number): string =>
    new Date(fixture.app.clock.now().getTime() + hours * HOUR).toISOString();
  expect((await fixture.call('POST', `/${campaign.id}/schedule`, { scheduled_at: at(-1) })).status).toBe(422);
  expect(
    (await fixture.call('POST', `/${campaign.id}/schedule`, { scheduled_at: '2030-01-01T09:00:00' })).status,
  ).toBe(422);
  // With local time it begins 14 hours earlier.
  const again = { local_time: true, max_per_hour: 60, scheduled_at: at(20) };
  expect(await act(campaign.id, 'schedule', again)).toMatchObject({ status: 'scheduled' });
  const unschedule = `mutation ($id: ID!) { unscheduleCampaign(id: $id) { status scheduledAt localTime maxPerHour } }`;
  const { body: draft } = await fixture.workspace.graphql(unschedule, { id: campaign.id });
  expect(draft).toEqual({
    data: {
      unscheduleCampaign: { status: 'draft', scheduledAt: null, localTime: false, maxPerHour: null },
    },
  });
  expect((await fixture.patch(campaign.id, { subject: 'Changed' })).status).toBe(200);
  const { body: twice } = await fixture.workspace.graphql(unschedule, { id: campaign.id });
  expect(twice.errors[0].extensions).toMatchObject({ code: 'invalid_status', allowedFrom: ['scheduled'] });
  expect(await act(campaign.id, 'schedule', { scheduled_at: at(2) })).toMatchObject({ status: 'scheduled' });
  expect(await act(campaign.id, 'schedule', { scheduled_at: at(3) })).toMatchObject({ status: 'scheduled' });
  fixture.app.clock.wind(2.5 * HOUR);
  expect((await fixture.get(campaign.id)).body.status).toBe('scheduled');
  expect(await ledger()).toEqual({});
  fixture.app.clock.wind(HOUR);
  await become(campaign.id, 'sent');
  expect(await ledger()).toEqual({ sent: 3 });
});

test('what is missing at its moment pauses it, and it begins once it is resumed', async () => {
  await people(5);
  const campaign = await ready();
  const at = new Date(fixture.app.clock.now().getTime() + HOUR).toISOString();
  await act(campaign.id, 'schedule', { scheduled_at: at });
  await fixture.admin.query('UPDATE templates SET is_active = false WHERE workspace_id = $1', [
    fixture.workspace.id,
  ]);
  fixture.app.clock.wind(HOUR);
  await become(campaign.id, 'paused');
  expect((await fixture.get(campaign.id)).body.paused_reason).toBe('campaign_incomplete');
  const early = await fixture.call('POST', `/${campaign.id}/resume`);
  expect([early.status, early.body.code, early.body.errors[0].field]).toEqual([
    422,
    'campaign_incomplete',
    'template_id',
  ]);
  await fixture.admin.query('UPDATE templates SET is_active = true WHERE workspace_id = $1', [
    fixture.workspace.id,
  ]);
  expect((await act(campaign.id, 'resume')).status).toBe('resumed');
  await become(campaign.id, 'sent');
});

test('where the month has no room left it is paused, nobody is lost, and it goes on', async () => {
  fixture.workspace = await fixture.app.workspace({ plan: 'free' });
  const reached = await people(30);
  const campaign = await ready();
  const month = `${fixture.app.clock.now().toISOString().slice(0, 7)}-01`;
  const use = (used: number): Promise<unknown> =>
    fixture.admin.query(
      `INSERT INTO monthly_emails (workspace_id, environment, month, used) VALUES ($1, 'live', $2, $3)
       ON CONFLICT (workspace_id, environment, month) DO UPDATE SET used = $3`,
      [fixture.workspace.id, month, used],
    );
  await use(995);
  await act(campaign.id, 'send');
  await become(campaign.id, 'paused');
  await swept(campaign.id);
  expect((await fixture.get(campaign.id)).body.paused_reason).toBe('plan_limit_reached');
  expect(await ledger()).toEqual({ sent: 5, queued: reached - 5 });
  const refused = await fixture.call('POST', `/${campaign.id}/resume`);
  expect([refused.status, refused.body.code]).toEqual([403, 'plan_limit_reached']);
  await use(100);
  expect((await act(campaign.id, 'resume')).paused_reason).toBeNull();
  await become(campaign.id, 'sent');
  expect(await ledger()).toEqual({ sent: reached });
});

test('a workspace that is suspended has its campaigns paused', async () => {
  await people(20);
  const campaign = await ready();
  await act(campaign.id, 'send', { max_per_hour: 10 });
  await taken(campaign.id, 20);
  await fixture.admin.query(`UPDATE workspaces SET status = 'suspended' WHERE id = $1`, [
    fixture.workspace.id,
  ]);
  await become(campaign.id, 'paused');
  expect((await fixture.get(campaign.id)).body.paused_reason).toBe('workspace_suspended');
});

test('each call is refused where it leads nowhere, and says from where it would', async () => {
  const campaign = await ready();
  for (const [call, allowed] of [
    ['pause', ['sending', 'ab_testing', 'resumed']],
    ['resume', ['paused']],
  ] as const) {
    const { status, body } = await fixture.call('POST', `/${campaign.id}/${call}`);
    expect([status, body]).toMatchObject([
      400,
      { code: 'invalid_status', status: 'draft', allowed_from: allowed },
    ]);
  }
  for (const [call, body, status, errors] of [
    ['pause', { for: 5 }, 422, [{ field: 'for', message: 'is not a known field' }]],
    ['pause?for=5', undefined, 422, [{ field: 'for', message: 'is not a known field' }]],
    ['cancel', { force: true }, 422, [{ field: 'force', message: 'is not a known field' }]],
    ['send?local_time=true', {}, 422, [{ field: 'local_time', message: 'is not a known field' }]],
    ['duplicate', [], 400, undefined],
    ['duplicate', { name: 'Copy' }, 422, [{ field: 'name', message: 'is not a known field' }]],
    ['stop-recurring', { now: true }, 422, [{ field: 'now', message: 'is not a known field' }]],
  ] as const) {
    const answer = await fixture.call('POST', `/${campaign.id}/${call}`, body);
    expect([call, answer.status, answer.body.errors]).toEqual([call, status, errors]);
  }
  for (const body of [undefined, {}])
    expect((await fixture.call('POST', `/${campaign.id}/duplicate`, body)).status).toBe(201);
  const bare = await fixture.campaign();
  const { status, body } = await fixture.call('POST', `/${bare.id}/send`);
  expect([status, body.code, body.errors.map(({ field }: any) => field)]).toEqual([
    422,
    'campaign_incomplete',
    ['template_id', 'segment_id'],
  ]);
});

test('without an address to send from, the campaign’s or the workspace’s, nothing begins', async () => {
  fixture.workspace = await fixture.app.workspace({ sender: { from_name: 'Acme' } });
  await people(5);
  const campaign = await ready({ sender_name: 'Ada of Acme' });
  const scheduled_at = new Date(fixture.app.clock.now().getTime() + HOUR).toISOString();
  for (const [call, body] of [
    ['send', {}],
    ['schedule', { scheduled_at }],
    ['schedule-recurring', { frequency: 'daily' }],
  ] as const) {
    const answer = await fixture.call('POST', `/${campaign.id}/${call}`, body);
    expect([call, answer.status, answer.body.code, answer.body.errors]).toEqual([
      ...[call, 422, 'campaign_incomplete'],
      [{ field: 'sender_email', message: 'is missing, and the workspace has no sender address' }],
    ]);
  }
  expect((await fixture.patch(campaign.id, { sender_email: 'ada@acme.test' })).status).toBe(200);
  expect((await act(campaign.id, 'send')).status).toBe('sending');
  await become(campaign.id, 'sent');
});

test('each gets it when the clocks of its own zone show the moment', async () => {
  const { body } = await fixture.workspace.call('POST', '/v1/contacts/bulk', {
    contacts: [
      { external_id: 'tokyo', email: 'tokyo@example.com', timezone: 'Asia/Tokyo' },
      { external_id: 'berlin', email: 'berlin@example.com', timezone: 'Europe/Berlin' },
      { external_id: 'nowhere', email: 'nowhere@example.com' },
    ],
  });
  expect(body.errors).toEqual([]);
  const campaign = await ready();
  const day = new Date(fixture.app.clock.now().getTime() + 48 * HOUR).toISOString().slice(0, 10);
  await act(campaign.id, 'schedule', { scheduled_at: `${day}T09:00:00-05:00`, local_time: true });
  fixture.app.clock.wind(49 * HOUR);
  await taken(campaign.id, 3);
  const { rows } = await fixture.admin.query<{ who: string; at: Date }>(
    `SELECT c.external_id AS who, r.local_at AS at FROM campaign_recipients r
     JOIN contacts c ON c.workspace_id = r.workspace_id AND c.id = r.contact_id WHERE r.workspace_id = $1 ORDER BY 2`,
    [fixture.workspace.id],
  );
  expect(rows.map(({ who, at }) => [who, at.toISOString()])).toEqual([
    ['tokyo', `${day}T00:00:00.000Z`],
    ['berlin', `${day}T08:00:00.000Z`],
    ['nowhere', `${day}T14:00:00.000Z`],
  ]);
});

test('numbers are of people, rates of what arrived, and recipients say what became of each', async () => {
  const reached = await people(20);
  const campaign = await ready();
  await act(campaign.id, 'send');
  await become(campaign.id, 'sent');
  const { rows: logs } = await fixture.admin.query<{ id: string; contact: string }>(
    'SELECT id, contact_id AS contact FROM email_logs WHERE workspace_id = $1 ORDER BY id',
    [fixture.workspace.id],
  );
  const [opened, unsubscriber] = logs;
  for (const at of [1, 2]) await deliverWebhook(opened?.id ?? '', 'email.opened', at);
  const scope = { workspaceId: fixture.workspace.id, environment: 'live' } as const;
  const links = fixture.app.app.get(UnsubscribeLinks, { strict: false });
  const link = new URL(
    links.urlFor(scope, unsubscriber?.contact ?? '', 'somebody@example.com', unsubscriber?.id ?? ''),
  );
  expect((await fixture.app.request('POST', link.pathname + link.search)).status).toBe(200);
  const analytics = async (query = ''): Promise<any> =>
    (await fixture.call('GET', `/${campaign.id}/analytics${query}`)).body;
  await until('the opening is heard', async () => (await analytics()).opened === 1);
  const numbers = await analytics();
  expect(numbers).toMatchObject({
    campaign_id: campaign.id,
    ...{ audience: 20, sent: reached, skipped: 20 - reached, pending: 0, failed: 0, suppressed: 0 },
    ...{ opened: 1, unsubscribed: 1, open_rate: 8.33, unsubscribe_rate: 8.33, bounce_rate: 0 },
  });
  const { body: instances } = await fixture.call('GET', `/${campaign.id}/instances`);
  expect(instances).toMatchObject({ total: 1, instances: [{ number: 1, status: 'sent', sent: reached }] });
  const [{ id: instanceId }] = instances.instances;
  expect((await fixture.call('GET', `/${campaign.id}/instances/${instanceId}`)).body.open_rate).toBe(8.33);
  expect(await analytics(`?instance_id=${instanceId}`)).toEqual(numbers);
  const unknown = await fixture.call('GET', `/${campaign.id}/instances/${campaign.id}`);
  expect([unknown.status, unknown.body.code]).toEqual([404, 'campaign_instance_not_found']);
  const recipients = async (query: string): Promise<any> =>
    (await fixture.call('GET', `/${campaign.id}/recipients?${query}`)).body;
  expect((await recipients('')).total).toBe(20);
  const skipped = await recipients('status=skipped&limit=200');
  expect([skipped.total, skipped.recipients.length]).toEqual([20 - reached, 20 - reached]);
  expect(new Set(skipped.recipients.map(({ reason }: any) => reason))).toEqual(
    new Set(['no_email_address', 'unsubscribed']),
  );
  const { recipients: found, total } = await recipients('search=person-13');
  expect([total, found]).toMatchObject([
    1,
    [{ external_id: 'person-13', status: 'sent', sent_at: expect.any(String), reason: null }],
  ]);
  const pages = [0, 7, 14].map((offset) => recipients(`limit=7&offset=${offset}`));
  const ids = (await Promise.all(pages)).flatMap(({ recipients: page }) =>
    page.map(({ contact_id: contact }: any) => contact),
  );
  expect(new Set(ids).size).toBe(20);
});

test('a message that somebody has in hand keeps no pause and no cancellation of the others waiting', async () => {
  const reached = await people(30);
  const campaign = await ready();
  await act(campaign.id, 'send', { max_per_hour: 10 });
  await taken(campaign.id, 30);
  const other = new pg.Client({ connectionString: fixture.app.adminUrl });
  await other.connect();
  const lockOne = (): Promise<unknown> =>
    other.query(
      `SELECT FROM email_logs WHERE workspace_id = $1 AND status = 'queued' ORDER BY id DESC LIMIT 1 FOR UPDATE`,
      [fixture.workspace.id],
    );
  await other.query('BEGIN');
  await lockOne();
  await act(campaign.id, 'pause');
  await swept(campaign.id);
  await other.query('ROLLBACK');
  const sent = (await ledger())['sent'] ?? 0;
  fixture.app.clock.wind(9 * HOUR);
  await until('what was in hand waits, too', async () => {
    const { rows } = await fixture.admin.query(
      `SELECT FROM email_logs WHERE workspace_id = $1 AND status = 'queued' AND waits_for = 'campaign_pause'`,
      [fixture.workspace.id],
    );
    return rows.length === reached - sent;
  });
  await act(campaign.id, 'resume');
  await swept(campaign.id);
  await other.query('BEGIN');
  await lockOne();
  await act(campaign.id, 'cancel');
  await swept(campaign.id);
  await other.query('ROLLBACK');
  await other.end();
  fixture.app.clock.wind(9 * HOUR);
  await until('nothing waits', async () => ((await ledger())['queued'] ?? 0) === 0);
  const { sent: gone = 0, cancelled = 0, ...rest } = await ledger();
  expect([gone + cancelled, rest]).toEqual([reached, {}]);
});

test('whose segment is gone before its audience is taken does not go on without it', async () => {
  await people(30);
  const campaign = await ready();
  await act(campaign.id, 'send', { max_per_hour: 10 });
  await taken(campaign.id, 30);
  await act(campaign.id, 'pause');
  await swept(campaign.id);
  // The state after a pause while the audience is being read.
  await fixture.admin.query('UPDATE campaign_instances SET is_taken = false WHERE campaign_id = $1', [
    campaign.id,
  ]);
  const { body } = await fixture.workspace.graphql(
    `mutation { deleteSegment(id: "${campaign.segment_id}") }`,
  );
  expect(body.errors).toBeUndefined();
  const refused = await fixture.call('POST', `/${campaign.id}/resume`);
  expect([refused.status, refused.body.code, refused.body.errors[0].field]).toEqual([
    422,
    'campaign_incomplete',
    'segment_id',
  ]);
  expect((await fixture.get(campaign.id)).body.status).toBe('paused');
});
