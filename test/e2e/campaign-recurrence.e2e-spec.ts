/** Recurring campaigns: each date is sent once, despite pauses, missed dates and resumption. */
import { campaignsFixture } from '../support/campaigns-fixture.js';
import { DAY, HOUR } from '../support/clock.js';
import { until } from '../support/until.js';

const fixture = campaignsFixture();

async function recurring(body: object): Promise<any> {
  await fixture.workspace.call('POST', '/v1/contacts', { external_id: 'ada', email: 'ada@example.com' });
  const campaign = await fixture.campaign({
    template_id: await fixture.template(),
    segment_id: await fixture.segment(),
  });
  const answer = await fixture.call('POST', `/${campaign.id}/schedule-recurring`, body);
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  return answer.body;
}
const instances = async (id: string): Promise<any> => (await fixture.call('GET', `/${id}/instances`)).body;
/** Advances the clock by `wind` repeatedly, until `count` instances have been sent. */
async function sent(id: string, count: number, wind: number): Promise<void> {
  fixture.app.clock.wind(wind);
  await until(`${count} instances have been sent`, async () => {
    fixture.app.clock.wind(1_000);
    const { instances: all } = await instances(id);
    return all.length === count && all.every(({ status }: any) => status === 'sent');
  });
}
const of = async (id: string): Promise<any> => (await fixture.get(id)).body;

test('each date has its instance, and after the last one it is sent', async () => {
  const campaign = await recurring({
    frequency: 'daily',
    hour: 9,
    timezone: 'Europe/Berlin',
    max_instances: 3,
  });
  expect(campaign).toMatchObject({
    status: 'recurring',
    recurrence: { hour: 9, minute: 0 },
    next_run_at: expect.any(String),
  });
  const first = new Date(campaign.next_run_at).getTime();
  await sent(campaign.id, 1, first - fixture.app.clock.now().getTime());
  expect(await of(campaign.id)).toMatchObject({
    status: 'recurring',
    next_run_at: new Date(first + DAY).toISOString(),
  });
  await sent(campaign.id, 2, DAY);
  await sent(campaign.id, 3, DAY);
  await until('it is over', async () => {
    fixture.app.clock.wind(1_000);
    return (await of(campaign.id)).status === 'sent';
  });
  expect((await of(campaign.id)).next_run_at).toBeNull();
  fixture.app.clock.wind(5 * DAY);
  const { total, instances: all } = await instances(campaign.id);
  expect([total, all.map(({ number }: any) => number)]).toEqual([3, [3, 2, 1]]);
  expect((await fixture.call('GET', `/${campaign.id}/analytics`)).body).toMatchObject({
    audience: 3,
    sent: 3,
  });
});

test('dates that fall due while nothing runs are sent once; those that are stopped never', async () => {
  const campaign = await recurring({ frequency: 'daily', hour: 9 });
  const first = new Date(campaign.next_run_at).getTime();
  await sent(campaign.id, 1, first - fixture.app.clock.now().getTime() + 3 * DAY + HOUR);
  expect((await of(campaign.id)).next_run_at).toBe(new Date(first + 4 * DAY).toISOString());
  const stopped = await fixture.call('POST', `/${campaign.id}/stop-recurring`);
  expect(stopped.body).toMatchObject({ status: 'stopped', next_run_at: null });
  fixture.app.clock.wind(3 * DAY);
  const resumed = await fixture.call('POST', `/${campaign.id}/resume-recurring`);
  expect(resumed.body).toMatchObject({
    status: 'resumed',
    next_run_at: new Date(first + 7 * DAY).toISOString(),
  });
  expect((await instances(campaign.id)).total).toBe(1);
  await sent(campaign.id, 2, DAY);
  expect((await fixture.call('POST', `/${campaign.id}/pause`)).body.code).toBe('invalid_status');
  expect((await fixture.call('POST', `/${campaign.id}/cancel`)).body).toMatchObject({
    status: 'cancelled',
    next_run_at: null,
  });
});

test.each([
  [{ frequency: 'weekly' }, 400, 'validation_error'],
  [{ frequency: 'monthly' }, 400, 'validation_error'],
  [{}, 400, 'validation_error'],
  [{ frequency: 'daily', day_of_week: 1 }, 422, 'invalid_field'],
  [{ frequency: 'weekly', day_of_week: 1, day_of_month: 1 }, 422, 'invalid_field'],
  [{ frequency: 'weekly', day_of_week: 7 }, 422, 'invalid_field'],
  [{ frequency: 'monthly', day_of_month: 29 }, 422, 'invalid_field'],
  [{ frequency: 'daily', timezone: 'Mars/Base' }, 422, 'invalid_field'],
  [{ frequency: 'daily', ends_at: '2020-01-01T00:00:00Z' }, 422, 'invalid_field'],
  [{ frequency: 'hourly' }, 422, 'invalid_field'],
])('%j is refused', async (body, status, code) => {
  const campaign = await fixture.campaign({
    template_id: await fixture.template(),
    segment_id: await fixture.segment(),
  });
  const answer = await fixture.call('POST', `/${campaign.id}/schedule-recurring`, body);
  expect([answer.status, answer.body.code]).toEqual([status, code]);
});
