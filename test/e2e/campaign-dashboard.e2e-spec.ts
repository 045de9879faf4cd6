/**
 * Campaigns from the dashboard: a send to everyone or to many contacts needs a confirmation, then is watched and
 * stopped as over REST.
 */
import { campaignActs } from '../support/campaign-acts.js';
import { campaignsFixture } from '../support/campaigns-fixture.js';
import { DAY, HOUR, MINUTE } from '../support/clock.js';
import { until } from '../support/until.js';

const fixture = campaignsFixture();
const { people, ready, become, act, taken } = campaignActs(fixture);

async function ask(query: string, variables: object = {}): Promise<any> {
  const { body } = await fixture.workspace.graphql(query, variables);
  return body;
}
async function asked(query: string, variables: object = {}): Promise<any> {
  const { data, errors } = await ask(query, variables);
  expect(errors).toBeUndefined();
  return data;
}
const codeOf = ({ errors }: any): unknown => errors?.[0]?.extensions.code;
const one = (call: string, id: string): Promise<any> =>
  asked(`mutation ($id: ID!) { ${call}(id: $id) { id status pausedReason } }`, { id }).then(
    (data) => data[call],
  );
const PROGRESS = `query ($id: ID!) { campaignProgress(id: $id) {
  status pausedReason isAudienceTaken perMinute secondsLeft numbers { audience pending sent skipped openRate } } }`;
const progress = async (id: string): Promise<any> => (await asked(PROGRESS, { id })).campaignProgress;

test('who writes to everybody, or to many, has to say that they mean it', async () => {
  await people(10);
  const everybody = await ready();
  const send = `mutation ($id: ID!, $sure: Boolean) { sendCampaign(id: $id, confirmAudience: $sure) { status } }`;
  const refused = await ask(send, { id: everybody.id });
  expect([codeOf(refused), refused.errors[0].extensions]).toMatchObject([
    'audience_not_confirmed',
    { audience: 10, everybody: true },
  ]);
  expect((await asked(send, { id: everybody.id, sure: true })).sendCampaign.status).toBe('sending');

  const few = await ready({
    segment_id: await fixture.segment([{ field: 'email', operator: 'exists' }]),
  });
  expect((await asked(send, { id: few.id })).sendCampaign.status).toBe('sending');

  await fixture.admin.query(
    `INSERT INTO contacts (workspace_id, environment, id, external_id, email, subscription_status, properties, created_at, updated_at)
     SELECT $1, 'live', gen_random_uuid(), 'person-of-many-' || n, 'many-' || n || '@example.com', 'subscribed', '{}', now(), now()
     FROM generate_series(1, 10_000) AS n`,
    [fixture.workspace.id],
  );
  const many = await ready({ segment_id: few.segment_id });
  const at = new Date(fixture.app.clock.now().getTime() + DAY).toISOString();
  const schedule = await ask(
    `mutation ($id: ID!, $at: String!) { scheduleCampaign(id: $id, input: { scheduledAt: $at }) { status } }`,
    { id: many.id, at },
  );
  expect(schedule.errors[0].extensions).toMatchObject({ audience: 10_008, everybody: false });
  const recurring = await ask(
    `mutation ($id: ID!) { scheduleRecurringCampaign(id: $id, input: { frequency: "daily" }) { status } }`,
    { id: many.id },
  );
  expect(codeOf(recurring)).toBe('audience_not_confirmed');
  // REST needs no confirmation.
  expect((await act(many.id, 'schedule', { scheduled_at: at })).status).toBe('scheduled');
});

