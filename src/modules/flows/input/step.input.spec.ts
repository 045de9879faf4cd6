import { DomainError, type FieldError } from '../../../kernel/domain-error.js';
import { readFlow } from './flow.input.js';
import type { NewStep } from '../domain/step.js';
import { stepOf, writtenStep, type WrittenStep } from '../domain/written-flow.js';

type Reading =
  | { readonly ok: true; readonly value: readonly NewStep[] }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** Reads the steps of a flow that is otherwise valid. */
function readSteps(steps: readonly unknown[]): Reading {
  const flow = { name: 'a', trigger_event: 'a', content_type: 'transactional', steps };
  try {
    return { ok: true, value: readFlow(flow).steps };
  } catch (error) {
    if (error instanceof DomainError && error.code === 'invalid_field')
      return { ok: false, errors: error.fields.errors ?? [] };
    throw error;
  }
}

const send = (more: object = {}): object => ({ type: 'send_email', template_slug: 'welcome', ...more });
const settings = (value: unknown): object => send({ email_send_settings: value });
const set = (value: unknown): object => ({ type: 'update_contact', set: value });
const wait = (duration: unknown): object => ({ type: 'wait', duration });

const CHECK = { source: 'latest_event', event_name: 'order_placed', exists: true };
const SEGMENT = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea';
const condition = (more: object = {}): object => ({ type: 'condition', check: CHECK, ...more });
const checkOf = (value: object): object => ({ type: 'condition', check: value });
const check = (more: object): object => checkOf({ ...CHECK, ...more });
const split = (branches: readonly unknown[]): object => ({ type: 'conditional_split', branches });
const ab = (variants: readonly unknown[]): object => ({ type: 'ab_split', variants });
const halves = (): object[] => ['A', 'B'].map((name) => ({ name, percentage: 50 }));

const GOOD: readonly [name: string, step: object][] = [
  ['send_email', send()],
  ['send_email with a subject', send({ subject: 'Hi {the user\'s First Name, or "you"}' })],
  ['send_email with no settings', settings({})],
  [
    'send_email with every setting',
    settings({
      ignore_frequency_capping: false,
      count_for_frequency_capping: true,
      ignore_dnd: false,
      send_to_unsubscribed: true,
      send_window_enabled: true,
      send_window_start: '09:00',
      send_window_end: '23:59',
      send_window_timezone: 'Europe/Berlin',
    }),
  ],
  [
    'a window over midnight',
    settings({ send_window_enabled: true, send_window_start: '22:00', send_window_end: '06:00' }),
  ],
  ['a window that is not enabled', settings({ send_window_enabled: false, send_window_start: '22:00' })],
  ['the time zone of the contact', settings({ send_window_timezone: 'contact' })],
  ['wait in hours', wait('36h')],
  ['wait in days', wait('2d')],
  ['wait in minutes', wait('30m')],
  ['condition', condition()],
  ['condition with directives', condition({ on_true: 'continue', on_false: 'skip_to_end' })],
  ['the absence of an event', check({ exists: false })],
  ['an event within a time', check({ within: '7d' })],
  ['an event with attributes', check({ attributes: { plan: 'pro', seats: { used: 3 } } })],
  ['a field of the contact', checkOf({ source: 'contact', field: 'email', operator: 'exists' })],
  ['a property', checkOf({ source: 'contact', field: 'properties.plan', operator: 'in', value: ['a', 'b'] })],
  ['a tag', checkOf({ source: 'contact', field: 'tags', operator: 'contains', value: 'vip' })],
  [
    'an attribute of the trigger event',
    checkOf({ source: 'trigger_event', attribute: 'cart.total', operator: 'gte', value: 100 }),
  ],
  ['a segment', checkOf({ source: 'segment', segment_id: SEGMENT, member: true })],
  [
    'conditional_split with a default',
    split([{ name: 'VIP', check: CHECK, steps: [send()], on_true: 'skip_to_end' }, { steps: [wait('1h')] }]),
  ],
  ['conditional_split without a default', split([{ check: CHECK }])],
  [
    'ab_split',
    ab([
      { name: 'A', percentage: 33.33, steps: [send(), ab(halves())] },
      { name: 'B', percentage: 66.67 },
    ]),
  ],
  ['update_contact: a standard field and a property', set({ product_type: 'pro', onboarded: true })],
  ['update_contact: properties', set({ properties: { level: 3 }, 'properties.colour': 'red' })],
  ['update_contact: null clears', set({ phone: null, level: null })],
];

test.each(GOOD)('%s is kept as it is', (_name, step) => {
  expect(readSteps([step])).toEqual({ ok: true, value: [stepOf(step as WrittenStep)] });
  expect(writtenStep(stepOf(step as WrittenStep))).toEqual(step);
});

