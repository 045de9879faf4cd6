import { bounceOf } from '../../feedback/domain/bounce-kind.js';
import {
  readSuppressionFile,
  SUPPRESSION_HEADER,
  suppressionLines,
  type SuppressionFileOptions,
} from './suppression-file.js';
import type { Suppression } from './suppression.js';

const write = (rows: readonly Suppression[]) => SUPPRESSION_HEADER + suppressionLines(rows);
const read = (file: string, reading: Partial<SuppressionFileOptions> = {}) =>
  readSuppressionFile(file, { most: 5, ...reading });

test('what other services export is read as it is', () => {
  expect(
    read(
      '\ufeffReason,"Email_Address",origin,SINCE,note\r\n' +
        'HardBounce,ada@x.test,list,2026-03-02T09:00:00Z,"said ""no"", twice"\r\n' +
        '\r\n' +
        ',bob@x.test,,never,\n' +
        'Spam Complaint,cy@x.test,"two\nlines",,',
    ),
  ).toEqual({
    rows: [
      {
        email: 'ada@x.test',
        reason: 'hard_bounce',
        since: new Date('2026-03-02T09:00:00Z'),
        note: 'said "no", twice',
      },
      { email: 'bob@x.test', reason: 'manual', since: undefined, note: null },
      { email: 'cy@x.test', reason: 'complaint', since: undefined, note: null },
    ],
    refused: 0,
    errors: [],
  });
});

/** Files that services export: each address with its reason and time, or nothing if it must not be suppressed. */
const AT = '2026-03-02T09:00:00.000Z';
test.each<
  [service: string, file: string, expected: readonly string[], reading?: Partial<SuppressionFileOptions>]
