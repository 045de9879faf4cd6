import { moreSevere, optOutFromField, statusIn } from './opt-outs.js';

test.each([
  ['status', 'unsubscribed', 'unsubscribed'],
  ['status', 'Unsubscribed ', 'unsubscribed'],
  ['status', 'opted_out', 'unsubscribed'],
  ['status', 'optedOut', 'unsubscribed'],
  ['status', 'Opted-Out', 'unsubscribed'],
  ['status', 'opt_out', 'unsubscribed'],
  ['status', 'cleaned', 'bounced'],
  ['status', 'hard_bounced', 'bounced'],
  ['status', 'complained', 'complained'],
  ['opted_out', 'true', 'unsubscribed'],
  ['opted_out', true, 'unsubscribed'],
  ['opted_out', 1, 'unsubscribed'],
  ['Email Opt-Out', 'Yes', 'unsubscribed'],
  ['emailOptOut', '1', 'unsubscribed'],
  ['unsubscribed', 'yes', 'unsubscribed'],
  ['Do Not Email', 'TRUE', 'unsubscribed'],
  ['hard_bounced', 'true', 'bounced'],
  ['has_complained', 'true', 'complained'],
  ['cleaned', '1', 'bounced'],
  ['unsub', 'true', 'unsubscribed'],
  ['optout_flag', 'y', 'unsubscribed'],
  ['abgemeldet', 'x', 'unsubscribed'],
  ['no_email', '1.0', 'unsubscribed'],
  ['do_not_email', 'T', 'unsubscribed'],
  ['Suppressed', 'on', 'unsubscribed'],
  ['block-listed', 'true', 'unsubscribed'],
  ['bounced', 1, 'bounced'],
  ['last_soft_bounce', '1', null],
  ['unsubscribed_at', '2026-01-02T03:04:05Z', 'unsubscribed'],
  ['status', 'bounce', 'bounced'],
  ['status', 'HARD BOUNCE', 'bounced'],
  ['status', 'hardbounce', 'bounced'],
  ['status', 'soft bounce', null],
  ['status', 'suppressed', 'unsubscribed'],
  ['status', 'global_unsubscribe', 'unsubscribed'],
  ['status', 'Do not mail', 'unsubscribed'],
  ['status', 'never_subscribed', 'unsubscribed'],
  ['status', 'Non-Subscribed', 'unsubscribed'],
  ['status', 'blocked', 'unsubscribed'],
  ['status', 'blocklisted', 'unsubscribed'],
  ['status', 'spam', 'complained'],
  ['status', 'Spam complaint', 'complained'],
  ['status', 'invalid', 'bounced'],
  ['status', 'Désabonné', 'unsubscribed'],
  ['status', 'Dado de baja', 'unsubscribed'],
  ['status', 'dada_de_baja', 'unsubscribed'],
  ['accepts_marketing', 'no', 'unsubscribed'],
  ['subscribed', 'false', 'unsubscribed'],
  ['opted_out', 'false', null],
  ['opted_out', '0', null],
  ['opted_out', 'no', null],
  ['opted_in', 'true', null],
  ['subscribed', 'true', null],
  ['status', 'true', null],
  ['status', 'subscribed', null],
  ['status', 'unsubscribed later', null],
  ['status', { unsubscribed: true }, null],
])('%s: %j is %s', (column, value, expected) => {
  expect(statusIn(column, value)?.optOut ?? null).toBe(expected);
});

test.each([
  ['status', 'unsubscribed', true],
  ['status', 'Opted In', true],
  ['opted_out', 'no', true],
  ['opted_out', 'true', true],
  ['subscribed', '1', true],
  ['status', 'true', false],
  ['opted_out', 'perhaps', false],
  ['opted_out_at', '2026-01-02', false],
  ['status', { unsubscribed: true }, false],
])('%s: %j says nothing else: %s', (column, value, expected) => {
  expect(statusIn(column, value)?.isAll ?? false).toBe(expected);
});

test('the graver of two counts', () => {
  expect(moreSevere(null, null)).toBeNull();
  expect(moreSevere(null, 'unsubscribed')).toBe('unsubscribed');
  expect(moreSevere('complained', 'bounced')).toBe('complained');
  expect(moreSevere('unsubscribed', 'bounced')).toBe('bounced');
});