test('a step is camelCase inside, but for what it sets on the contact', () => {
  const written = [
    settings({ ignore_dnd: true }),
    set({ product_type: 'pro', properties: { seat_count: 3 } }),
  ];
  expect(readSteps(written)).toEqual({
    ok: true,
    value: [
      { type: 'send_email', templateSlug: 'welcome', emailSendSettings: { ignoreDnd: true } },
      { type: 'update_contact', set: { product_type: 'pro', properties: { seat_count: 3 } } },
    ],
  });
});

test('no steps', () => {
  expect(readSteps([])).toEqual({ ok: true, value: [] });
});

test('a subject of null is none', () => {
  expect(readSteps([send({ subject: null })])).toEqual({
    ok: true,
    value: [{ type: 'send_email', templateSlug: 'welcome' }],
  });
});

const REFUSED: readonly [name: string, step: unknown, field: string, message: RegExp][] = [
  ['a text', 'wait', 'steps[1]', /object/],
  ['null', null, 'steps[1]', /object/],
  ['no type', {}, 'steps[1].type', /required/],
  ['an unknown type', { type: 'send_fax' }, 'steps[1].type', /send_email, wait, update_contact/],
  ['an inherited name as type', { type: 'constructor' }, 'steps[1].type', /send_email/],
  ['an id', send({ id: 3 }), 'steps[1].id', /not a field/],
  ['a condition without a check', { type: 'condition' }, 'steps[1].check', /required/],
  ['a check that is a text', { type: 'condition', check: 'x' }, 'steps[1].check', /object/],
  ['a check without a source', { type: 'condition', check: {} }, 'steps[1].check.source', /required/],
  ['a check of an unknown source', checkOf({ source: 'weather' }), 'steps[1].check.source', /latest_event/],
  [
    'a check without an event',
    checkOf({ source: 'latest_event', exists: true }),
    'steps[1].check.event_name',
    /required/,
  ],
  ['a check of no event name', check({ event_name: 'Order Placed' }), 'steps[1].check.event_name', /snake/],
  ['exists as a text', check({ exists: 'yes' }), 'steps[1].check.exists', /true or false/],
  ['within no duration', check({ within: '1 week' }), 'steps[1].check.within', /7d/],
  ['attributes that are a list', check({ attributes: [] }), 'steps[1].check.attributes', /object/],
  ['an unknown field of a check', check({ count: 3 }), 'steps[1].check.count', /not a field/],
  [
    'an unknown field of the contact',
    checkOf({ source: 'contact', field: 'shoe_size', operator: 'exists' }),
    'steps[1].check.field',
    /properties/,
  ],
  [
    'an operator of nothing',
    checkOf({ source: 'contact', field: 'email', operator: 'greater_than', value: 3 }),
    'steps[1].check.operator',
    /equals/,
  ],
  [
    'a value of the wrong kind',
    checkOf({ source: 'trigger_event', attribute: 'total', operator: 'greater_than', value: 'much' }),
    'steps[1].check.value',
    /number/,
  ],
  [
    'an attribute of too many names',
    checkOf({ source: 'trigger_event', attribute: 'a.b.c.d.e.f.g.h.i.j.k', operator: 'exists' }),
    'steps[1].check.attribute',
    /names/,
  ],
  [
    'a segment that is no id',
    checkOf({ source: 'segment', segment_id: 'x', member: true }),
    'steps[1].check.segment_id',
    /UUID/,
  ],
  ['another directive', condition({ on_true: 'stop' }), 'steps[1].on_true', /continue, skip_to_end/],
  ['no branches', split([]), 'steps[1].branches', /1 to 20/],
  ['a branch that is null', split([null]), 'steps[1].branches[0]', /object/],
  [
    'a first branch without a check',
    split([{}, { check: CHECK }]),
    'steps[1].branches[0].check',
    /last branch/,
  ],
  [
    'an unknown field of a branch',
    split([{ on_false: 'continue' }]),
    'steps[1].branches[0].on_false',
    /branch/,
  ],
  [
    'a step of a branch',
    split([{ steps: [send(), wait('x')] }]),
    'steps[1].branches[0].steps[1].duration',
    /36h or 2d/,
  ],
  ['one variant', ab([{ name: 'A', percentage: 100 }]), 'steps[1].variants', /2 to 20/],
  [
    'percentages that do not sum up',
    ab([
      { name: 'A', percentage: 50 },
      { name: 'B', percentage: 49.99 },
    ]),
    'steps[1].variants',
    /add up to 100, not 99.99/,
  ],
  [
    'a percentage of zero',
    ab([
      { name: 'A', percentage: 0 },
      { name: 'B', percentage: 100 },
    ]),
    'steps[1].variants[0].percentage',
    /greater than 0/,
  ],
  [
    'three decimals',
    ab([
      { name: 'A', percentage: 33.333 },
      { name: 'B', percentage: 66.67 },
    ]),
    'steps[1].variants[0].percentage',
    /decimals/,
  ],
  [
    'two variants of one name',
    ab([
      { name: 'A', percentage: 50 },
      { name: 'A', percentage: 50 },
    ]),
    'steps[1].variants[1].name',
    /another/,
  ],
  ['an unknown field', send({ to: 'x' }), 'steps[1].to', /send_email step/],
  ['no template', { type: 'send_email' }, 'steps[1].template_slug', /required/],
  ['a template that is a number', send({ template_slug: 7 }), 'steps[1].template_slug', /slug/],
  ['an empty template slug', send({ template_slug: '' }), 'steps[1].template_slug', /slug/],
  ['a subject that is too long', send({ subject: 'x'.repeat(256) }), 'steps[1].subject', /255/],
  ['send settings that are a list', settings([]), 'steps[1].email_send_settings', /object/],
  ['an unknown send setting', settings({ dnd: true }), 'steps[1].email_send_settings.dnd', /not a known/],
  [
    'a flag that is a text',
    settings({ ignore_dnd: 'yes' }),
    'steps[1].email_send_settings.ignore_dnd',
    /true or false/,
  ],
  [
    'a window without a start',
    settings({ send_window_enabled: true, send_window_end: '17:00' }),
    'steps[1].email_send_settings.send_window_start',
    /required when send_window_enabled is true/,
  ],
  [
    'a window without an end',
    settings({ send_window_enabled: true, send_window_start: '09:00' }),
    'steps[1].email_send_settings.send_window_end',
    /required/,
  ],
  [
    'a time of 24:00',
    settings({ send_window_start: '24:00' }),
    'steps[1].email_send_settings.send_window_start',
    /09:30/,
  ],
  [
    'a time zone that does not exist',
    settings({ send_window_timezone: 'Mars/Olympus' }),
    'steps[1].email_send_settings.send_window_timezone',
    /IANA/,
  ],
  ['no duration', { type: 'wait' }, 'steps[1].duration', /required/],
  ['a duration in seconds', wait('30s'), 'steps[1].duration', /36h or 2d/],
  ['a duration of zero', wait('0h'), 'steps[1].duration', /36h or 2d/],
  ['a negative duration', wait('-1h'), 'steps[1].duration', /36h or 2d/],
  ['a fraction of a day', wait('1.5d'), 'steps[1].duration', /36h or 2d/],
  ['a number as duration', wait(3), 'steps[1].duration', /36h or 2d/],
  ['eleven years', wait('4015d'), 'steps[1].duration', /ten years/],
  ['nothing to set', { type: 'update_contact' }, 'steps[1].set', /required/],
  ['an empty set', set({}), 'steps[1].set', /at least one field/],
  ['a set that is a list', set(['a']), 'steps[1].set', /object/],
  ['a set without end', set({ a: [[[[[[[[[[[[]]]]]]]]]]]] }), 'steps[1].set', /deeper/],
  ['external_id', set({ external_id: 'x' }), 'steps[1].set.external_id', /cannot be set/],
  [
    'subscription_status',
    set({ subscription_status: 'x' }),
    'steps[1].set.subscription_status',
    /cannot be set/,
  ],
  ['tags', set({ tags: ['a'] }), 'steps[1].set.tags', /cannot be set/],
  ['an email that is none', set({ email: 'nobody' }), 'steps[1].set.email', /email/],
  ['a standard field that is a number', set({ first_name: 7 }), 'steps[1].set.first_name', /string/],
  ['a time zone of nowhere', set({ timezone: 'Mars' }), 'steps[1].set.timezone', /IANA/],
  ['properties that are a text', set({ properties: 'x' }), 'steps[1].set.properties', /object/],
  ['a property with NUL', set({ level: 3, plan: '\0' }), 'steps[1].set.plan', /NUL/],
  ['a large property', set({ level: 3, plan: 'x'.repeat(65_600) }), 'steps[1].set.plan', /65536/],
  [
    'a property among properties',
    set({ properties: { level: 3, plan: '\0' } }),
    'steps[1].set.properties.plan',
    /NUL/,
  ],
  [
    'properties that are large together',
    set({ one: 'x'.repeat(40_000), other: 'x'.repeat(40_000) }),
    'steps[1].set',
    /65536/,
  ],
  [
    'properties among properties that are',
    set({ properties: { one: 'x'.repeat(40_000), other: 'x'.repeat(40_000) } }),
    'steps[1].set.properties',
    /65536/,
  ],
  ['a blank name of a branch', split([{ name: ' ' }]), 'steps[1].branches[0].name', /empty/],
  [
    'a blank name of a variant',
    ab([
      { name: '\t\n', percentage: 50 },
      { name: 'B', percentage: 50 },
    ]),
    'steps[1].variants[0].name',
    /empty/,
  ],
];

test.each(REFUSED)('%s is refused', (_name, step, field, message) => {
  const read = readSteps([send(), step]);
  expect(read).toEqual({ ok: false, errors: [{ field, message: expect.stringMatching(message) }] });
});

test('every step that is wrong is named', () => {
  const read = readSteps([wait('x'), send(), send({ subject: 1, template_slug: '' })]);
  const fields = read.ok ? [] : read.errors.map(({ field }) => field);
  expect(fields).toEqual(['steps[0].duration', 'steps[2].template_slug', 'steps[2].subject']);
});
