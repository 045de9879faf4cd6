/** The list of flows: its filters, pages and counts, section 4.2. */
import { flowsFixture } from '../support/flows-fixture.js';

const fixture = flowsFixture();
const { create, get, act, flow } = fixture;

describe('list', () => {
  interface Listed {
    readonly name: string;
  }
  const names = async (query: string): Promise<string[]> =>
    (await fixture.workspace.call('GET', `/v1/flows?${query}`)).body.flows.map(({ name }: Listed) => name);

  /** Creates four flows a minute apart: draft, active, paused, stopped. */
  async function fourFlows(): Promise<void> {
    const flows = [
      { name: 'Draft 100%', tags: ['a'], actions: [] },
      { name: 'Active one', tags: ['a', 'b'], actions: ['activate'] },
      { name: 'Paused ONE', content_type: 'promotional', actions: ['activate', 'pause'] },
      { name: 'Stopped', content_type: 'promotional', actions: ['activate', 'stop'] },
    ];
    for (const { actions, ...flow } of flows) {
      const { body } = await create(flow);
      for (const action of actions) await act(body.id, action);
      fixture.app.clock.wind(60_000);
    }
  }

  test('answers flows with counts, total, limit and offset, the most recently updated first', async () => {
    await fourFlows();
    const { status, body } = await fixture.workspace.call('GET', '/v1/flows');
    expect(status).toBe(200);
    expect(body.flows.map(({ name }: Listed) => name)).toEqual([
      'Stopped',
      'Paused ONE',
      'Active one',
      'Draft 100%',
    ]);
    expect(body).toMatchObject({
      counts: { all: 4, active: 1, paused: 1, draft: 1, stopped: 1 },
      total: 4,
      limit: 50,
      offset: 0,
    });
    expect(Object.keys(body.counts)).toHaveLength(5);
    const { trips_started: started, trips_completed: completed, ...flow } = body.flows[0];
    expect([started, completed]).toEqual([0, 0]);
    expect((await get(flow.id)).body).toEqual(flow);
  });

  test('filters', async () => {
    const start = fixture.app.clock.now().getTime();
    await fourFlows();
    const minute = (minutes: number): string => new Date(start + minutes * 60_000).toISOString();
    expect(await names('search=one')).toEqual(['Paused ONE', 'Active one']);
    expect(await names('search=100%25')).toEqual(['Draft 100%']);
    expect(await names('search=_')).toEqual([]);
    expect(await names('status_filter=draft')).toEqual(['Draft 100%']);
    expect(await names('status_filter=archived')).toEqual([]);
    expect(await names('content_type=promotional')).toEqual(['Stopped', 'Paused ONE']);
    expect(await names('tag=b')).toEqual(['Active one']);
    expect(await names('tag=B')).toEqual([]);
    expect(await names(`created_after=${minute(1.5)}`)).toEqual(['Stopped', 'Paused ONE']);
    expect(await names(`created_before=${minute(0.5)}`)).toEqual(['Draft 100%']);
    expect(await names(`updated_after=${minute(2.5)}`)).toEqual(['Stopped']);
    expect(await names(`updated_before=${minute(1.5)}&tag=a`)).toEqual(['Active one', 'Draft 100%']);
  });

  test('total counts the whole filter, counts leave the status aside', async () => {
    await fourFlows();
    const { body } = await fixture.workspace.call(
      'GET',
      '/v1/flows?status_filter=paused&content_type=promotional',
    );
    expect(body).toMatchObject({ counts: { all: 2, active: 0, paused: 1, draft: 0, stopped: 1 }, total: 1 });
  });

  test('goes by pages', async () => {
    await fourFlows();
    const { body } = await fixture.workspace.call('GET', '/v1/flows?limit=2&offset=1');
    expect(body).toMatchObject({ total: 4, limit: 2, offset: 1 });
    expect(body.flows.map(({ name }: Listed) => name)).toEqual(['Paused ONE', 'Active one']);
  });

  test('hides archived flows unless they are asked for', async () => {
    const id = await flow();
    await fixture.admin.query(`UPDATE flows SET status = 'archived' WHERE id = $1`, [id]);
    const { body } = await fixture.workspace.call('GET', '/v1/flows');
    expect(body).toMatchObject({ flows: [], counts: { all: 0 }, total: 0 });
    expect(await names('status_filter=archived')).toEqual(['Onboarding']);
  });

  test('shows nothing of another workspace', async () => {
    await fourFlows();
    const other = await fixture.app.workspace();
    expect((await other.call('GET', '/v1/flows')).body).toMatchObject({
      flows: [],
      counts: { all: 0 },
      total: 0,
    });
  });

  test.each([
    ['limit=201', 'limit'],
    ['limit=0', 'limit'],
    ['limit=many', 'limit'],
    ['offset=-1', 'offset'],
    ['status_filter=asleep', 'status_filter'],
    ['content_type=spam', 'content_type'],
    ['created_after=yesterday', 'created_after'],
    ['updated_before=2026-13-01', 'updated_before'],
  ])('refuses %s with 422', async (query, field) => {
    const { status, body } = await fixture.workspace.call('GET', `/v1/flows?${query}`);
    expect([status, body.code, body.errors?.[0]?.field]).toEqual([422, 'invalid_field', field]);
  });
});
