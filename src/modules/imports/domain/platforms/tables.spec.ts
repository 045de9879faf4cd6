/** Checks the field tables of all platforms, and what they have in common. */
import { STANDARD_FIELDS } from '../import-job.js';
import { braze } from './braze.js';
import { customerio } from './customerio.js';
import { addedFields, fieldsFrom, mostSevere, localeIn, textIn } from './source-fields.js';
import { intercom } from './intercom.js';
import { klaviyo } from './klaviyo.js';
import { mailchimp } from './mailchimp.js';
import { onesignal } from './onesignal.js';

describe.each([
  ['klaviyo', klaviyo],
  ['mailchimp', mailchimp],
  ['intercom', intercom],
  ['customerio', customerio],
  ['braze', braze],
  ['onesignal', onesignal],
])('%s', (_platform, source) => {
  test.each(Object.entries(source.fields))('%s becomes %s', (_field, target) => {
    expect([...STANDARD_FIELDS, 'external_id']).toContain(target);
  });

  it('fills each standard field from one field', () => {
    const targets = Object.values(source.fields);
    expect(new Set(targets).size).toBe(targets.length);
    expect(targets).toEqual(expect.arrayContaining(['email', 'first_name', 'last_name', 'phone', 'locale']));
  });
});

describe('fieldsFrom', () => {
  test.each([
    ['null', null],
    ['nothing', undefined],
    ['an empty text', ''],
    ['an empty list', []],
    ['an empty object', {}],
  ])('leaves out %s', (_name, value) => {
    expect(fieldsFrom([['name', value]])).toEqual({});
  });

  test.each([0, false, 'text', [null], { inner: null }])('keeps %j', (value) => {
    expect(fieldsFrom([['name', value]])).toEqual({ name: value });
  });

  it('takes the first of a name, and none that poisons prototypes', () => {
    const fields = fieldsFrom([
      ['plan', 'gold'],
      ['plan', 'silver'],
      ['__proto__', { isAdmin: true }],
      ['', 1],
      ['constructor', 'Bricks Ltd'],
    ]);
    expect(Object.entries(fields)).toEqual([
      ['plan', 'gold'],
      ['constructor', 'Bricks Ltd'],
    ]);
    expect((fields as { isAdmin?: unknown }).isAdmin).toBeUndefined();
  });

  it('loses none, however many there are and however long their names', () => {
    const pairs = Array.from({ length: 1_500 }, (_, index) => [`f${index}`, index] as const);
    expect(Object.keys(fieldsFrom(pairs))).toHaveLength(1_500);
    const long = ['a', 'b', 'c'].map((end, index) => ['n'.repeat(255) + end, index] as const);
    expect(fieldsFrom(long)).toEqual({
      ...{ ['n'.repeat(255)]: 0, [`${'n'.repeat(247)}_2`]: 1, [`${'n'.repeat(247)}_3`]: 2 },
    });
  });
});

test.each([
  [
    { plan: 'gold', email: 'x' },
    { plan: 'gold', 'properties.email': 'x' },
  ],
  [null, {}],
  [['gold'], {}],
])('addedFields of %j', (added, fields) => {
  expect(fieldsFrom(addedFields(added, 'properties', (name) => name === 'email'))).toEqual(fields);
});

test.each([
  [[], null],
  [['unsubscribed'], 'unsubscribed'],
  [['unsubscribed', 'bounced'], 'bounced'],
  [['bounced', 'complained', 'unsubscribed'], 'complained'],
] as const)('the gravest of %j is %s', (reasons, expected) => {
  expect(mostSevere(reasons)).toBe(expected);
});

test.each([
  ['25', '25'],
  [25, '25'],
  ['', null],
  [Infinity, null],
  [{}, null],
  [true, null],
])('textIn(%j) is %j', (value, expected) => {
  expect(textIn(value)).toBe(expected);
});

test.each([
  ['pt_PT', 'pt-PT'],
  ['en', 'en'],
  ['', null],
])('the locale of %j is %j', (value, expected) => {
  expect(localeIn(value)).toBe(expected);
});
