/**
 * A/B tests of campaigns: who gets which variant, what decides, and that the rest gets the winner despite
 * interruptions.
 */
import { campaignActs, SIGNED_WEBHOOKS } from '../support/campaign-acts.js';
import { campaignsFixture } from '../support/campaigns-fixture.js';
import { DAY, HOUR, MINUTE } from '../support/clock.js';
import { until } from '../support/until.js';

const fixture = campaignsFixture({ env: SIGNED_WEBHOOKS });
const { ready, become, act, taken, deliverWebhook, swept } = campaignActs(fixture);
const PEOPLE = 60;

/** Creates contacts that all have an address. */
async function crowd(count = PEOPLE): Promise<void> {
  const contacts = Array.from({ length: count }, (_, n) => ({
    external_id: `person-${n}`,
    email: `person-${n}@example.com`,
  }));
  expect((await fixture.workspace.call('POST', '/v1/contacts/bulk', { contacts })).status).toBe(200);
}
const tested = async (more: object = {}): Promise<any> =>
  ready({
    subject: 'As ever',
    ab_test: {
      variants: [{ name: 'A' }, { name: 'B', subject: 'Quite new' }],
      ...{ test_percentage: 50, duration_hours: 4 },
      ...more,
    },
  });
/** Turns on tracking for the workspace's mail. */
async function tracked(): Promise<void> {
  const tracking = { opens: true, clicks: true, transactional: false };
  const { body } = await fixture.workspace.graphql(
    'mutation ($input: WorkspaceSettingsInput!) { updateWorkspaceSettings(input: $input) { settings { tracking { opens } } } }',
    { input: { tracking } },
  );
  expect(body.data.updateWorkspaceSettings.settings.tracking.opens).toBe(true);
}
const results = async (id: string): Promise<any> => (await fixture.call('GET', `/${id}/ab-results`)).body;
const numbers = async (id: string): Promise<any> => (await fixture.call('GET', `/${id}/analytics`)).body;
interface Mailed {
  readonly id: string;
  readonly who: string;
  readonly variant: number;
  readonly rest: boolean;
}
/** Which contact has a message of which variant. */
async function mailed(): Promise<Mailed[]> {
  const { rows } = await fixture.admin.query<Mailed>(
    `SELECT l.id, c.external_id AS who, r.variant, r.is_rest AS rest FROM campaign_recipients r
     JOIN email_logs l ON l.workspace_id = r.workspace_id AND l.id = r.email_log_id
     JOIN contacts c ON c.workspace_id = r.workspace_id AND c.id = r.contact_id
     WHERE r.workspace_id = $1 ORDER BY r.contact_id`,
    [fixture.workspace.id],
  );
  return rows;
}
/** Waits until all test messages are sent, without advancing the clock far enough for a decision. */
const testSent = (id: string): Promise<any> =>
  until('the test is sent', async () => {
    fixture.app.clock.wind(1_000);
    const { variants } = await results(id);
    return variants.every(({ recipients, sent }: any) => recipients > 0 && recipients === sent);
  });

/** Waits until every contact has a message; the send times of the rest count from this moment. */
const restQueued = (): Promise<void> =>
  until('the rest is queued', async () => (await mailed()).length === PEOPLE);

