import type { JsonValue } from '../../../kernel/json.js';
import { parseJson } from '../../../kernel/json-text.js';
import type { ImportConfig } from './import-job.js';
import { mappingOf, mapRecord } from './mapping.js';

const FIELDS = {
  external_id: 'external_id',
  email: 'email',
  first_name: 'first_name',
  timezone: 'timezone',
  locale: 'locale',
  status: 'subscription_status',
} as const;

const map = (
  fields: Record<string, JsonValue>,
  config: Partial<Pick<ImportConfig, 'fieldMapping' | 'tags'>> = {},
  externalId: string | null = null,
): ReturnType<typeof mapRecord> =>
  mapRecord(
    { kind: 'contact', row: 7, externalId, fields, optOut: null },
    mappingOf(FIELDS, { fieldMapping: {}, tags: [], ...config }),
  );

test.each<[string, Record<string, JsonValue>, object]>([
  ['what is empty says nothing', { external_id: 'a', first_name: '', plan: '', n: null }, { changes: {} }],
  [
    'texts are trimmed',
    { external_id: ' a ', first_name: ' Ada ' },
    { externalId: 'a', changes: { firstName: 'Ada' } },
  ],
  [
    'numbers are written out',
    { external_id: 7, first_name: true },
    { externalId: '7', changes: { firstName: 'true' } },
  ],
  [
    'an address serves as identifier, in small letters',
    { email: 'Ada@Example.test' },
    { externalId: 'ada@example.test', email: 'Ada@Example.test', isByEmail: true },
  ],
  [
    'a status that is not understood is a property',
    { external_id: 'a', status: 'perhaps' },
    { optOut: null, changes: { properties: { status: 'perhaps' } } },
  ],
  ['a status that is', { external_id: 'a', status: 'bounce' }, { optOut: 'bounced', changes: {} }],
  [
    'an identifier beyond a double',
    parseJson('{"external_id":12345678901234567890}') as Record<string, JsonValue>,
    { externalId: '12345678901234567890' },
  ],
  [
    'one of many digits that a double has',
    parseJson('{"external_id":12345678901234567168}') as Record<string, JsonValue>,
    { externalId: '12345678901234567168' },
  ],
  ['an identifier that was none', { external_id: 1e21 }, { row: 7, code: 'invalid_field' }],
  ['nor was minus zero', { external_id: -0 }, { row: 7, code: 'invalid_field' }],
  ['nor a truth value', { external_id: true }, { row: 7, code: 'invalid_field' }],
  [
    'who refuses, in a record that is wrong',
    { external_id: 'a', email: 'a@example.test', first_name: 'x'.repeat(300), status: 'complained' },
    {
      code: 'invalid_field',
      rejectedOptOut: { externalId: 'a', email: 'a@example.test', optOut: 'complained' },
    },
  ],
  [
    'who refuses, without an identifier that can be read',
    { external_id: 'x'.repeat(300), email: 'a@example.test', status: 'unsubscribed' },
    {
      code: 'invalid_field',
      rejectedOptOut: { externalId: null, email: 'a@example.test', optOut: 'unsubscribed' },
    },
  ],
  [
    'who refuses, without any name',
    { email: 'none', status: 'unsubscribed' },
    { code: 'invalid_email', rejectedOptOut: null },
  ],
  [
    'what has no field is a property, as it is',
    { external_id: 'a', Plan: ' pro ', list: [1, { x: null }] },
    { changes: { properties: { Plan: ' pro ', list: [1, { x: null }] } } },
  ],
  [
    'a time zone',
    { external_id: 'a', timezone: 'Europe/Vienna' },
    { changes: { timezone: 'Europe/Vienna' } },
  ],
  [
    'what is no time zone',
    { external_id: 'a', timezone: 'Eastern Time (US & Canada)' },
    { changes: { properties: { timezone: 'Eastern Time (US & Canada)' } } },
  ],
  ['a locale as others write it', { external_id: 'a', locale: 'de_DE' }, { changes: { locale: 'de-DE' } }],
  [
    'what is no locale',
    { external_id: 'a', locale: 'German (Austria)' },
    { changes: { properties: { locale: 'German (Austria)' } } },
  ],
  ['no address', { external_id: 'a', email: 'none' }, { row: 7, externalId: 'a', code: 'invalid_email' }],
  [
    'nobody',
    { first_name: 'Ada' },
    { externalId: null, code: 'validation_error', detail: 'The record needs an external_id or an email.' },
  ],
  ['a name that is none', { external_id: 'a', first_name: ['Ada'] }, { code: 'invalid_field' }],
  ['too long', { external_id: 'a'.repeat(256) }, { code: 'invalid_field', externalId: 'a'.repeat(255) }],
  ['too much', { external_id: 'a', x: 'x'.repeat(66_000) }, { code: 'invalid_field' }],
  ['NUL', { external_id: 'a', x: 'x\0' }, { code: 'invalid_field' }],
])('%s', (_, fields, expected) => {
  expect(map(fields)).toMatchObject(expected);
});

