/** Flows in GraphQL: the same rules as in REST, in camel case. */
import { flowsFixture } from '../support/flows-fixture.js';

const fixture = flowsFixture();
const { template } = fixture;

describe('GraphQL', () => {
  test('creates, activates, pauses and stops by the same rules, and shows flows in camel case', async () => {
    await template('welcome');
    const flow = 'id status version createdBy settings { reentryPolicy reentryCooldownDays }';
    const steps =
      'steps { type templateSlug subject duration set emailSendSettings { ignoreDnd sendToUnsubscribed } }';
    const created = await fixture.workspace.graphql(
      `mutation ($input: CreateFlowInput!) { createFlow(input: $input) { ${flow} ${steps} triggerConditions } }`,
      {
        input: {
          name: 'Onboarding',
          triggerEvent: 'signed_up',
          contentType: 'transactional',
          triggerConditions: { plan: 'pro' },
          settings: { reentryPolicy: 'cooldown', reentryCooldownDays: 3 },
          steps: [
            { type: 'send_email', templateSlug: 'welcome', emailSendSettings: { ignoreDnd: true } },
            { type: 'wait', duration: '1d' },
            { type: 'update_contact', set: { onboarded: true } },
          ],
        },
      },
    );
    expect(created.body.errors).toBeUndefined();
    const { id, ...rest } = created.body.data.createFlow;
    const none = { templateSlug: null, subject: null, duration: null, set: null, emailSendSettings: null };
    expect(rest).toEqual({
      status: 'draft',
      version: 1,
      createdBy: expect.any(String),
      settings: { reentryPolicy: 'cooldown', reentryCooldownDays: 3 },
      triggerConditions: { plan: 'pro' },
      steps: [
        {
          ...none,
          type: 'send_email',
          templateSlug: 'welcome',
          emailSendSettings: { ignoreDnd: true, sendToUnsubscribed: null },
        },
        { ...none, type: 'wait', duration: '1d' },
        { ...none, type: 'update_contact', set: { onboarded: true } },
      ],
    });
    for (const [mutation, status] of [
      ['activateFlow', 'active'],
      ['pauseFlow', 'paused'],
      ['activateFlow', 'active'],
      ['stopFlow', 'stopped'],
    ]) {
      const { body } = await fixture.workspace.graphql(
        `mutation ($id: ID!) { ${mutation}(id: $id) { status } }`,
        {
          id,
        },
      );
      expect(body.data?.[mutation!]).toEqual({ status });
    }
    const list = await fixture.workspace.graphql(
      `{ flows(filter: { search: "onb", status: "stopped" }) { edges { tripsStarted node { id name } } counts { all stopped } totalCount } }`,
    );
    expect(list.body.data.flows).toEqual({
      edges: [{ node: { id, name: 'Onboarding' }, tripsStarted: 0 }],
      counts: { all: 1, stopped: 1 },
      totalCount: 1,
    });
    const one = await fixture.workspace.graphql(`query ($id: ID!) { flow(id: $id) { name } }`, { id });
    expect(one.body.data.flow).toEqual({ name: 'Onboarding' });
  });

  test('steps within steps are JSON in the names of REST, with their ids', async () => {
    const check = { source: 'latest_event', event_name: 'order_placed', exists: true };
    const message = {
      type: 'send_email',
      template_slug: 'welcome',
      email_send_settings: { ignore_dnd: true },
    };
    const created = await fixture.workspace.graphql(
      `mutation ($input: CreateFlowInput!) { createFlow(input: $input) {
        id steps { id type check onTrue onFalse branches variants } } }`,
      {
        input: {
          name: 'Branches',
          triggerEvent: 'signed_up',
          contentType: 'promotional',
          steps: [
            { type: 'condition', check, onFalse: 'skip_to_end' },
            {
              type: 'conditional_split',
              branches: [{ check, steps: [message] }, { on_true: 'skip_to_end' }],
            },
            { type: 'wait', duration: '30m' },
          ],
        },
      },
    );
    expect(created.body.errors).toBeUndefined();
    const none = { check: null, onTrue: null, onFalse: null, branches: null, variants: null };
    const { id, steps } = created.body.data.createFlow;
    expect(steps).toEqual([
      { ...none, id: 1, type: 'condition', check, onTrue: 'continue', onFalse: 'skip_to_end' },
      {
        ...none,
        id: 2,
        type: 'conditional_split',
        branches: [{ check, steps: [{ ...message, id: 3 }] }, { on_true: 'skip_to_end' }],
      },
      { ...none, id: 4, type: 'wait' },
    ]);
    const shown = (await fixture.workspace.call('GET', `/v1/flows/${id}`)).body.steps;
    expect(shown[1]).toEqual({
      type: 'conditional_split',
      branches: [{ check, steps: [message] }, { on_true: 'skip_to_end' }],
    });
    const refused = await fixture.workspace.graphql(
      'mutation ($input: CreateFlowInput!) { createFlow(input: $input) { id } }',
      {
        input: {
          name: 'Branches',
          triggerEvent: 'signed_up',
          contentType: 'promotional',
          steps: [{ type: 'condition', onTrue: 'stop', check: { ...check, event_name: 7 } }],
        },
      },
    );
    expect(refused.body.errors[0].extensions.errors.map(({ field }: any) => field)).toEqual([
      'steps[0].check.event_name',
      'steps[0].onTrue',
    ]);
  });

  test.each([
    ['{ flow(id: "nonsense") { id } }', 'flow_not_found'],
    ['mutation { pauseFlow(id: "nonsense") { id } }', 'flow_not_found'],
    [
      'mutation { createFlow(input: { name: "a", triggerEvent: "Bad", contentType: "transactional" }) { id } }',
      'invalid_event_name',
    ],
    [
      'mutation { createFlow(input: { name: "a", triggerEvent: "a", contentType: "transactional", steps: [{ type: "wait", duration: "x" }] }) { id } }',
      'invalid_field',
    ],
    ['{ flows(first: 1000) { totalCount } }', 'invalid_field'],
    ['{ flows(filter: { status: "asleep" }) { totalCount } }', 'invalid_field'],
    ['{ flows(filter: { search: "\\u0000" }) { totalCount } }', 'invalid_field'],
  ])('%s: %s', async (query, code) => {
    const { body } = await fixture.workspace.graphql(query);
    expect(body.errors[0].extensions.code).toBe(code);
  });
});