test('a part of the audience gets variants, and the rest the one that more of them opened', async () => {
  await crowd();
  const campaign = await tested();
  expect(await results(campaign.id)).toMatchObject({
    ...{ status: 'not_started', started_at: null, winner: null, decided_by: null, p_value: null },
    variants: [
      { name: 'A', subject: 'As ever', recipients: 0, interval: [0, 100] },
      { name: 'B', subject: 'Quite new', recipients: 0 },
    ],
  });
  expect((await act(campaign.id, 'send')).status).toBe('ab_testing');
  await taken(campaign.id, PEOPLE);
  await testSent(campaign.id);
  const inTest = await mailed();
  const running = await results(campaign.id);
  expect(running).toMatchObject({ status: 'running', remaining: PEOPLE - inTest.length, holdout: null });
  expect(running.variants.map(({ recipients }: any) => recipients)).toEqual(
    [0, 1].map((variant) => inTest.filter((one) => one.variant === variant).length),
  );
  expect(new Date(running.ends_at).getTime() - new Date(running.started_at).getTime()).toBe(4 * HOUR);
  expect(await numbers(campaign.id)).toMatchObject({ sent: inTest.length, pending: PEOPLE - inTest.length });

  const ofB = inTest.filter(({ variant }) => variant === 1);
  for (const { id } of ofB) await deliverWebhook(id, 'email.opened', 60);
  await until('all openings are heard', async () => (await numbers(campaign.id)).opened === ofB.length);
  const known = await results(campaign.id);
  expect(known).toMatchObject({ significant: true, variants: [{ rate: 0 }, { rate: 100 }] });
  expect(known.p_value).toBeLessThan(0.001);

  fixture.app.clock.wind(4 * HOUR);
  await become(campaign.id, 'sent');
  const all = await mailed();
  expect([all.length, new Set(all.map(({ who }) => who)).size]).toEqual([PEOPLE, PEOPLE]);
  expect(all.filter(({ rest }) => rest).map(({ variant }) => variant)).toEqual(
    Array.from({ length: PEOPLE - inTest.length }, () => 1),
  );
  expect(all.filter(({ rest }) => !rest)).toEqual(inTest);
  const decided = await results(campaign.id);
  expect(decided).toMatchObject({ status: 'decided', winner: 'B', decided_by: 'automatic', remaining: 0 });
  expect(decided.variants).toEqual(known.variants);
  const page = await fixture.call('GET', `/${campaign.id}/recipients?variant=B`);
  expect(page.body.total).toBe(PEOPLE - inTest.length + ofB.length);
  const { rows } = await fixture.admin.query(
    `SELECT count(*)::int AS n FROM email_logs WHERE workspace_id = $1 AND subject = 'Quite new'`,
    [fixture.workspace.id],
  );
  expect(rows).toEqual([{ n: PEOPLE - inTest.length + ofB.length }]);
});

test('what nobody measures decides nothing: it says so before and meanwhile, and waits for a person', async () => {
  await crowd();
  const campaign = await tested();
  const codes = (warnings: any[] = []): string[] => warnings.map(({ code }) => code);
  const preview = (await fixture.call('POST', `/${campaign.id}/audience-preview`, {})).body;
  expect(codes(preview.ab_test_warnings)).toEqual(['ab_metric_not_measured', 'ab_audience_too_small']);
  const begun = await act(campaign.id, 'send');
  expect([begun.status, codes(begun.ab_test_warnings)]).toEqual(['ab_testing', ['ab_metric_not_measured']]);
  await taken(campaign.id, PEOPLE);
  await testSent(campaign.id);
  fixture.app.clock.wind(5 * HOUR);
  await until('it has been left to a person', async () => {
    fixture.app.clock.wind(1_000);
    return (await results(campaign.id)).undecided_reason !== null;
  });
  fixture.app.clock.wind(DAY);
  const left = await results(campaign.id);
  expect(left).toMatchObject({
    ...{ status: 'running', winner: null, decided_by: null, undecided_reason: 'metric_not_measured' },
    ...{ p_value: null, significant: false },
    variants: [{ rate: 0 }, { rate: 0 }],
  });
  expect(left.variants.map(({ sent, measured }: any) => [measured.measured, measured.of - sent])).toEqual([
    [0, 0],
    [0, 0],
  ]);
  expect(codes(left.ab_test_warnings)).toEqual(['ab_metric_not_measured', 'ab_audience_too_small']);
  expect(left.remaining).toBeGreaterThan(0);
  const known = await numbers(campaign.id);
  expect(known).toMatchObject({ delivered: 0, open_rate: 0, click_rate: 0 });
  expect(known.measured).toEqual({
    deliveries: { measured: 0, of: known.sent },
    opens: { measured: 0, of: known.sent },
    clicks: { measured: 0, of: known.sent },
  });
  const { body } = await fixture.workspace.graphql(
    `query ($id: ID!) {
      campaignNumbers(id: $id) { sent delivered opened openRate clickRate bounceRate measured { opens { measured of } } }
      campaignAbResults(id: $id) { undecidedReason variants { rate } abTestWarnings { code } } }`,
    { id: campaign.id },
  );
  expect(body.data.campaignNumbers).toEqual({
    ...{ sent: known.sent, delivered: null, opened: null, openRate: null, clickRate: null, bounceRate: 0 },
    measured: { opens: { measured: 0, of: known.sent } },
  });
  expect(body.data.campaignAbResults).toMatchObject({
    undecidedReason: 'metric_not_measured',
    variants: [{ rate: null }, { rate: null }],
  });
  expect((await act(campaign.id, 'ab-send-winner')).status).toBe('sending');
  await become(campaign.id, 'sent');
  expect(await results(campaign.id)).toMatchObject({
    ...{ winner: 'A', decided_by: 'manual', undecided_reason: null, ab_test_warnings: [] },
  });
  expect((await numbers(campaign.id)).sent).toBe(PEOPLE);
});

