/**
 * Conversion rows are deleted with the events that they count. The row that counts a trip stays, and so do the
 * totals.
 */
import pg from 'pg';
import { bootApp, type TestApp } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { until } from '../support/until.js';

let app: TestApp;
let admin: pg.Client;

beforeAll(async () => {
  app = await bootApp({ queues: ['events', 'trips', 'upkeep'] });
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

test('conversions that count nothing but an expired event go with it, and no answer changes', async () => {
  const workspace = await app.workspace({ plan: 'free' });
  const { body: flow } = await workspace.call('POST', '/v1/flows', {
    name: 'Flow',
    trigger_event: 'began',
    content_type: 'transactional',
    steps: [{ type: 'wait', duration: '300d' }],
  });
  const goal = { name: 'Paid', event_name: 'paid', attribution_window_value: 300 };
  expect((await workspace.call('POST', `/v1/flows/${flow.id}/goals`, goal)).status).toBe(201);
  expect((await workspace.call('POST', `/v1/flows/${flow.id}/activate`)).status).toBe(200);
  const happens = async (name: string): Promise<void> => {
    await workspace.call('POST', '/v1/events', { external_id: 'ada', event_name: name });
    await until('the event is processed', async () => {
      const { rows } = await admin.query('SELECT FROM events WHERE processed_at IS NULL');
      return rows.length === 0;
    });
    app.clock.wind(HOUR);
  };
  const rows = async (): Promise<unknown[]> =>
    (
      await admin.query(
        'SELECT counts_trip AS trip, counts_event AS event FROM goal_conversions ORDER BY occurred_at',
      )
    ).rows;
  const day = (date: Date): string => date.toISOString().slice(0, 10);
  const from = day(app.clock.now());
  const answer = async (): Promise<unknown> => {
    const period = `from_date=${from}&to_date=${day(new Date(app.clock.now().getTime() + 2 * DAY))}`;
    const { body } = await workspace.call('GET', `/v1/flows/${flow.id}/goal-conversions?${period}`);
    const [figures] = body.goals;
    return [figures.entered, figures.conversions, figures.total_conversions, figures.conversion_rate];
  };

  await happens('began');
  await happens('paid');
  await happens('paid');
  expect(await rows()).toEqual([
    { trip: true, event: true },
    { trip: false, event: true },
  ]);
  expect(await answer()).toEqual([1, 1, 2, 100]);

  app.clock.wind(31 * DAY);
  await until('the events have expired', async () => {
    const { rows: events } = await admin.query('SELECT FROM events');
    return events.length === 0;
  });
  expect(await rows()).toEqual([{ trip: true, event: true }]);
  expect(await answer()).toEqual([1, 1, 2, 100]);
  // The trip has converted and does not count again.
  await happens('paid');
  expect(await answer()).toEqual([1, 1, 3, 100]);
});
