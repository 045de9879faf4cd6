import { DomainError, type FieldError } from '../../../kernel/domain-error.js';
import { readFlow } from './flow.input.js';
import type { Step } from '../domain/step.js';
import { stepOf, writtenStep, type WrittenStep } from '../domain/written-flow.js';

type Reading =
  | { readonly ok: true; readonly value: readonly Step[] }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** The steps of a flow that is sound otherwise. */
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

const GOOD: readonly [name: string, step: object][] = [
  ['send_email', send()],
  ['send_email with a subject', send({ subject: 'Hi {the user\'s First Name, or "you"}' })],
  ['send_email with no settings', settings({})],
  [
    'send_email with every setting that this release keeps',
    settings({
      ignore_frequency_capping: true,
      count_for_frequency_capping: false,
      ignore_dnd: true,
      send_to_unsubscribed: true,
      send_window_enabled: false,
      send_window_start: '09:00',
      send_window_end: '23:59',
      send_window_timezone: 'Europe/Berlin',
    }),
  ],
  ['the time zone of the contact', settings({ send_window_timezone: 'contact' })],
  ['wait in hours', wait('36h')],
  ['wait in days', wait('2d')],
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
  ['condition', { type: 'condition' }, 'steps[1].type', /condition is not in this release/],
  ['conditional_split', { type: 'conditional_split' }, 'steps[1].type', /not in this release/],
  ['ab_split', { type: 'ab_split' }, 'steps[1].type', /not in this release/],
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
    'ignore_dnd false',
    settings({ ignore_dnd: false }),
    'steps[1].email_send_settings.ignore_dnd',
    /this release/,
  ],
  [
    'ignore_frequency_capping false',
    settings({ ignore_frequency_capping: false }),
    'steps[1].email_send_settings.ignore_frequency_capping',
    /this release/,
  ],
  [
    'count_for_frequency_capping true',
    settings({ count_for_frequency_capping: true }),
    'steps[1].email_send_settings.count_for_frequency_capping',
    /this release/,
  ],
  [
    'send_window_enabled true',
    settings({ send_window_enabled: true }),
    'steps[1].email_send_settings.send_window_enabled',
    /this release/,
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
  ['a duration in minutes', wait('30m'), 'steps[1].duration', /36h or 2d/],
  ['a duration of zero', wait('0h'), 'steps[1].duration', /36h or 2d/],
  ['a negative duration', wait('-1h'), 'steps[1].duration', /36h or 2d/],
  ['a fraction of a day', wait('1.5d'), 'steps[1].duration', /36h or 2d/],
  ['a number as duration', wait(3), 'steps[1].duration', /36h or 2d/],
  ['eleven years', wait('4015d'), 'steps[1].duration', /ten years/],
  ['nothing to set', { type: 'update_contact' }, 'steps[1].set', /required/],
  ['an empty set', set({}), 'steps[1].set', /something/],
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
  ['a standard field that is a number', set({ first_name: 7 }), 'steps[1].set.first_name', /text/],
  ['a time zone of nowhere', set({ timezone: 'Mars' }), 'steps[1].set.timezone', /IANA/],
  ['properties that are a text', set({ properties: 'x' }), 'steps[1].set.properties', /object/],
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