test('where a campaign recurs, a person decides what its numbers could not', async () => {
  await crowd();
  const campaign = await tested();
  await act(campaign.id, 'schedule-recurring', { frequency: 'weekly', day_of_week: 0 });
  const early = await fixture.call('POST', `/${campaign.id}/ab-send-winner`);
  expect([early.status, early.body.code]).toEqual([400, 'invalid_status']);
  fixture.app.clock.wind(7 * DAY);
  await taken(campaign.id, PEOPLE);
  await testSent(campaign.id);
  fixture.app.clock.wind(5 * HOUR);
  await until('it has been left to a person', async () => {
    fixture.app.clock.wind(1_000);
    return (await results(campaign.id)).undecided_reason !== null;
  });
  expect((await act(campaign.id, 'ab-send-winner', { variant: 'B' })).status).toBe('recurring');
  await until('everybody has a message', async () => {
    fixture.app.clock.wind(1_000);
    return (await numbers(campaign.id)).sent === PEOPLE;
  });
  expect(await results(campaign.id)).toMatchObject({ winner: 'B', decided_by: 'manual' });
});

test('what is tracked decides, even where nobody has opened anything', async () => {
  await crowd();
  await tracked();
  const campaign = await tested();
  expect((await act(campaign.id, 'send')).ab_test_warnings).toBeUndefined();
  await taken(campaign.id, PEOPLE);
  await testSent(campaign.id);
  fixture.app.clock.wind(4 * HOUR);
  await become(campaign.id, 'sent');
  expect(await results(campaign.id)).toMatchObject({
    winner: 'A',
    decided_by: 'automatic',
    significant: false,
  });
});

test('a person decides, before the time and for whichever variant; nothing decides in their place', async () => {
  await crowd();
  const campaign = await tested({ send_winner: 'manual' });
  await act(campaign.id, 'send');
  await taken(campaign.id, PEOPLE);
  await testSent(campaign.id);
  for (let day = 0; day < 5; day++) {
    fixture.app.clock.wind(DAY);
    await until('it has been looked at', async () => (await fixture.get(campaign.id)).status === 200);
  }
  expect((await fixture.get(campaign.id)).body.status).toBe('ab_testing');
  const unknown = await fixture.call('POST', `/${campaign.id}/ab-send-winner`, { variant: 'C' });
  expect([unknown.status, unknown.body.errors]).toEqual([
    422,
    [{ field: 'variant', message: 'is not a variant of the campaign' }],
  ]);
  expect((await act(campaign.id, 'ab-send-winner', { variant: 'B' })).status).toBe('sending');
  const again = await fixture.call('POST', `/${campaign.id}/ab-send-winner`);
  expect([again.status, again.body.code]).toEqual([400, 'invalid_status']);
  await become(campaign.id, 'sent');
  expect(await results(campaign.id)).toMatchObject({ winner: 'B', decided_by: 'manual', significant: false });
  expect((await numbers(campaign.id)).sent).toBe(PEOPLE);
});

