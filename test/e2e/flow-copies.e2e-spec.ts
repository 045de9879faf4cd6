/** Copying flows, sections 3.2 and 4.2: what a copy contains, its name, and the plan’s limit of flows. */
import { flowsFixture, LEAST_FLOW } from '../support/flows-fixture.js';

const fixture = flowsFixture();
const { get, put, act, flow, segment } = fixture;

const FULL = {
  ...LEAST_FLOW,
  description: 'Greets',
  trigger_conditions: { plan: 'pro' },
  steps: [{ type: 'wait', duration: '1d' }],
  tags: ['a', 'b'],
  settings: {
    reentry_policy: 'cooldown',
    reentry_cooldown_days: 3,
    throttle_enabled: false,
    throttle_limit: null,
    throttle_period: null,
  },
};

const versions = async (id: string): Promise<any[]> =>
  (await fixture.workspace.call('GET', `/v1/flows/${id}/versions`)).body;

describe('duplicate', () => {
  test.each([
    ['draft', []],
    ['active', ['activate']],
    ['paused', ['activate', 'pause']],
    ['stopped', ['activate', 'stop']],
  ])(
    'of a %s flow: a draft of version 1 with steps, trigger, settings, tags and goals',
    async (_s, actions) => {
      const id = await flow({ ...FULL, segment_id: await segment() }, ...actions);
      await put(id, { description: 'Second version' });
      const goal = { name: 'Paid', event_name: 'paid', exit_on_conversion: true };
      expect((await fixture.workspace.call('POST', `/v1/flows/${id}/goals`, goal)).status).toBe(201);
      const { body: source } = await get(id);
      fixture.app.clock.wind(1_000);
      const { status, body: copy } = await act(id, 'duplicate');
      expect(status).toBe(201);
      const now = fixture.app.clock.now().toISOString();
      expect(copy).toEqual({
        ...source,
        id: expect.not.stringMatching(id),
        name: 'Onboarding (Copy)',
        status: 'draft',
        version: 1,
        created_by: expect.stringMatching(/^api_key:/),
        created_at: now,
        updated_at: now,
      });
      expect((await get(copy.id)).body).toEqual(copy);
      expect(await versions(copy.id)).toEqual([]);
      const { body: goals } = await fixture.workspace.call('GET', `/v1/flows/${copy.id}/goals`);
      expect(goals).toMatchObject([{ ...goal, flow_id: copy.id, position: 0 }]);
      expect((await get(id)).body).toEqual(source);
    },
  );

  test('a name that is full makes room for what is appended', async () => {
    const copy = async (name: string): Promise<string> =>
      (await act(await flow({ name }), 'duplicate')).body.name;
    expect(await copy('x'.repeat(248))).toBe(`${'x'.repeat(248)} (Copy)`);
    expect(await copy('x'.repeat(255))).toBe(`${'x'.repeat(248)} (Copy)`);
    expect(await copy('😀'.repeat(255))).toBe(`${'😀'.repeat(248)} (Copy)`);
  });

  test("counts toward the plan's flows: of ten copies of one at once the free plan has room for four", async () => {
    fixture.workspace = await fixture.app.workspace({ plan: 'free' });
    const id = await flow();
    const answers = await Promise.all(Array.from({ length: 10 }, () => act(id, 'duplicate')));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4);
    expect(answers.find(({ status }) => status === 403)?.body).toMatchObject({
      code: 'plan_limit_reached',
      limit_type: 'flows',
      current: 5,
      maximum: 5,
    });
  });
});
