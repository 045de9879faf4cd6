/**
 * Conversions of flows’ goals over HTTP and GraphQL: every rule of sections 2.5, 2.6 and 4.2, except the ending of
 * trips.
 */
import { DAY, HOUR } from '../support/clock.js';
import { UNKNOWN_ID } from '../support/flows-fixture.js';
import { goalsFixture } from '../support/goals-fixture.js';

const { fixture, flowWith, post, postAll, ask, figures } = goalsFixture();

describe('the answer', () => {
  test('has every field, in the order of the goals', async () => {
    const flow = await flowWith([{ name: 'First' }, { name: 'Second', event_name: 'order_paid' }]);
    const [first, second] = (await fixture.workspace.call('GET', `/v1/flows/${flow}/goals`)).body;
    await postAll(['a', 'signed_up'], ['b', 'signed_up'], ['c', 'signed_up']);
    await postAll(['a', 'order_placed'], ['a', 'order_placed'], ['b', 'order_placed']);
    const now = fixture.app.clock.now();
    const { status, body } = await ask(flow);
    expect(status).toBe(200);
    const of = (goal: any): object => ({
      goal_id: goal.id,
      goal_name: goal.name,
      event_name: goal.event_name,
    });
    const nothing = { entered: 3, conversions: 0, total_conversions: 0, conversion_rate: 0 };
    expect(body).toEqual({
      flow_id: flow,
      goals: [
        { ...of(first), entered: 3, conversions: 2, total_conversions: 3, conversion_rate: 66.67 },
        { ...of(second), ...nothing },
      ],
      date_range: { from: new Date(now.getTime() - 30 * DAY).toISOString(), to: now.toISOString() },
    });
    await fixture.workspace.call('PUT', `/v1/flows/${flow}/goals/reorder`, {
      goal_ids: [second.id, first.id],
    });
    expect((await ask(flow)).body.goals.map((goal: any) => goal.goal_id)).toEqual([second.id, first.id]);
  });

  test('is empty for a flow without goals, and 0 percent where nobody entered', async () => {
    expect((await ask(await flowWith([]))).body.goals).toEqual([]);
    expect(await figures(await flowWith())).toEqual([[0, 0, 0, 0]]);
  });

  test('is 404 for a flow that is unknown or of another workspace', async () => {
    const flow = await flowWith();
    fixture.workspace = await fixture.app.workspace();
    for (const id of [flow, UNKNOWN_ID, 'none']) {
      const { status, body } = await ask(id);
      expect([status, body.code]).toEqual([404, 'flow_not_found']);
    }
  });

  test('is the same in GraphQL, on the flow', async () => {
    const flow = await flowWith();
    await post('signed_up');
    await post('order_placed');
    const { body } = await fixture.workspace.graphql(
      `query ($id: ID!) { flow(id: $id) {
        all: goalConversions { goals { goal { name eventName } entered conversions totalConversions conversionRate }
          period { from to } }
        none: goalConversions(dateRange: "yesterday") { goals { entered } }
        some: goalConversions(fromDate: "2026-01-01", toDate: "2026-01-31") { period { from to } } } }`,
      { id: flow },
    );
    const now = fixture.app.clock.now();
    expect(body.data.flow).toEqual({
      all: {
        goals: [
          {
            goal: { name: 'Order', eventName: 'order_placed' },
            entered: 1,
            conversions: 1,
            totalConversions: 1,
            conversionRate: 100,
          },
        ],
        period: { from: new Date(now.getTime() - 30 * DAY).toISOString(), to: now.toISOString() },
      },
      none: { goals: [{ entered: 0 }] },
      some: { period: { from: '2026-01-01T00:00:00.000Z', to: '2026-01-31T23:59:59.999Z' } },
    });
    const wrong = await fixture.workspace.graphql(
      `query ($id: ID!) { flow(id: $id) { goalConversions(fromDate: "soon") { goals { entered } } } }`,
      { id: flow },
    );
    expect(wrong.body.errors[0].extensions.code).toBe('invalid_date_param');
  });
});