>([
  [
    'Amazon SES, list-suppressed-destinations',
    JSON.stringify({
      SuppressedDestinationSummaries: [
        { EmailAddress: 'a@x.test', Reason: 'BOUNCE', LastUpdateTime: '2026-03-02T10:00:00+01:00' },
        { EmailAddress: 'b@x.test', Reason: 'COMPLAINT', LastUpdateTime: 1_772_442_000.0 },
      ],
      NextToken: 'abc',
    }),
    [`a@x.test hard_bounce ${AT}`, `b@x.test complaint ${AT}`],
  ],
  ['Amazon SES, nothing suppressed', '{"SuppressedDestinationSummaries": []}', []],
  [
    'Amazon SES, a file for its import',
    'a@x.test,BOUNCE\nb@x.test,COMPLAINT\n',
    ['a@x.test hard_bounce -', 'b@x.test complaint -'],
  ],
  [
    'Amazon SES, JSON lines',
    '{"emailAddress":"a@x.test","reason":"BOUNCE"}\n{"emailAddress":"b@x.test","reason":"COMPLAINT"}\n',
    ['a@x.test hard_bounce -', 'b@x.test complaint -'],
  ],
  [
    'Amazon SES, the console',
    'Email address,Reason,Last updated\na@x.test,Bounce,2026-03-02\n',
    ['a@x.test hard_bounce -'],
  ],
  [
    'Postmark, dump',
    JSON.stringify({
      Suppressions: [
        { EmailAddress: 'a@x.test', SuppressionReason: 'HardBounce', Origin: 'Recipient', CreatedAt: AT },
        { EmailAddress: 'b@x.test', SuppressionReason: 'SpamComplaint', Origin: 'Recipient', CreatedAt: AT },
        {
          EmailAddress: 'c@x.test',
          SuppressionReason: 'ManualSuppression',
          Origin: 'Customer',
          CreatedAt: AT,
        },
      ],
    }),
    [`a@x.test hard_bounce ${AT}`, `b@x.test complaint ${AT}`, `c@x.test manual ${AT}`],
  ],
  [
    'Postmark, CSV',
    'EmailAddress,SuppressionReason,Origin,CreatedAt\na@x.test,HardBounce,Recipient,2026-03-02T04:00:00-05:00\n',
    [`a@x.test hard_bounce ${AT}`],
  ],
  [
    'Postmark, bounces',
    'Type,Email,BouncedAt,Details\nHardBounce,a@x.test,2026-03-02 09:00:00,smtp;550 5.1.1 unknown\n' +
      'SpamNotification,b@x.test,,\nSoftBounce,c@x.test,,\n',
    [`a@x.test hard_bounce ${AT}`],
  ],
  [
    'SparkPost, CSV',
    'recipient,type,description,source,created\n' +
      `a@x.test,transactional,550: 550 5.1.1 no such user,Bounce Rule,${AT}\n` +
      'b@x.test,non_transactional,,Spam Complaint,\n' +
      'c@x.test,non_transactional,,List Unsubscribe,\n' +
      'd@x.test,transactional,asked by phone,Manually Added,\n' +
      'e@x.test,transactional,552 5.2.2 mailbox full,Bounce Rule,\n',
    [
      `a@x.test hard_bounce ${AT}`,
      'b@x.test complaint -',
      'c@x.test manual - unsubscribed',
      'd@x.test manual - asked by phone',
    ],
  ],
  [
    'SparkPost, a file for its import',
    'recipient,type,description\na@x.test,transactional,left\n',
    ['a@x.test manual - left'],
  ],
  [
    'SparkPost, JSON',
    JSON.stringify({
      results: [
        {
          recipient: 'a@x.test',
          type: 'non_transactional',
          source: 'Unsubscribe Link',
          created: AT,
          non_transactional: true,
        },
      ],
      links: [],
      total_count: 1,
    }),
    [`a@x.test manual ${AT} unsubscribed`],
  ],
  [
    'SendGrid, bounces',
    'status,reason,email,created\n5.1.1,"550 5.1.1 The account does not exist, try again",a@x.test,1772442000\n' +
      '5.7.1,550 5.7.1 blocked for spam,b@x.test,1772442000\n' +
      '5.2.2,552 5.2.2 over quota,c@x.test,1772442000\n',
    [`a@x.test hard_bounce ${AT}`],
  ],
  [
    'SendGrid, bounces by their name',
    'status,reason,email,created\n,unable to get mx info,a@x.test,1772442000\n',
    [`a@x.test hard_bounce ${AT}`],
    { name: '/home/ops/suppression_bounces.csv' },
  ],
  [
    'SendGrid, bounces as JSON',
    JSON.stringify([
      { created: 1_772_442_000, email: 'a@x.test', reason: '550 5.1.1 unknown user', status: '5.1.1' },
      { created: 1_772_442_000, email: 'b@x.test', reason: 'unable to get mx info', status: '' },
    ]),
    [`a@x.test hard_bounce ${AT}`],
  ],
  [
    'SendGrid, blocks',
    'status,reason,email,created\n5.1.1,550 5.1.1 blocked,a@x.test,1772442000\n',
    [],
    { name: 'suppression_blocks.csv' },
  ],
  [
    'SendGrid, spam reports',
    'email,ip,created\na@x.test,192.0.2.1,1772442000\n',
    [`a@x.test complaint ${AT}`],
  ],
  [
    'SendGrid, invalid addresses',
    '[{"created":1772442000,"email":"a@x.test","reason":"Mail domain mentioned in email address is unknown"}]',
    [`a@x.test hard_bounce ${AT}`],
  ],
  ['SendGrid, unsubscribes', 'email,created\na@x.test,1772442000\n', [`a@x.test manual ${AT}`]],
  [
    'SendGrid, unsubscribes by their name',
    '[{"created":1772442000,"email":"a@x.test"}]',
    [`a@x.test manual ${AT} unsubscribed`],
    { name: 'suppression_unsubscribes.json' },
  ],
  [
    'Mailgun, bounces',
    'address,code,error,created_at\na@x.test,550,5.1.1 No such user,"Mon, 02 Mar 2026 09:00:00 UTC"\n' +
      'b@x.test,605,Not delivering to previously bounced address,"Mon, 02 Mar 2026 09:00:00 +0000"\n',
    [`a@x.test hard_bounce ${AT}`, `b@x.test hard_bounce ${AT}`],
  ],
  [
    'Mailgun, unsubscribes',
    JSON.stringify({
      items: [
        { address: 'a@x.test', tags: ['*'], created_at: 'Mon, 02 Mar 2026 09:00:00 UTC' },
        { address: 'b@x.test', tags: ['news'], created_at: 'Mon, 02 Mar 2026 09:00:00 UTC' },
        { address: 'c@x.test', tags: [], created_at: 'Mon, 02 Mar 2026 09:00:00 UTC' },
      ],
      paging: { next: 'https://x.test' },
    }),
    [`a@x.test manual ${AT} unsubscribed`, `c@x.test manual ${AT} unsubscribed`],
    { name: 'mailgun-unsubscribes.json' },
  ],
  [
    'Mailgun, complaints',
    'address,created_at\na@x.test,\n',
    ['a@x.test complaint -'],
    { reason: 'complaint', name: 'list.csv' },
  ],
  [
    'Mandrill',
    'email,reason,detail,created_at,last_event_at,expires_at\n' +
      'a@x.test,hard-bounce,smtp;550 5.1.1 unknown,2026-03-02 09:00:00,2026-03-03 09:00:00,\n' +
      'b@x.test,soft-bounce,,2026-03-02 09:00:00,,\n' +
      'c@x.test,spam,,2026-03-02 09:00:00.12345,,\n' +
      'd@x.test,unsub,,,,\n' +
      'e@x.test,custom,asked by phone,,,\n',
    [
      `a@x.test hard_bounce ${AT}`,
      'c@x.test complaint 2026-03-02T09:00:00.123Z',
      'd@x.test manual - unsubscribed',
      'e@x.test manual - asked by phone',
    ],
  ],
  [
    'Resend',
    JSON.stringify({
      object: 'list',
      data: [
        { id: '1', email: 'a@x.test', origin: 'bounce', created_at: '2026-03-02 09:00:00.000+00' },
        { id: '2', email: 'b@x.test', origin: 'complaint', created_at: '2026-03-02 09:00:00.000+00' },
      ],
    }),
    [`a@x.test hard_bounce ${AT}`, `b@x.test complaint ${AT}`],
  ],
  ['a list of addresses', '["a@x.test"]', ['a@x.test manual -']],
  ['a spreadsheet with semicolons', 'Email;Reason\na@x.test;Hard Bounce\n', ['a@x.test hard_bounce -']],
  ['tabs', 'email\treason\na@x.test\tspam\n', ['a@x.test complaint -']],
])('%s', (_service, file, expected, ...[reading]) => {
  const { rows } = read(file, {
    isHard: ({ code, detail }) => bounceOf({ words: ['hard'], code, detail }).kind === 'hard',
    ...reading,
  });
  const shown = rows.map(({ email, reason, since, note }) =>
    [
      email,
      reason,
      since?.toISOString() ?? '-',
      ...(reason === 'manual' && note !== null ? [note] : []),
    ].join(' '),
  );
  expect(shown).toEqual(expected);
});