const OUT = [
  ...[true, 1, 'true', 'TRUE', '1', '1.0', 'yes', 'Y', 'x', 'unsubscribed', 'opted out', '2024-05-01'],
  ...[
    '2024-05-01T10:00:00Z',
    '2024-05-01 10:00',
    '2024/5/1',
    '20240501',
    '05/01/2024 10:00',
    '1.5.24',
    '31-12-2024',
  ],
  ...[
    'May 1, 2024',
    '1 May 2024',
    '01-May-2024',
    'Wed, 01 May 2024 10:00:00 GMT',
    'Wed May 01 2024 10:00:00',
  ],
  ...[1714521600, 1714521600000, '1714521600', '1714521600.25'],
];
const NOT_OUT = [
  ...[
    '',
    ' ',
    false,
    0,
    'false',
    '0',
    '0.0',
    'no',
    'null',
    'NULL',
    'none',
    'never',
    'n/a',
    '-',
    'unknown',
    'perhaps',
  ],
  ...[
    '0000-00-00',
    '0000-00-00 00:00:00',
    '0001-01-01T00:00:00',
    '1970-01-01',
    '1900-01-01',
    '9999-12-31',
    '00/00/0000',
  ],
  ...[
    'https://example.test/2024-05-01',
    'subscribed',
    'active',
    2,
    17,
    3.5,
    null,
    [],
    ['true'],
    { at: '2024-05-01' },
  ],
];

test.each(OUT)('%j opts out in a column that is named for a refusal', (value) => {
  expect(optOutFromField('unsubscribed_at', value)).toBe('unsubscribed');
  expect(optOutFromField('opt_out', value)).toBe('unsubscribed');
  expect(optOutFromField('sms_opt_out', value)).toBeNull();
  expect(optOutFromField('subscribed_at', value)).toBeNull();
});

test.each(NOT_OUT)('%j does not', (value) => {
  for (const name of ['unsubscribed_at', 'opt_out', 'bounced', 'complained', 'do_not_contact', 'blocked'])
    expect(optOutFromField(name, value)).toBeNull();
});

test.each([
  ['hard_bounce', 'true', 'bounced'],
  ['bounced_at', '2024-05-01', 'bounced'],
  ['marked_as_spam', 'yes', 'complained'],
  ['bounced', 'complained', 'complained'],
  ['emailunsubscribed', 'true', 'unsubscribed'],
  ['not_unsubscribed', 'true', null],
  ['unsubscribe_url', 'https://example.test/u', null],
  ['unsubscribe_url', 'true', null],
  ['last_bounce_check', '2024-05-01', null],
  ['complaints_count', '1', null],
  ['bounce_rate', '1.0', null],
  ['blocked_products', 'yes', null],
  ['accepts_marketing', 'false', 'unsubscribed'],
  ['accepts_marketing', false, 'unsubscribed'],
  ['accepts_marketing', 'true', null],
  ['accepts_marketing', '', null],
  ['subscribed', 'false', 'unsubscribed'],
  ['subscribed', '0', 'unsubscribed'],
  ['subscribed', 0, 'unsubscribed'],
  ['subscribed', 'unsubscribed', 'unsubscribed'],
  ['subscribed', '2024-05-01', null],
  ['subscribed', 'unknown', null],
  ['subscribed', 'null', null],
  ['subscribed', 'never', null],
  ['subscribed', 'pending', null],
  ['Email Marketing Consent', 'no', 'unsubscribed'],
  ['Email Marketing Consent', 'Not subscribed', 'unsubscribed'],
  ['opt_in', 'no', 'unsubscribed'],
  ['opt_in', 'yes', null],
  ['opt_in_date', 'no', null],
  ['sms_consent', 'no', null],
  ['status', 'unsubscribed', 'unsubscribed'],
  ['status', 'Opted-Out', 'unsubscribed'],
  ['status', 'opt_out', 'unsubscribed'],
  ['status', 'cleaned', 'bounced'],
  ['status', 'hard_bounced', 'bounced'],
  ['status', 'complained', 'complained'],
  ['status', 'pending', null],
  ['status', 'blocked', null],
  ['status', 'invalid', null],
  ['status', 'suppressed', null],
  ['status', 'no', null],
  ['status', true, null],
  ['status', '2024-05-01', null],
  ['order_status', 'unsubscribed', null],
  ['email_status', 'pending', 'unsubscribed'],
  ['email_status', 'invalid', 'bounced'],
])('unmapped %s: %j is %s', (column, value, expected) => {
  expect(optOutFromField(column, value)).toBe(expected);
});