describe('the period', () => {
  test('is a preset, 30 days where none or an unknown one is named', async () => {
    const flow = await flowWith();
    await post('signed_up');
    fixture.app.clock.wind(40 * DAY);
    const now = fixture.app.clock.now().getTime();
    const midnight = Math.floor(now / DAY) * DAY;
    const of = async (query: string): Promise<number[]> => {
      const { from, to } = (await ask(flow, query)).body.date_range;
      return [Date.parse(from), Date.parse(to)];
    };
    for (const [query, days] of [
      ['', 30],
      ['?date_range=30d', 30],
      ['?date_range=fortnight', 30],
      ['?date_range=1d', 1],
      ['?date_range=7d', 7],
      ['?date_range=90d', 90],
    ] as const)
      expect([query, ...(await of(query))]).toEqual([query, now - days * DAY, now]);
    expect(await of('?date_range=today')).toEqual([midnight, now]);
    expect(await of('?date_range=yesterday')).toEqual([midnight - DAY, midnight - 1]);
    expect(await figures(flow)).toEqual([[0, 0, 0, 0]]);
    expect(await figures(flow, '?date_range=90d')).toEqual([[1, 0, 0, 0]]);
  });

  test('is that of two dates, offsets and all; one date has its partner', async () => {
    const flow = await flowWith();
    const of = async (query: string): Promise<string[]> => {
      const { from, to } = (await ask(flow, query)).body.date_range;
      return [from, to];
    };
    expect(await of('?from_date=2026-03-01&to_date=2026-03-02&date_range=1d')).toEqual([
      '2026-03-01T00:00:00.000Z',
      '2026-03-02T23:59:59.999Z',
    ]);
    expect(await of('?from_date=2026-03-01T09:30:00%2B05:45&to_date=2026-03-02T09:30:00-03:00')).toEqual([
      '2026-03-01T03:45:00.000Z',
      '2026-03-02T12:30:00.000Z',
    ]);
    expect(await of('?from_date=2026-03-01')).toEqual([
      '2026-03-01T00:00:00.000Z',
      fixture.app.clock.now().toISOString(),
    ]);
    expect(await of('?to_date=2026-03-31T00:00:00Z&date_range=7d')).toEqual([
      '2026-03-24T00:00:00.000Z',
      '2026-03-31T00:00:00.000Z',
    ]);
  });

  test.each([
    'from_date=soon',
    'to_date=2026-13-01',
    'from_date=2026-02-30',
    // An unencoded plus sign is read as a space.
    'from_date=2026-03-01T09:30:00+05:45',
    'from_date=2026-03-02&to_date=2026-03-01',
    'from_date=&to_date=2026-03-01',
  ])('%s is 422 with the nested object', async (query) => {
    const { status, body } = await ask(await flowWith(), `?${query}`);
    expect([status, body]).toMatchObject([
      422,
      { detail: { code: 'invalid_date_param', message: expect.any(String) } },
    ]);
  });

  test('counts those that entered in it, whenever they convert, and events that occurred in it', async () => {
    const flow = await flowWith([{ attribution_window_value: 30 }]);
    const start = fixture.app.clock.now();
    await post('signed_up');
    fixture.app.clock.wind(20 * DAY);
    await post('order_placed');
    await post('order_placed');
    const day = (n: number): string => new Date(start.getTime() + n * DAY).toISOString();
    const within = (from: number, to: number): string => `?from_date=${day(from)}&to_date=${day(to)}`;
    expect(await figures(flow, within(-1, 1))).toEqual([[1, 1, 0, 100]]);
    expect(await figures(flow, within(19, 21))).toEqual([[0, 0, 2, 0]]);
    expect(await figures(flow, within(0, 20))).toEqual([[1, 1, 2, 100]]);
    const rest = `?from_date=${new Date(start.getTime() + 1).toISOString()}&to_date=${day(20)}`;
    expect(await figures(flow, rest)).toEqual([[0, 0, 2, 0]]);
  });
});