test.each<
  [what: string, file: string, reading: Partial<SuppressionFileOptions>, expected: readonly string[]]
>([
  [
    'tags of a person are not what Mailgun means by tags',
    'Email Address,First Name,TAGS,UNSUB_TIME\na@x.test,Ada,VIP,2026-03-02 09:00:00\nb@x.test,Bo,,\n',
    { name: 'unsubscribed_email_audience_export_1.csv' },
    ['a@x.test', 'b@x.test'],
  ],
  [
    'all mail and one tag are all mail',
    JSON.stringify({ items: [{ address: 'a@x.test', tags: ['*', 'news'], created_at: AT }] }),
    { name: 'unsubscribes.json' },
    ['a@x.test'],
  ],
  ['a name that has “soft” in it', 'email\na@x.test\n', { name: 'microsoft-suppressions.csv' }, ['a@x.test']],
  ['a file of blocks', 'email\na@x.test\n', { name: 'suppression_blocks.csv' }, []],
  ['a file of soft bounces', 'email\na@x.test\n', { name: 'soft-bounces.csv' }, []],
  [
    'what the operator says of rows that would be left out',
    'email,reason\na@x.test,blocked\nb@x.test,wish\n',
    { reason: 'manual' },
    ['a@x.test', 'b@x.test'],
  ],
  [
    'a reason with a code, as Brevo tells it',
    JSON.stringify({ contacts: [{ email: 'a@x.test', reason: { code: 'hardBounce', message: '' } }] }),
    { name: 'brevo-blocked.json' },
    ['a@x.test'],
  ],
])('%s', (_what, file, reading, expected) => {
  expect(read(file, reading).rows.map(({ email }) => email)).toEqual(expected);
});

