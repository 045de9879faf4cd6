import { DomainError } from '../../../kernel/domain-error.js';
import { internalSpelling, snakeCase, type Spelling } from '../../../kernel/letter-case.js';
import { readInput } from '../../../platform/input/read-input.js';
import { FlowListQuery } from './flow-list.input.js';
import { CreateFlowInput, flowUpdateOf, newFlowOf, readFlow } from './flow.input.js';

const LEAST = { name: 'Welcome', trigger_event: 'signed_up', content_type: 'transactional' };

test('what is left out has its default', () => {
  expect(readFlow(LEAST)).toEqual({
    name: 'Welcome',
    description: '',
    triggerEvent: 'signed_up',
    triggerConditions: {},
    segmentId: null,
    steps: [],
    contentType: 'transactional',
    tags: [],
    settings: {
      reentryPolicy: 'never',
      reentryCooldownDays: null,
      throttleEnabled: false,
      throttleLimit: null,
      throttlePeriod: null,
    },
  });
});

test('a tag that is given twice is one, where it came first', () => {
  expect(readFlow({ ...LEAST, tags: ['b', 'a', 'b', 'A'] }).tags).toEqual(['b', 'a', 'A']);
  const { update } = flowUpdateOf({ tags: ['a', 'a'] }, 'body');
  expect(update).toEqual({ tags: ['a'] });
  expect(flowUpdateOf({}, 'body').update).toEqual({});
});

/** Code and fields of the error, such as `invalid_field name`. */
function refusalOf(work: () => unknown, spell: Spelling = snakeCase): string {
  try {
    work();
    return 'none';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [error.code, ...(error.fieldsAs(spell).errors ?? []).map(({ field }) => field)].join(' ');
  }
}

const settings = (value: object): object => ({ ...LEAST, settings: value });

