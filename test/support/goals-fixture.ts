/**
 * The fixture of tests of conversions: flows with goals, events that are processed when a call returns, and their
 * statistics.
 */
import type { Answer } from './app.js';
import { flowsFixture, type FlowsFixture } from './flows-fixture.js';
import { until } from './until.js';

export interface GoalsFixture {
  readonly fixture: FlowsFixture;
  readonly flowWith: (goals?: readonly object[], more?: object) => Promise<string>;
  readonly post: (event_name: string, more?: object, headers?: Record<string, string>) => Promise<void>;
  readonly postAll: (...events: readonly (readonly [string, string])[]) => Promise<void>;
  readonly ask: (flow: string, query?: string, headers?: Record<string, string>) => Promise<Answer>;
  readonly figures: (flow: string, query?: string, headers?: Record<string, string>) => Promise<number[][]>;
  readonly trips: (flow: string) => Promise<any[]>;
}

/** As `flowsFixture`, without the queue of sends: messages stay queued. */
export function goalsFixture(): GoalsFixture {
  const fixture = flowsFixture({ queues: ['events', 'trips'] });

  /** Creates an active flow, triggered by signed_up, with each of these goals; by default one goal for order_placed. */
  async function flowWith(goals: readonly object[] = [{}], more: object = {}): Promise<string> {
    const flow = {
      name: 'Onboarding',
      trigger_event: 'signed_up',
      content_type: 'transactional',
      steps: [{ type: 'wait', duration: '300d' }],
      settings: { reentry_policy: 'always' },
      ...more,
    };
    const { status, body } = await fixture.workspace.call('POST', '/v1/flows', flow);
    expect(status).toBe(201);
    for (const goal of goals) {
      const given = { name: 'Order', event_name: 'order_placed', ...goal };
      expect((await fixture.workspace.call('POST', `/v1/flows/${body.id}/goals`, given)).status).toBe(201);
    }
    expect((await fixture.workspace.call('POST', `/v1/flows/${body.id}/activate`)).status).toBe(200);
    return body.id as string;
  }

  async function post(
    event_name: string,
    more: object = {},
    headers: Record<string, string> = {},
  ): Promise<void> {
    const event = { external_id: 'ada', event_name, ...more };
    expect((await fixture.workspace.call('POST', '/v1/events', event, headers)).status).toBe(202);
    await settled();
  }

  /** Posts several events, which may be processed as one batch. */
  async function postAll(...events: readonly (readonly [string, string])[]): Promise<void> {
    const batch = events.map(([external_id, event_name]) => ({ external_id, event_name }));
    expect((await fixture.workspace.call('POST', '/v1/events/batch', { events: batch })).status).toBe(202);
    await settled();
  }

  async function settled(): Promise<void> {
    await until('all events are processed', async () => {
      const { rows } = await fixture.admin.query('SELECT FROM events WHERE processed_at IS NULL LIMIT 1');
      return rows.length === 0;
    });
  }

  const ask = (flow: string, query = '', headers: Record<string, string> = {}): Promise<Answer> =>
    fixture.workspace.call('GET', `/v1/flows/${flow}/goal-conversions${query}`, undefined, headers);

  /** [entered, conversions, total_conversions, conversion_rate] of each goal. */
  async function figures(
    flow: string,
    query = '',
    headers: Record<string, string> = {},
  ): Promise<number[][]> {
    const { status, body } = await ask(flow, query, headers);
    expect(status).toBe(200);
    return body.goals.map((goal: any) => [
      goal.entered,
      goal.conversions,
      goal.total_conversions,
      goal.conversion_rate,
    ]);
  }

  const trips = async (flow: string): Promise<any[]> =>
    (await fixture.workspace.call('GET', `/v1/flows/${flow}/trips`)).body.trips;

  return { fixture, flowWith, post, postAll, ask, figures, trips };
}