describe('what converts', () => {
  test('an event within the window, to the millisecond; occurred before or behind it does not', async () => {
    const flow = await flowWith([{ attribution_window_value: 2, attribution_window_unit: 'hours' }]);
    await post('signed_up');
    const start = fixture.app.clock.now().getTime();
    fixture.app.clock.wind(3 * HOUR);
    const at = (offset: number): object => ({ occurred_at: new Date(start + offset).toISOString() });
    await post('order_placed', at(2 * HOUR + 1));
    await post('order_placed', at(-1));
    await post('order_placed');
    expect(await figures(flow)).toEqual([[1, 0, 0, 0]]);
    // Accepted late, but within the conversion window.
    await post('order_placed', at(2 * HOUR));
    await post('order_placed', at(0));
    expect(await figures(flow)).toEqual([[1, 1, 2, 100]]);
  });

  test('an event whose attributes match every filter', async () => {
    const flow = await flowWith([{ event_filters: { plan: 'pro', seats: 3 } }]);
    await post('signed_up');
    await post('order_placed', { attributes: { plan: 'pro' } });
    await post('order_placed', { attributes: { plan: 'pro', seats: 4 } });
    expect(await figures(flow)).toEqual([[1, 0, 0, 0]]);
    await post('order_placed', { attributes: { plan: 'pro', seats: 3, more: true } });
    expect(await figures(flow)).toEqual([[1, 1, 1, 100]]);
  });

  test('an event after its trip is over, of whatever end', async () => {
    const atOnce = await flowWith([{}], { steps: [] });
    const stopped = await flowWith();
    await post('signed_up');
    expect((await fixture.workspace.call('POST', `/v1/flows/${stopped}/stop`)).status).toBe(200);
    await post('order_placed');
    expect([await figures(atOnce), await figures(stopped)]).toEqual([[[1, 1, 1, 100]], [[1, 1, 1, 100]]]);
  });

  test('several trips at once, each of them once; the event counts once', async () => {
    const flow = await flowWith();
    await post('signed_up');
    await post('signed_up');
    await post('order_placed');
    expect(await figures(flow)).toEqual([[2, 2, 1, 100]]);
    await post('order_placed');
    expect(await figures(flow)).toEqual([[2, 2, 2, 100]]);
  });

  test('a goal of each flow, and each goal of a flow, by itself', async () => {
    const both = await flowWith([{}, { event_name: 'order_paid', attribution_window_value: 1 }]);
    const other = await flowWith([{ event_name: 'order_paid' }]);
    await post('signed_up');
    await post('order_paid');
    expect(await figures(both)).toEqual([
      [1, 0, 0, 0],
      [1, 1, 1, 100],
    ]);
    expect(await figures(other)).toEqual([[1, 1, 1, 100]]);
  });

  test('nobody else’s event', async () => {
    const flow = await flowWith();
    await post('signed_up');
    await post('order_placed', { external_id: 'bob' });
    expect(await figures(flow)).toEqual([[1, 0, 0, 0]]);
  });

  test('not the event that starts the trip; it converts earlier ones', async () => {
    const flow = await flowWith([{ event_name: 'signed_up' }]);
    await post('signed_up');
    expect(await figures(flow)).toEqual([[1, 0, 0, 0]]);
    await post('signed_up');
    expect(await figures(flow)).toEqual([[2, 1, 1, 50]]);
    await postAll(['bob', 'signed_up'], ['bob', 'signed_up'], ['bob', 'signed_up']);
    expect(await figures(flow)).toEqual([[5, 3, 3, 60]]);
  });

  test('in one batch, what comes behind the start and not what comes before', async () => {
    const flow = await flowWith();
    await postAll(
      ['early', 'order_placed'],
      ['early', 'signed_up'],
      ['late', 'signed_up'],
      ['late', 'order_placed'],
    );
    expect(await figures(flow)).toEqual([[2, 1, 1, 50]]);
  });

  test('what a goal has counted stays when it changes', async () => {
    const flow = await flowWith();
    await post('signed_up');
    await post('order_placed');
    const [goal] = (await fixture.workspace.call('GET', `/v1/flows/${flow}/goals`)).body;
    await fixture.workspace.call('PUT', `/v1/flows/${flow}/goals/${goal.id}`, { event_name: 'order_paid' });
    await post('order_placed');
    expect(await figures(flow)).toEqual([[1, 1, 1, 100]]);
    await post('order_paid');
    expect(await figures(flow)).toEqual([[1, 1, 2, 100]]);
  });

  test('in its environment alone', async () => {
    const flow = await flowWith();
    const key = { 'x-api-key': fixture.workspace.testKey };
    await post('signed_up');
    await post('signed_up', {}, key);
    await post('signed_up', { external_id: 'bob' }, key);
    await post('order_placed', {}, key);
    expect(await figures(flow)).toEqual([[1, 0, 0, 0]]);
    expect(await figures(flow, '', key)).toEqual([[2, 1, 1, 50]]);
    await post('order_placed');
    await post('order_placed');
    expect([await figures(flow), await figures(flow, '', key)]).toEqual([[[1, 1, 2, 100]], [[2, 1, 1, 50]]]);
  });
});
