/** Generates random flows and events of their contacts, to compare the simulation with the engine. */
import fc from 'fast-check';

const HOUR = 3_600_000;

export interface Plan {
  /** The REST body; SEGMENT is a placeholder for the id of the segment of important contacts. */
  readonly flow: object;
  readonly goals: readonly object[];
  readonly days: number;
  /** In order; `after` is in milliseconds from the start. */
  readonly events: readonly { readonly after: number; readonly body: object }[];
}

/** All contacts: mail can reach some of them and not the others. */
export const CONTACTS: readonly {
  readonly external_id: string;
  readonly email: string | null;
  readonly timezone?: string;
  readonly properties?: object;
  readonly isDeleted?: boolean;
  readonly isUnsubscribed?: boolean;
}[] = [
  {
    external_id: 'ada',
    email: 'ada@example.com',
    timezone: 'Europe/Berlin',
    properties: { vip: true, plan: 'pro' },
  },
  {
    external_id: 'bob',
    email: 'bob@example.com',
    timezone: 'America/Los_Angeles',
    properties: { plan: 'free' },
  },
  { external_id: 'cyd', email: 'cyd@example.com', properties: { vip: true } },
  { external_id: 'dan', email: null },
  { external_id: 'eve', email: 'eve@example.com', isUnsubscribed: true },
  { external_id: 'fay', email: 'fay@example.com', isDeleted: true },
];

const PEOPLE = ['ada', 'bob', 'cyd', 'dan', 'eve', 'fay', 'gus'];

const check = fc.oneof(
  fc.record(
    {
      source: fc.constant('latest_event'),
      event_name: fc.constant('bought'),
      exists: fc.boolean(),
      within: fc.constantFrom('2h', '1d'),
      attributes: fc.constant({ size: 'large' }),
    },
    { requiredKeys: ['source', 'event_name', 'exists'] },
  ),
  fc.record({
    source: fc.constant('contact'),
    field: fc.constantFrom('properties.plan', 'properties.stage', 'email'),
    operator: fc.constantFrom('equals', 'not_equals', 'contains'),
    value: fc.constantFrom('pro', 'warm', 'ada@example.com'),
  }),
  fc.record({
    source: fc.constant('trigger_event'),
    attribute: fc.constant('plan'),
    operator: fc.constantFrom('equals', 'not_equals'),
    value: fc.constantFrom('pro', 'free'),
  }),
  fc.record({ source: fc.constant('segment'), segment_id: fc.constant('SEGMENT'), member: fc.boolean() }),
);

const settings = fc.record(
  {
    ignore_dnd: fc.boolean(),
    ignore_frequency_capping: fc.boolean(),
    count_for_frequency_capping: fc.boolean(),
    send_to_unsubscribed: fc.boolean(),
  },
  { requiredKeys: [] },
);
const window = fc.record({
  send_window_enabled: fc.constant(true),
  send_window_start: fc.constantFrom('08:00', '20:00'),
  send_window_end: fc.constantFrom('12:30', '02:00'),
  send_window_timezone: fc.constantFrom('contact', 'Asia/Tokyo'),
});
const send = fc.tuple(settings, fc.option(window, { nil: {} })).map(([flags, hours]) => ({
  type: 'send_email',
  template_slug: 'hello',
  email_send_settings: { ...flags, ...hours },
}));
const wait = fc.constantFrom('30m', '5h', '1d').map((duration) => ({ type: 'wait', duration }));
const update = fc
  .constantFrom({ stage: 'warm' }, { stage: 'cold', plan: 'pro' }, { timezone: 'Asia/Tokyo' })
  .map((set) => ({ type: 'update_contact', set }));
const directive = fc.constantFrom('continue', 'skip_to_end');
const condition = fc.record({
  type: fc.constant('condition'),
  check,
  on_true: directive,
  on_false: directive,
});

const steps = fc.letrec<{ list: object[]; step: object }>((tie) => ({
  list: fc.array(tie('step'), { minLength: 0, maxLength: 3, depthIdentifier: 'steps' }),
  step: fc.oneof(
    { depthSize: 'small', depthIdentifier: 'steps', maxDepth: 2 },
    { weight: 4, arbitrary: send },
    { weight: 3, arbitrary: wait },
    { weight: 1, arbitrary: update },
    { weight: 2, arbitrary: condition },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.array(fc.record({ check, steps: tie('list') }), { minLength: 1, maxLength: 2 }),
          fc.option(tie('list')),
        )
        .map(([branches, rest]) => ({
          type: 'conditional_split',
          branches: rest ? [...branches, { steps: rest }] : branches,
        })),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(tie('list'), tie('list')).map(([one, other]) => ({
        type: 'ab_split',
        variants: [
          { name: 'A', percentage: 60, steps: one },
          { name: 'B', percentage: 40, steps: other },
        ],
      })),
    },
  ),
}));

const flowSettings = fc
  .tuple(
    fc.constantFrom(
      { reentry_policy: 'never' },
      { reentry_policy: 'after_completion' },
      { reentry_policy: 'always' },
      { reentry_policy: 'cooldown', reentry_cooldown_days: 1 },
    ),
    fc.constantFrom({}, {}, { throttle_enabled: true, throttle_limit: 2, throttle_period: 'hour' }),
  )
  .map(([reentry, throttle]) => ({ ...reentry, ...throttle }));

const flow = fc.record({
  name: fc.constant('Random'),
  trigger_event: fc.constant('signed_up'),
  trigger_conditions: fc.constantFrom({}, {}, { plan: 'pro' }),
  segment_id: fc.constantFrom(null, null, null, 'SEGMENT'),
  content_type: fc.constantFrom('transactional', 'promotional'),
  settings: flowSettings,
  steps: fc.array(steps.step, { minLength: 2, maxLength: 6 }),
});

const goals = fc.constantFrom<readonly object[]>(
  [],
  [
    {
      name: 'Bought',
      event_name: 'bought',
      event_filters: { size: 'large' },
      attribution_window_value: 30,
      attribution_window_unit: 'hours',
      exit_on_conversion: true,
    },
    { name: 'Again', event_name: 'signed_up' },
  ],
);

const DAYS = 4;
/** Nothing happens in the last half day, so that the exact end has little effect. */
const LAST = (DAYS - 0.5) * 24 * HOUR;

const event = fc.record({
  after: fc.integer({ min: 0, max: LAST }),
  name: fc.constantFrom('signed_up', 'signed_up', 'signed_up', 'bought'),
  externalId: fc.constantFrom(...PEOPLE),
  attributes: fc.constantFrom({ plan: 'pro', size: 'large' }, { plan: 'free' }, { plan: 'pro' }),
  contact: fc.constantFrom(
    undefined,
    undefined,
    undefined,
    { properties: { stage: 'warm' } },
    {
      email: 'new@example.com',
    },
  ),
});

/** Flows, each with the events of a few days. */
export function plans(): fc.Arbitrary<Plan> {
  return fc
    .tuple(
      flow,
      goals,
      fc.uniqueArray(event, { minLength: 12, maxLength: 24, selector: ({ after }) => after }),
    )
    .map(([flow, goals, events]) => ({
      flow,
      goals,
      days: DAYS,
      events: events
        .toSorted((one, other) => one.after - other.after)
        .map(({ after, name, externalId, attributes, contact }) => ({
          after,
          body: {
            external_id: externalId,
            event_name: name,
            attributes,
            // A simulation ignores the contact data of other events.
            ...(contact && name === 'signed_up' ? { contact } : {}),
          },
        })),
    }));
}