test('who gets nothing is compared by what a test counts: within its window, each person once', async () => {
  await crowd();
  const goal = { event_name: 'paid', event_filters: { plan: 'pro' }, window_hours: 2 };
  const campaign = await tested({ holdout_percentage: 20, metric: 'conversion_rate', goal });
  await act(campaign.id, 'send');
  await taken(campaign.id, PEOPLE);
  await testSent(campaign.id);
  const { rows: held } = await fixture.admin.query<{ who: string }>(
    `SELECT c.external_id AS who FROM campaign_recipients r
     JOIN contacts c ON c.workspace_id = r.workspace_id AND c.id = r.contact_id
     WHERE r.workspace_id = $1 AND r.skipped = 'holdout'`,
    [fixture.workspace.id],
  );
  expect(held.length).toBeGreaterThan(0);
  const inTest = await mailed();
  const [a, b] = [0, 1].map((variant) => inTest.filter((one) => one.variant === variant));
  const pays = async (who: string | undefined, plan = 'pro', times = 1): Promise<void> => {
    for (let time = 0; time < times; time++) {
      const event = { external_id: who, event_name: 'paid', attributes: { plan } };
      expect((await fixture.workspace.call('POST', '/v1/events', event)).status).toBe(202);
    }
  };
  fixture.app.clock.wind(MINUTE);
  await pays(a?.[0]?.who, 'pro', 2);
  await pays(a?.[1]?.who, 'free');
  for (const one of b?.slice(0, 3) ?? []) await pays(one.who);
  await pays(held[0]?.who);
  const waiting = (await numbers(campaign.id)).pending;
  const processed = (): Promise<void> =>
    until('events are processed', async () => {
      const { rows } = await fixture.admin.query(
        'SELECT FROM events WHERE workspace_id = $1 AND processed_at IS NULL',
        [fixture.workspace.id],
      );
      return rows.length === 0;
    });
  await processed();
  const known = await results(campaign.id);
  expect(known.variants.map(({ conversions }: any) => conversions)).toEqual([1, 3]);
  expect(known.holdout).toEqual({
    ...{ recipients: held.length, conversions: 1 },
    rate: Math.round(10_000 / held.length) / 100,
  });
  // Too late for messages that were sent at the beginning.
  fixture.app.clock.wind(3 * HOUR);
  await pays(a?.[2]?.who);
  await pays(held[1]?.who);
  await processed();
  expect((await results(campaign.id)).variants.map(({ conversions }: any) => conversions)).toEqual([1, 3]);
  fixture.app.clock.wind(2 * HOUR);
  await become(campaign.id, 'sent');
  expect(await results(campaign.id)).toMatchObject({ winner: 'B', holdout: { conversions: 1 } });
  expect(await numbers(campaign.id)).toMatchObject({
    ...{ audience: PEOPLE, skipped: held.length, sent: PEOPLE - held.length, pending: 0 },
  });
  expect(waiting).toBe(PEOPLE - held.length - inTest.length);
  expect(
    (await fixture.call('GET', `/${campaign.id}/recipients?status=skipped`)).body.recipients[0],
  ).toMatchObject({
    reason: 'holdout',
    variant: null,
  });
});

test('who was there at the beginning keeps its place; a pause of the rest loses nobody and repeats nobody', async () => {
  await crowd();
  await tracked();
  const campaign = await tested();
  await act(campaign.id, 'send', { max_per_hour: 60 });
  await taken(campaign.id, PEOPLE);
  const inTest = (await mailed()).length;
  fixture.app.clock.wind(4 * HOUR);
  await become(campaign.id, 'sending');
  await restQueued();
  const { rows: sendTimes } = await fixture.admin.query<{ at: Date }>(
    `SELECT next_attempt_at AS at FROM email_logs l JOIN campaign_recipients r ON r.email_log_id = l.id
     WHERE l.workspace_id = $1 AND r.is_rest ORDER BY r.place`,
    [fixture.workspace.id],
  );
  // One per minute, each at a different time.
  expect(new Set(sendTimes.map(({ at }) => at.getTime())).size).toBe(PEOPLE - inTest);
  await act(campaign.id, 'pause');
  const paused = await numbers(campaign.id);
  expect([paused.sent + paused.pending, paused.pending > 0]).toEqual([PEOPLE, true]);
  fixture.app.clock.wind(DAY);
  await act(campaign.id, 'resume');
  fixture.app.clock.wind(3 * HOUR);
  await become(campaign.id, 'sent');
  expect(await numbers(campaign.id)).toMatchObject({ sent: PEOPLE, pending: 0, cancelled: 0 });
});