test('what databases write for no date is none, also where it is mapped', () => {
  expect(statusIn('unsubscribed_at', '0000-00-00 00:00:00')).toEqual({ optOut: null, isAll: true });
});

const LANGUAGES: readonly (readonly [yes: string, no: string])[] = [
  ...([
    ['WAHR', 'FALSCH'],
    ['VRAI', 'FAUX'],
    ['VERDADERO', 'FALSO'],
    ['VERO', 'FALSO'],
    ['WAAR', 'ONWAAR'],
    ['PRAWDA', 'FAŁSZ'],
    ['VERDADEIRO', 'FALSO'],
    ['SANT', 'FALSKT'],
    ['SANN', 'USANN'],
    ['SAND', 'FALSK'],
    ['TOSI', 'EPÄTOSI'],
    ['PRAVDA', 'NEPRAVDA'],
    ['IGAZ', 'HAMIS'],
    ['ISTINA', 'NEISTINA'],
    ['DOĞRU', 'YANLIŞ'],
    ['ИСТИНА', 'ЛОЖЬ'],
    ['ІСТИНА', 'ХИБНІСТЬ'],
    ['ΑΛΗΘΗΣ', 'ΨΕΥΔΗΣ'],
    ['ADEVĂRAT', 'FALS'],
    ['TÕENE', 'VÄÄR'],
  ] as const),
  ...([
    ['Ja', 'Nein'],
    ['Oui', 'Non'],
    ['Sí', 'No'],
    ['Tak', 'Nie'],
    ['Sim', 'Não'],
    ['Evet', 'Hayır'],
    ['Да', 'Нет'],
    ['はい', 'いいえ'],
    ['是', '否'],
    ['✓', '✗'],
  ] as const),
];

test.each(LANGUAGES)('%s is a yes and %s a no, mapped and unmapped', (yes, no) => {
  for (const column of ['unsubscribed', 'email_disabled', 'Portal Unsubscribe']) {
    expect([optOutFromField(column, yes), optOutFromField(column, no)]).toEqual(['unsubscribed', null]);
    expect(statusIn(column, yes)).toEqual({ optOut: 'unsubscribed', isAll: true });
    expect(statusIn(column, no)).toEqual({ optOut: null, isAll: true });
  }
  expect([optOutFromField('subscribed', yes), optOutFromField('subscribed', no)]).toEqual([
    null,
    'unsubscribed',
  ]);
  expect(statusIn('subscribed', no)?.optOut).toBe('unsubscribed');
});

test.each([
  ['bounce_status', 'hard', 'bounced'],
  ['bounce_status', 'Hard bounce', 'bounced'],
  ['Bounce Type', 'Permanent', 'bounced'],
  ['bounceType', 'hard_bounce', 'bounced'],
  ['bounce_category', 'harter Bounce', 'bounced'],
  ['bounced', 'hard', 'bounced'],
  ['bounce_status', 'soft', null],
  ['bounce_type', 'Transient', null],
  ['bounce_status', 'none', null],
  ['hardly_bounced', 'hard', null],
  ['hs_email_hard_bounce_reason', 'SPAM', 'bounced'],
  ['Email hard bounce reason', 'Unknown user', 'bounced'],
  ['Portal Bounce', 'false', null],
  ['Portal Bounce', 'mailbox does not exist', 'bounced'],
  ['email_suppressions', 'USER_SUPPRESSED|SPAM_COMPLAINT', 'complained'],
  ['email_suppressions', 'perhaps, never', null],
  ['subscription_state', 'cancelled', null],
  ['status', 'inactive', null],
  ['status', 'spam complaint', 'complained'],
  ['active_subscription', 'false', null],
])('unmapped kinds of bounces and states: %s: %s is %s', (column, value, expected) => {
  expect(optOutFromField(column, value)).toBe(expected);
});

test.each([
  ['bounce_status', 'hard', { optOut: 'bounced', isAll: true }],
  ['bounce_status', 'soft', { optOut: null, isAll: true }],
  ['bounce_status', 'perhaps', null],
  ['Email hard bounce reason', 'Mailbox full', { optOut: 'bounced', isAll: false }],
  ['status', 'hard', null],
  ['status', 'junk', { optOut: 'complained', isAll: true }],
])('mapped, %s: %s is %j', (column, value, expected) => {
  expect(statusIn(column, value)).toEqual(expected);
});
