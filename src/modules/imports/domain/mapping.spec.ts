import type { JsonValue } from '../../../kernel/json.js';
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
  ['an address serves as identifier', { email: 'a@example.test' }, { externalId: 'a@example.test' }],
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
  [
    'what is no locale',
    { external_id: 'a', locale: 'en_US' },
    { changes: { properties: { locale: 'en_US' } } },
  ],
  ['no address', { external_id: 'a', email: 'none' }, { row: 7, externalId: 'a', code: 'invalid_email' }],
  ['nobody', { first_name: 'Ada' }, { row: 7, externalId: null, code: 'validation_error' }],
  ['a name that is none', { external_id: 'a', first_name: ['Ada'] }, { code: 'invalid_field' }],
  ['too long', { external_id: 'a'.repeat(256) }, { code: 'invalid_field', externalId: 'a'.repeat(255) }],
  ['too much', { external_id: 'a', x: 'x'.repeat(66_000) }, { code: 'invalid_field' }],
  ['NUL', { external_id: 'a', x: 'x\0' }, { code: 'invalid_field' }],
])('%s', (_, fields, expected) => {
  expect(map(fields)).toMatchObject(expected);
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
