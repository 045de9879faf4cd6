/** Goals that end trips, section 2.5: `exit_on_conversion`. */
import { DAY } from '../support/clock.js';
import { goalsFixture } from '../support/goals-fixture.js';

const { fixture, flowWith, post, postAll, figures, trips } = goalsFixture();

describe('exit_on_conversion', () => {
  test('ends the trip for its conversion, and cancels its queued message', async () => {
    await fixture.workspace.call('POST', '/v1/templates', {
      name: 'Hi',
      slug: 'hi',
      subject: 'Hi',
      body_html: '<p>Hi</p>',
    });
    const flow = await flowWith([{ exit_on_conversion: true }], {
      steps: [{ type: 'send_email', template_slug: 'hi' }],
    });
    await post('signed_up');
    expect(await trips(flow)).toMatchObject([{ status: 'awaiting_send' }]);
    await post('order_placed');
    expect(await trips(flow)).toMatchObject([
      {
        status: 'terminated',
        ended_reason: 'goal_conversion',
        completed_at: fixture.app.clock.now().toISOString(),
        resume_at: null,
      },
    ]);
    const { rows } = await fixture.admin.query('SELECT status FROM email_logs WHERE workspace_id = $1', [
      fixture.workspace.id,
    ]);
    expect(rows).toEqual([{ status: 'cancelled' }]);
    expect(await figures(flow)).toEqual([[1, 1, 1, 100]]);
  });

  test('ends all trips of the contact in the window and no others', async () => {
    const flow = await flowWith([{ exit_on_conversion: true, attribution_window_value: 1 }]);
    const other = await flowWith();
    await post('signed_up');
    fixture.app.clock.wind(2 * DAY);
    await post('signed_up');
    await post('signed_up');
    await post('signed_up', { external_id: 'bob' });
    await post('order_placed');
    const reasons = (await trips(flow)).map(({ ended_reason }) => ended_reason);
    expect(reasons.filter((reason) => reason === 'goal_conversion')).toHaveLength(2);
    expect(reasons.filter((reason) => reason === null)).toHaveLength(2);
    expect((await trips(other)).every(({ ended_reason }) => ended_reason === null)).toBe(true);
  });

  test('converts a trip that is over, and leaves it as it ended', async () => {
    const flow = await flowWith([{ exit_on_conversion: true }], { steps: [] });
    await post('signed_up');
    await post('order_placed');
    expect(await trips(flow)).toMatchObject([{ status: 'completed', ended_reason: 'finished' }]);
    expect(await figures(flow)).toEqual([[1, 1, 1, 100]]);
  });

  test('makes room for the next trip before the events behind it are looked at', async () => {
    const flow = await flowWith([{ exit_on_conversion: true }], {
      settings: { reentry_policy: 'after_completion' },
    });
    await postAll(
      ['ada', 'signed_up'],
      ['ada', 'signed_up'],
      ['ada', 'order_placed'],
      ['ada', 'signed_up'],
      ['bob', 'signed_up'],
      ['ada', 'order_placed'],
    );
    expect((await trips(flow)).map(({ ended_reason }) => ended_reason).sort()).toEqual([
      'goal_conversion',
      'goal_conversion',
      null,
    ]);
    expect(await figures(flow)).toEqual([[3, 2, 2, 66.67]]);
  });
});