test.each([
  ['status', 'perhaps'],
  ['status', 'true'],
  ['status', { on: true }],
  ['opt_out', 'perhaps'],
  ['newsletter', 'sometimes'],
])('a status that is mapped on purpose and not understood is an error: %s: %j', (name, value) => {
  const fields = { external_id: 'a', [name]: value, bounced: 'true' };
  const config = { fieldMapping: { [name]: 'subscription_status', bounced: 'subscription_status' } } as const;
  expect(map(fields, config)).toMatchObject({
    ...{ row: 7, externalId: 'a', code: 'invalid_field' },
    detail: expect.stringContaining(`${name}: is mapped to subscription_status, and `),
    rejectedOptOut: { externalId: 'a', optOut: 'bounced' },
  });
});

test.each([
  ['external_id', '1.23457E+12'],
  ['external_id', ' 1,23457E+12 '],
  ['external_id', '1E+15'],
  ['external_id', '4.3660123456e+11'],
  ['external_id', '1.23E+012'],
  ['phone', '4.36601E+11'],
])('a number that has lost digits is an error: %s: %s', (name, value) => {
  const fields = { [name]: value, email: 'A@example.test', status: 'unsubscribed' };
  expect(map(fields, { fieldMapping: { phone: 'phone' } })).toMatchObject({
    ...{ row: 7, externalId: 'a@example.test', code: 'invalid_field' },
    detail: expect.stringMatching(
      new RegExp(`^${name}: is a number whose digits a spreadsheet has truncated`),
    ),
    rejectedOptOut: { externalId: null, email: 'A@example.test', optOut: 'unsubscribed' },
  });
});

test.each(['12E5', '1e10', '5e-12', '1234E+12', 'E+12', '1.5.2E+10', '1234570000000'])(
  '%s is an identifier',
  (id) => {
    expect(map({ external_id: id })).toMatchObject({ externalId: id });
  },
);

test('so is one in the column that has the name of the contract', () => {
  const own = { external_id: 'external_id', Subscription_Status: 'subscription_status' } as const;
  const mapping = mappingOf(own, { fieldMapping: {}, tags: [] });
  const fields = { external_id: 'a', Subscription_Status: 'perhaps' };
  const record = { kind: 'contact', row: 1, externalId: null, fields, optOut: null } as const;
  expect(mapRecord(record, mapping)).toMatchObject({ code: 'invalid_field', rejectedOptOut: null });
});

test.each([
  ['newsletter', 'nein', 'unsubscribed'],
  ['newsletter', 'ja', null],
  ['status', 'n/a', null],
  ['unsubscribed_at', '0000-00-00', null],
  ['OPTIN_TIME', '2020-01-02 03:04:05', null],
  ['status', 'Inactive', 'unsubscribed'],
  ['status', 'cancelled', 'unsubscribed'],
])('%s: %s, mapped on purpose, is understood', (name, value, optOut) => {
  const config = { fieldMapping: { [name]: 'subscription_status' } } as const;
  expect(map({ external_id: 'a', [name]: value }, config)).toMatchObject({ externalId: 'a', optOut });
});

test('what the job says comes before the table, which holds where the job fills nothing', () => {
  const config = { fieldMapping: { work: 'email', no: 'external_id' } as const, tags: ['t'] };
  expect(map({ email: 'a@example.test', work: 'b@example.test', no: 'x' }, config, 'own')).toMatchObject({
    externalId: 'x',
    email: 'b@example.test',
    changes: { email: 'b@example.test', properties: { email: 'a@example.test' }, addTags: ['t'] },
  });
  expect(map({ email: 'a@example.test', work: '' }, config, 'own')).toMatchObject({
    externalId: 'own',
    email: 'a@example.test',
  });
});