test('how far a sending is, how fast, and when it will be over', async () => {
  const reached = await people(100);
  const campaign = await ready();
  expect(await progress(campaign.id)).toMatchObject({
    ...{ status: 'draft', isAudienceTaken: false, perMinute: null, secondsLeft: null },
    numbers: { audience: 0, pending: 0 },
  });
  await asked(
    `mutation ($id: ID!) { sendCampaign(id: $id, input: { maxPerHour: 60 }, confirmAudience: true) { id } }`,
    { id: campaign.id },
  );
  await taken(campaign.id, 100);
  let some = await progress(campaign.id);
  for (let minutes = 1; !some.perMinute; minutes++) {
    fixture.app.clock.wind(MINUTE);
    await until('what is due is sent', async () => {
      some = await progress(campaign.id);
      return some.numbers.sent >= minutes;
    });
  }
  expect(some).toMatchObject({ status: 'sending', isAudienceTaken: true });
  expect(some.numbers.sent + some.numbers.pending + some.numbers.skipped).toBe(100);
  // One per minute: the last message is sent when its turn comes.
  expect(Math.abs(some.secondsLeft - some.numbers.pending * 60)).toBeLessThan(150);

  expect(await one('pauseCampaign', campaign.id)).toMatchObject({ status: 'paused', pausedReason: null });
  expect(await progress(campaign.id)).toMatchObject({ status: 'paused', secondsLeft: null });
  expect((await one('resumeCampaign', campaign.id)).status).toBe('resumed');
  await until('it goes on', async () => (await progress(campaign.id)).secondsLeft !== null);
  fixture.app.clock.wind(2 * HOUR);
  await become(campaign.id, 'sent');
  expect(await progress(campaign.id)).toMatchObject({
    secondsLeft: 0,
    numbers: { sent: reached, pending: 0, skipped: 100 - reached },
  });
});

test('recipients, instances and numbers, page by page', async () => {
  const reached = await people(30);
  const campaign = await ready();
  await act(campaign.id, 'send');
  await become(campaign.id, 'sent');
  const { id } = campaign;
  const { campaignNumbers, campaignInstances } = await asked(
    `query ($id: ID!, $same: ID!) {
      campaignNumbers(id: $same) { audience sent skipped bounceRate }
      campaignInstances(id: $id, first: 1) { totalCount edges { node { id number status numbers { sent } } } pageInfo { hasNextPage } } }`,
    { id, same: id },
  );
  expect(campaignNumbers).toEqual({ audience: 30, sent: reached, skipped: 30 - reached, bounceRate: 0 });
  expect(campaignInstances).toMatchObject({
    ...{ totalCount: 1, pageInfo: { hasNextPage: false } },
    edges: [{ node: { number: 1, status: 'sent', numbers: { sent: reached } } }],
  });
  const seen: string[] = [];
  for (let after: string | null = null, more = true; more;) {
    const page: any = await asked(
      `query ($id: ID!, $after: String) { campaignRecipients(id: $id, first: 8, after: $after) {
        totalCount edges { node { contactId status externalId } } pageInfo { hasNextPage endCursor } } }`,
      { id, after },
    );
    const { edges, pageInfo, totalCount } = page.campaignRecipients;
    expect(totalCount).toBe(30);
    seen.push(...edges.map(({ node }: any) => node.externalId));
    [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
  }
  expect([seen.length, new Set(seen).size]).toEqual([30, 30]);
  const skipped = await asked(
    `query ($id: ID!) { campaignRecipients(id: $id, filter: { status: skipped }) { totalCount } }`,
    { id },
  );
  expect(skipped.campaignRecipients.totalCount).toBe(30 - reached);
});

test('recurring ones are stopped and taken up again, tests of variants are decided', async () => {
  await people(10);
  const campaign = await ready();
  const { scheduleRecurringCampaign: recurring } = await asked(
    `mutation ($id: ID!) { scheduleRecurringCampaign(id: $id, input: { frequency: "weekly", dayOfWeek: 2 }, confirmAudience: true) { status nextRunAt } }`,
    { id: campaign.id },
  );
  expect(recurring).toMatchObject({ status: 'recurring', nextRunAt: expect.any(String) });
  expect((await one('stopRecurringCampaign', campaign.id)).status).toBe('stopped');
  expect((await one('resumeRecurringCampaign', campaign.id)).status).toBe('resumed');
  expect((await one('cancelCampaign', campaign.id)).status).toBe('cancelled');

  const tested = await ready({
    ab_test: { variants: [{ name: 'A' }, { name: 'B' }], send_winner: 'manual' },
  });
  await act(tested.id, 'send');
  await taken(tested.id, 10);
  const { campaignAbResults: results } = await asked(
    `query ($id: ID!) { campaignAbResults(id: $id) { status metric winner pValue variants { name recipients interval } holdout { rate } } }`,
    { id: tested.id },
  );
  expect(results).toMatchObject({ status: 'running', metric: 'open_rate', winner: null, holdout: null });
  const decided = await asked(
    `mutation ($id: ID!) { sendCampaignWinner(id: $id, variant: "B") { status } }`,
    { id: tested.id },
  );
  expect(decided.sendCampaignWinner.status).toBe('sending');
  await become(tested.id, 'sent');
});