test('paused while its test is sent and while it waits for the winner it goes on as a test, and pauses do not count', async () => {
  await tracked();
  await crowd();
  const campaign = await tested();
  await act(campaign.id, 'send', { max_per_hour: 60 });
  await taken(campaign.id, PEOPLE);
  const inTest = (await mailed()).length;
  const paused = async (): Promise<void> => {
    expect(await act(campaign.id, 'pause')).toMatchObject({ status: 'paused', paused_reason: null });
    await swept(campaign.id);
    const { sent } = await numbers(campaign.id);
    fixture.app.clock.wind(10 * HOUR);
    await swept(campaign.id);
    expect(await numbers(campaign.id)).toMatchObject({ sent, pending: PEOPLE - sent });
    expect(await results(campaign.id)).toMatchObject({ status: 'running', winner: null });
    const early = await fixture.call('POST', `/${campaign.id}/ab-send-winner`);
    expect([early.status, early.body.allowed_from]).toEqual([400, ['ab_testing']]);
    expect((await act(campaign.id, 'resume')).status).toBe('resumed');
    await become(campaign.id, 'ab_testing');
  };
  await until('the first has gone', async () => (await numbers(campaign.id)).sent > 0);
  await paused();
  await until('the test is sent', async () => {
    fixture.app.clock.wind(MINUTE);
    return (await numbers(campaign.id)).sent === inTest;
  });
  await paused();
  const { started_at: started, ends_at: ends } = await results(campaign.id);
  const lasted = new Date(ends).getTime() - new Date(started).getTime();
  expect([lasted >= 24 * HOUR, lasted < 25 * HOUR]).toEqual([true, true]);
  expect((await numbers(campaign.id)).sent).toBe(inTest);
  fixture.app.clock.wind(4 * HOUR);
  await become(campaign.id, 'sending');
  await restQueued();
  fixture.app.clock.wind(3 * HOUR);
  await become(campaign.id, 'sent');
  expect(await numbers(campaign.id)).toMatchObject({ sent: PEOPLE, pending: 0 });
});

test('a test that is cancelled calls off the rest, too', async () => {
  await crowd();
  const campaign = await tested();
  await act(campaign.id, 'send');
  await taken(campaign.id, PEOPLE);
  await testSent(campaign.id);
  const sent = (await mailed()).length;
  expect((await act(campaign.id, 'cancel')).status).toBe('cancelled');
  expect(await numbers(campaign.id)).toMatchObject({ sent, cancelled: PEOPLE - sent, pending: 0 });
  fixture.app.clock.wind(DAY);
  expect((await mailed()).length).toBe(sent);
});

test('what something else stops in its test goes on with it', async () => {
  await crowd();
  const campaign = await tested();
  await act(campaign.id, 'send', { max_per_hour: 10 });
  await taken(campaign.id, PEOPLE);
  await fixture.admin.query(
    `INSERT INTO campaign_signals (workspace_id, environment, campaign_id, reason)
     VALUES ($1, 'live', $2, 'plan_limit_reached')`,
    [fixture.workspace.id, campaign.id],
  );
  await become(campaign.id, 'paused');
  fixture.app.clock.wind(10 * HOUR);
  expect((await act(campaign.id, 'resume')).status).toBe('resumed');
  await become(campaign.id, 'ab_testing');
  // The time of the pause does not count.
  const { started_at: started, ends_at: ends } = await results(campaign.id);
  expect(new Date(ends).getTime() - new Date(started).getTime()).toBeGreaterThanOrEqual(14 * HOUR);
  expect((await act(campaign.id, 'ab-send-winner')).status).toBe('sending');
  await restQueued();
  fixture.app.clock.wind(DAY);
  await become(campaign.id, 'sent');
  expect(await numbers(campaign.id)).toMatchObject({ sent: PEOPLE });
});

test('without a test there are no results; where a campaign recurs, no person decides', async () => {
  const campaign = await ready();
  const answer = await fixture.call('GET', `/${campaign.id}/ab-results`);
  expect([answer.status, answer.body.errors]).toEqual([
    422,
    [{ field: 'ab_test', message: 'is not set: the campaign has no A/B test' }],
  ]);
  const manual = await tested({ send_winner: 'manual' });
  const refused = await fixture.call('POST', `/${manual.id}/schedule-recurring`, { frequency: 'daily' });
  expect([refused.status, refused.body.code, refused.body.errors[0]?.field]).toEqual([
    422,
    'campaign_incomplete',
    'ab_test',
  ]);
});
