import { dnsQuestionKey, questionsOf, recordsOf, type DnsAnswer, type RecordPurpose } from './dns-record.js';
import { areAllOk, judgeRecord } from './judge-record.js';

const RECORDS = recordsOf({
  domain: 'news.acme.test',
  token: 'token',
  keys: [{ selector: 'w1', publicKey: 'MIIB', note: '' }],
  sharedDomain: 'mail.host.test',
});

/** TXT values of the record's host, or answers by their question. */
type Zone = Readonly<Record<string, DnsAnswer | readonly string[]>>;

function found(purpose: RecordPurpose, zone: Zone): unknown[] {
  const record = RECORDS.find((each) => each.purpose === purpose);
  if (!record) throw new Error('There is no such record.');
  const answers = new Map(
    questionsOf([record]).map((question): [string, DnsAnswer] => {
      const answer = zone[dnsQuestionKey(question)] ?? { kind: 'none' };
      return [dnsQuestionKey(question), 'kind' in answer ? answer : { kind: 'values', values: answer }];
    }),
  );
  if (purpose === 'spf') answers.set(cname, cnameOf(zone));
  const { state, found: values } = judgeRecord(record, answers);
  return [state, ...values];
}
const cname = 'CNAME bounces.news.acme.test';
const mx = 'MX bounces.news.acme.test';
function cnameOf(zone: Zone): DnsAnswer {
  const answer = zone[cname] ?? { kind: 'none' };
  return 'kind' in answer ? answer : { kind: 'values', values: answer };
}
const FAILED: DnsAnswer = { kind: 'failed', code: 'servfail' };

test.each<[RecordPurpose, Zone, unknown[]]>([
  ['ownership', {}, ['missing']],
  ['ownership', { 'TXT _waypost.news.acme.test': ['waypost-verification=token'] }, ['ok']],
  ['ownership', { 'TXT _waypost.news.acme.test': ['other', 'waypost-verification=token'] }, ['ok']],
  [
    'ownership',
    { 'TXT _waypost.news.acme.test': ['waypost-verification=Token'] },
    ['wrong', 'waypost-verification=Token'],
  ],
  ['ownership', { 'TXT _waypost.news.acme.test': FAILED }, ['unknown', 'DNS: servfail']],
  ['return_path', {}, ['missing']],
  ['return_path', { [cname]: ['Mail.Host.test.'] }, ['ok']],
  ['return_path', { [mx]: ['backup.test', 'mail.host.test'] }, ['ok']],
  ['return_path', { [cname]: ['else.test'] }, ['wrong', 'else.test']],
  ['return_path', { [cname]: FAILED }, ['unknown', 'DNS: servfail']],
  ['spf', {}, ['missing']],
  ['spf', { 'TXT bounces.news.acme.test': ['v=spf1 include:mail.host.test ~all'] }, ['ok']],
  ['spf', { 'TXT bounces.news.acme.test': ['V=SPF1 a +include:Mail.Host.test -all', 'other'] }, ['ok']],
  ['spf', { 'TXT bounces.news.acme.test': ['v=spf1 redirect=mail.host.test'] }, ['ok']],
  ['spf', { 'TXT bounces.news.acme.test': ['v=spf1 a -all'], [cname]: ['mail.host.test'] }, ['ok']],
  ['spf', { 'TXT bounces.news.acme.test': ['v=spf1 a -all'] }, ['wrong', 'v=spf1 a -all']],
  [
    'spf',
    { 'TXT bounces.news.acme.test': ['v=spf1 -include:mail.host.test ~all'] },
    ['wrong', 'v=spf1 -include:mail.host.test ~all'],
  ],
  ['spf', { 'TXT bounces.news.acme.test': ['v=spf10 a'] }, ['missing']],
  ['spf', { 'TXT bounces.news.acme.test': ['v=spf1 a', 'v=spf1 b'] }, ['wrong', 'v=spf1 a', 'v=spf1 b']],
  ['dmarc', {}, ['missing']],
  ['dmarc', { 'TXT _dmarc.news.acme.test': ['v=DMARC1; p=reject; rua=mailto:a@b.c'] }, ['ok']],
  ['dmarc', { 'TXT _dmarc.acme.test': ['v=DMARC1;p=quarantine'] }, ['ok']],
  ['dmarc', { 'TXT _dmarc.news.acme.test': ['v=DMARC1; p=all'] }, ['wrong', 'v=DMARC1; p=all']],
  ['dmarc', { 'TXT _dmarc.news.acme.test': ['v=DMARC1'] }, ['wrong', 'v=DMARC1']],
  [
    'dmarc',
    { 'TXT _dmarc.news.acme.test': ['v=DMARC1; p=none', 'v=DMARC1; p=none'] },
    ['wrong', 'v=DMARC1; p=none', 'v=DMARC1; p=none'],
  ],
])('%s of %j is %j', (purpose, zone, expected) => expect(found(purpose, zone)).toEqual(expected));

const dkim = (...values: string[]): unknown[] =>
  found('dkim', { 'TXT w1._domainkey.news.acme.test': values });

test.each([
  'v=DKIM1; k=rsa; p=MIIB',
  'p=MIIB',
  'v=DKIM1;p=MI IB;',
  'v=DKIM1; h=sha1:sha256; s=email; t=y; p=MIIB',
  'k=rsa; s=*; p=MIIB',
])('the key %s is ours', (value) => expect(dkim(value)).toEqual(['ok']));

test.each([
  'v=DKIM1; k=rsa; p=MIIA',
  'v=DKIM1; k=rsa; p=',
  'v=DKIM1; k=ed25519; p=MIIB',
  'v=DKIM2; p=MIIB',
  'v=DKIM1; h=sha1; p=MIIB',
  'v=DKIM1; s=tlsrpt; p=MIIB',
  'nonsense',
])('the key %s is not', (value) => expect(dkim(value)).toEqual(['wrong', value]));

test('of two keys at one place a receiver takes either, so neither will do', () =>
  expect(dkim('p=MIIB', 'p=MIIA')).toEqual(['wrong', 'p=MIIB', 'p=MIIA']));

test('what strangers write is kept short, and without what a reader would act upon', () => {
  const values = ['a\0\u001b[31mb\r\nc', '\ud800', 'x'.repeat(5_000), '4', '5', '6'];
  const [, first, second, third, ...rest] = dkim(...values) as string[];
  expect(first).toBe('a [31mb c');
  expect(second).toBe('\ufffd');
  expect(third).toBe(`${'x'.repeat(500)}…`);
  expect(rest).toEqual(['4', '5']);
});

test('a domain is proven when every record is right, and not proven when one certainly is not', () => {
  expect(areAllOk(['ok', 'ok'])).toBe(true);
  expect(areAllOk(['ok', 'unknown'])).toBeUndefined();
  expect(areAllOk(['unknown', 'missing'])).toBe(false);
  expect(areAllOk(['ok', 'wrong'])).toBe(false);
});