const CASES: readonly [name: string, input: unknown, refusal: string][] = [
  ['no object', 'x', 'validation_error'],
  ['no name', { ...LEAST, name: undefined }, 'validation_error name'],
  ['no trigger_event', { ...LEAST, trigger_event: undefined }, 'validation_error trigger_event'],
  ['no content_type', { ...LEAST, content_type: undefined }, 'validation_error content_type'],
  ['an empty name', { ...LEAST, name: '' }, 'invalid_field name'],
  ['a blank name', { ...LEAST, name: ' \u00a0' }, 'invalid_field name'],
  ['a name of null', { ...LEAST, name: null }, 'invalid_field name'],
  ['a name with NUL', { ...LEAST, name: '\0' }, 'invalid_field name'],
  ['an unknown field', { ...LEAST, colour: 'red' }, 'invalid_field colour'],
  [
    'fields of the service',
    { ...LEAST, id: 'x', status: 'active', version: 9 },
    'invalid_field id status version',
  ],
  [
    'a trigger_event in capitals',
    { ...LEAST, trigger_event: 'SignedUp' },
    'invalid_event_name trigger_event',
  ],
  [
    'a trigger_event with a hyphen',
    { ...LEAST, trigger_event: 'signed-up' },
    'invalid_event_name trigger_event',
  ],
  ['an empty trigger_event', { ...LEAST, trigger_event: '' }, 'invalid_event_name trigger_event'],
  ['a trigger_event that is a number', { ...LEAST, trigger_event: 7 }, 'invalid_field trigger_event'],
  ['conditions', { ...LEAST, trigger_conditions: { plan: 'pro', seats: 3 } }, 'none'],
  ['conditions that are a list', { ...LEAST, trigger_conditions: [] }, 'invalid_field trigger_conditions'],
  ['conditions with NUL', { ...LEAST, trigger_conditions: { a: '\0' } }, 'invalid_field trigger_conditions'],
  ['a content type that does not exist', { ...LEAST, content_type: 'spam' }, 'invalid_field content_type'],
  ['a segment of null', { ...LEAST, segment_id: null }, 'none'],
  ['a segment', { ...LEAST, segment_id: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface' }, 'none'],
  ['a segment that is no UUID', { ...LEAST, segment_id: 'everybody' }, 'invalid_field segment_id'],
  ['tags', { ...LEAST, tags: ['a', 'b'] }, 'none'],
  ['tags that are numbers', { ...LEAST, tags: [1] }, 'invalid_field tags'],
  ['an empty tag', { ...LEAST, tags: [''] }, 'invalid_field tags'],
  ['steps that are an object', { ...LEAST, steps: {} }, 'invalid_field steps'],
  [
    'a step that is wrong',
    { ...LEAST, steps: [{ type: 'wait', duration: '5' }] },
    'invalid_field steps[0].duration',
  ],
  ['settings that are a list', { ...LEAST, settings: [] }, 'invalid_field settings'],
  ['an unknown setting', settings({ colour: 1 }), 'invalid_field settings.colour'],
  ['always', settings({ reentry_policy: 'always' }), 'none'],
  ['after_completion', settings({ reentry_policy: 'after_completion' }), 'none'],
  ['an unknown policy', settings({ reentry_policy: 'sometimes' }), 'invalid_field settings.reentry_policy'],
  ['cooldown', settings({ reentry_policy: 'cooldown', reentry_cooldown_days: 1 }), 'none'],
  [
    'cooldown without days',
    settings({ reentry_policy: 'cooldown' }),
    'invalid_field settings.reentry_cooldown_days',
  ],
  [
    'cooldown of no days',
    settings({ reentry_policy: 'cooldown', reentry_cooldown_days: 0 }),
    'invalid_field settings.reentry_cooldown_days',
  ],
  [
    'cooldown of half a day',
    settings({ reentry_policy: 'cooldown', reentry_cooldown_days: 0.5 }),
    'invalid_field settings.reentry_cooldown_days',
  ],
  [
    'a throttle that is off',
    settings({ throttle_enabled: false, throttle_limit: 5, throttle_period: 'hour' }),
    'none',
  ],
  [
    'a throttle that is on',
    settings({ throttle_enabled: true, throttle_limit: 5, throttle_period: 'hour' }),
    'none',
  ],
  [
    'a throttle without a period',
    settings({ throttle_enabled: true, throttle_limit: 5 }),
    'invalid_field settings.throttle_period',
  ],
  [
    'a throttle without anything',
    settings({ throttle_enabled: true }),
    'invalid_field settings.throttle_limit settings.throttle_period',
  ],
  [
    'a throttle of more than a million',
    settings({ throttle_limit: 1_000_001 }),
    'invalid_field settings.throttle_limit',
  ],
  ['a throttle of none', settings({ throttle_limit: 0 }), 'invalid_field settings.throttle_limit'],
  ['a throttle by the week', settings({ throttle_period: 'week' }), 'invalid_field settings.throttle_period'],
];

test.each(CASES)('%s', (_name, input, refusal) => {
  expect(refusalOf(() => readFlow(input))).toBe(refusal);
});

const MOMENTS: readonly [text: string, moment: string | undefined][] = [
  ['2026-03-02T09:00:00Z', '2026-03-02T09:00:00.000Z'],
  ['2026-03-02T09:00:00.5+01:00', '2026-03-02T08:00:00.500Z'],
  ['2026-03-02T09:00', '2026-03-02T09:00:00.000Z'],
  ['2026-03-02', '2026-03-02T00:00:00.000Z'],
  ['2026-13-02', undefined],
  ['2026-W10', undefined],
  ['yesterday', undefined],
  ['2026-03-02T09:00:00 01:00', undefined],
];

test.each(MOMENTS)('the moment %s', (text, moment) => {
  const read = (): Date | undefined =>
    readInput(FlowListQuery, { created_after: text }, 'query').createdAfter;
  if (moment === undefined) expect(refusalOf(read)).toBe('invalid_field created_after');
  else expect(read()?.toISOString()).toBe(moment);
});

describe('in GraphQL', () => {
  const least = { name: 'Welcome', triggerEvent: 'signed_up', contentType: 'transactional' };
  test.each<[string, object, string]>([
    ['a field', { ...least, triggerEvent: 7 }, 'invalid_field triggerEvent'],
    ['the name of an event', { ...least, triggerEvent: 'SignedUp' }, 'invalid_event_name triggerEvent'],
    ['a missing field', { ...least, contentType: null }, 'validation_error contentType'],
    ['a step', { ...least, steps: [{ type: 'send_email' }] }, 'invalid_field steps[0].templateSlug'],
    [
      'a send setting',
      {
        ...least,
        steps: [{ type: 'send_email', templateSlug: 'a', emailSendSettings: { ignoreDnd: 0 } }],
      },
      'invalid_field steps[0].emailSendSettings.ignoreDnd',
    ],
    [
      'half a window',
      {
        ...least,
        steps: [
          {
            type: 'send_email',
            templateSlug: 'a',
            emailSendSettings: { sendWindowEnabled: true, sendWindowStart: '09:00' },
          },
        ],
      },
      'invalid_field steps[0].emailSendSettings.sendWindowEnd',
    ],
    ['a setting', { ...least, settings: { throttleLimit: 0 } }, 'invalid_field settings.throttleLimit'],
    [
      'a cooldown without its days',
      { ...least, settings: { reentryPolicy: 'cooldown' } },
      'invalid_field settings.reentryCooldownDays',
    ],
    [
      'nulls, which are none',
      { ...least, description: null, steps: [{ type: 'wait', duration: '2d', set: null, subject: null }] },
      'none',
    ],
  ])('%s is named as its caller wrote it', (_name, input, refusal) => {
    const read = (): unknown => newFlowOf(readInput(CreateFlowInput, input, 'graphql'), 'graphql');
    expect(refusalOf(read, internalSpelling)).toBe(refusal);
  });
});
