/** Decides from DNS answers whether a record is correct. Reads it as mail servers do, and no stricter. */
import {
  dnsQuestionKey,
  organisationPolicy,
  type DnsAnswer,
  type DnsQuestion,
  type DnsRecord,
  type RecordFinding,
  type RecordState,
} from './dns-record.js';

/** Answers by the key of their query. */
export type DnsAnswers = ReadonlyMap<string, DnsAnswer>;

/** Maximum number of a record's values that are shown, and of characters of each. */
const MAX_SHOWN_VALUES = 5;
const MAX_SHOWN_CHARS = 500;

type Judgement = Pick<RecordFinding, 'state' | 'found'>;

const OK: Judgement = { state: 'ok', found: [] };
const MISSING: Judgement = { state: 'missing', found: [] };
const wrong = (values: readonly string[]): Judgement => ({ state: 'wrong', found: presentable(values) });

/** The result of checking a record. */
export function judgeRecord(record: DnsRecord, answers: DnsAnswers): RecordFinding {
  const { type, host } = record;
  return { type, host, ...judgementOf(record, answers) };
}

function judgementOf(record: DnsRecord, answers: DnsAnswers): Judgement {
  const answerTo = (type: DnsQuestion['type'], host = record.host): DnsAnswer =>
    answers.get(dnsQuestionKey({ type, host })) ?? { kind: 'failed', code: 'not asked' };
  switch (record.purpose) {
    case 'ownership':
      return judgeAnswer(answerTo('TXT'), (values) =>
        values.some((value) => value.trim() === record.value) ? OK : wrong(values),
      );
    case 'dkim':
      return judgeAnswer(answerTo('TXT'), (values) => dkim(record.value, values));
    case 'return_path':
      return returnPath(record.value, answerTo('CNAME'), answerTo('MX'));
    case 'spf':
      return judgeAnswer(answerTo('TXT'), (values) => spf(record, values, answerTo('CNAME')));
    case 'dmarc': {
      const own = judgeAnswer(answerTo('TXT'), dmarc);
      if (own.state !== 'missing') return own;
      return judgeAnswer(answerTo('TXT', organisationPolicy(record.host)), dmarc);
    }
  }
}

function judgeAnswer(answer: DnsAnswer, judgeValues: (values: readonly string[]) => Judgement): Judgement {
  if (answer.kind === 'failed') return { state: 'unknown', found: [`DNS: ${answer.code}`] };
  return answer.kind === 'none' ? MISSING : judgeValues(answer.values);
}

/** RFC 6376, 3.6.1: a verifier that finds several records may use any of them, so there must be exactly one. */
function dkim(expected: string, values: readonly string[]): Judgement {
  const [only, ...more] = values;
  if (only === undefined) return MISSING;
  if (more.length > 0) return wrong(values);
  const tags = tagsOf(only);
  const isKey =
    (tags.get('v') ?? 'DKIM1') === 'DKIM1' &&
    (tags.get('k') ?? 'rsa') === 'rsa' &&
    acceptsSha256(tags.get('h')) &&
    ['*', 'email'].some((service) => (tags.get('s') ?? '*').split(':').includes(service));
  return isKey && withoutSpace(tags.get('p')) === tagsOf(expected).get('p') ? OK : wrong(values);
}

function acceptsSha256(hashes: string | undefined): boolean {
  return hashes === undefined || withoutSpace(hashes).split(':').includes('sha256');
}

function returnPath(target: string, cname: DnsAnswer, mx: DnsAnswer): Judgement {
  const isTarget = (value: string): boolean => value.toLowerCase().replace(/\.$/, '') === target;
  const values = [cname, mx].flatMap((answer) => (answer.kind === 'values' ? answer.values : []));
  if (values.some(isTarget)) return OK;
  const failed = [cname, mx].find((answer) => answer.kind === 'failed');
  if (failed) return judgeAnswer(failed, wrong);
  return values.length > 0 ? wrong(values) : MISSING;
}

/** RFC 7208: exactly one record. Behind the CNAME, the record is the operator's, who decides which servers send. */
function spf({ value }: DnsRecord, values: readonly string[], cname: DnsAnswer): Judgement {
  const policies = values.filter((text) => /^v=spf1(?: |$)/i.test(text));
  const [policy, ...more] = policies;
  if (policy === undefined) return MISSING;
  if (more.length > 0) return wrong(policies);
  if (cname.kind === 'values') return OK;
  const [, include = ''] = /include:(\S+)/.exec(value) ?? [];
  const terms = policy.toLowerCase().split(/ +/);
  const passes = [`include:${include}`, `+include:${include}`, `redirect=${include}`];
  return terms.some((term) => passes.includes(term.replace(/\.$/, ''))) ? OK : wrong(policies);
}

/** RFC 7489, 6.6.3: more than one policy counts as none. */
function dmarc(values: readonly string[]): Judgement {
  const policies = values.filter((text) => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text));
  const [policy, ...more] = policies;
  if (policy === undefined) return MISSING;
  const isPolicy = ['none', 'quarantine', 'reject'].includes((tagsOf(policy).get('p') ?? '').toLowerCase());
  return more.length === 0 && isPolicy ? OK : wrong(policies);
}

/** `tag=value` pairs separated by semicolons; a duplicate tag makes the list invalid. */
function tagsOf(text: string): Map<string, string> {
  const tags = new Map<string, string>();
  for (const part of text.split(';')) {
    const at = part.indexOf('=');
    if (at === -1) continue;
    tags.set(part.slice(0, at).trim(), part.slice(at + 1).trim());
  }
  return tags;
}

function withoutSpace(text: string | undefined): string {
  return (text ?? '').replace(/\s+/g, '');
}

/** Values that others control, made safe to store and show. */
function presentable(values: readonly string[]): string[] {
  return values.slice(0, MAX_SHOWN_VALUES).map((value) => {
    const clean = value.toWellFormed().replace(/\p{Cc}+/gu, ' ');
    return clean.length > MAX_SHOWN_CHARS ? `${clean.slice(0, MAX_SHOWN_CHARS).toWellFormed()}…` : clean;
  });
}

/** Whether all of the states are `ok`; undefined while that is not known. */
export function areAllOk(states: readonly RecordState[]): boolean | undefined {
  if (states.some((state) => state === 'missing' || state === 'wrong')) return false;
  return states.every((state) => state === 'ok') ? true : undefined;
}