test('what stays off the list is told', () => {
  expect(
    read('[{"email":"a@x.test","reason":"soft-bounce"},{"email":"b@x.test","reason":"wish"},{"email":"c"}]'),
  ).toEqual({
    rows: [],
    refused: 3,
    errors: [
      { line: 1, message: 'is not a permanent bounce' },
      { line: 2, message: 'has no known reason' },
      { line: 3, message: 'is not an email address' },
    ],
  });
});

test('lines that say nothing are told of by their number, and cost the others nothing', () => {
  const { rows, errors } = read(
    'email,reason\nnobody,\n"a@x.test\n",manual\nb@x.test,wish\nc@x.test,manual\n',
  );
  expect(rows.map(({ email }) => email)).toEqual(['a@x.test', 'c@x.test']);
  expect(errors).toEqual([
    { line: 2, message: 'is not an email address' },
    { line: 5, message: 'has no known reason' },
  ]);
});

test('lists within lists beyond any service’s hold no address', () => {
  expect(read('['.repeat(5_000) + ']'.repeat(5_000))).toMatchObject({ rows: [], refused: 1 });
});

test('every refused line is counted, and the first are told of', () => {
  const { rows, refused, errors } = readSuppressionFile(`email\n${'nobody\n'.repeat(250)}a@x.test\n`, {
    most: 1_000,
  });
  expect([rows.length, refused, errors.length]).toEqual([1, 250, 100]);
});

test('a reason that is the name of what every object has is none', () => {
  expect(read('email,reason\na@x.test,constructor\nb@x.test,__proto__\n')).toMatchObject({
    rows: [],
    refused: 2,
  });
});

test('a note is cut between characters, and a long cell is read', () => {
  const note = `${'x'.repeat(499)}😀`;
  expect(read(`email,note\na@x.test,${note}`).rows[0]?.note).toBe('x'.repeat(499));
  expect(read(`email,note\na@x.test,"${'x'.repeat(40_000_000)}"`).rows[0]?.note).toBe('x'.repeat(500));
});

test.each(["'=1+1", "''@x", '=1', "it's", "'quoted'"])('a note %j comes back as it was', (note) => {
  const row = { address: 'a@x.test', reason: 'manual', since: new Date(0), note } as Suppression;
  expect(read(write([row])).rows[0]?.note).toBe(note);
});

test.each([
  ['', 'a column named email'],
  ['name\nada', 'a column named email'],
  ['{"name":"ada"}', 'a column named email'],
  ['{"email":', 'malformed JSON'],
  [JSON.stringify(Array.from({ length: 6 }, () => ({ email: 'a@x.test' }))), 'at most 5 rows'],
  ['email\n"ada@x.test', 'not valid CSV on line 2'],
  ['email\nada"@x.test', 'not valid CSV on line 2'],
  [`email\n${'a@x.test\n'.repeat(6)}`, 'at most 5 rows'],
])('refuses %p', (csv, words) => {
  expect(() => read(csv)).toThrow(words);
});

test('what is written is read again, and runs in no spreadsheet', () => {
  const row: Suppression = {
    id: '1',
    address: "=cmd|'/c calc'!a1@x.test",
    reason: 'manual',
    since: new Date('2026-03-02T09:00:00.000Z'),
    by: 'm',
    emailLogId: null,
    note: '@sum(a1), "quoted"\n+1',
    removedAt: null,
    history: [],
  };
  const csv = write([row, { ...row, address: null }, { ...row, address: '+ada@x.test', note: null }]);
  expect(csv).toBe(
    'email,reason,since,note\r\n' +
      `'=cmd|'/c calc'!a1@x.test,manual,2026-03-02T09:00:00.000Z,"'@sum(a1), ""quoted""\n+1"\r\n` +
      `'+ada@x.test,manual,2026-03-02T09:00:00.000Z,\r\n`,
  );
  expect(read(csv).rows.at(-1)).toMatchObject({ email: '+ada@x.test', note: null });
});
