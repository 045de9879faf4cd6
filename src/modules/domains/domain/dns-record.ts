/** The DNS records that a workspace sets for a domain, and the result of checking them. */
import { organisationOf } from './domain-name.js';

export const RECORD_PURPOSES = ['ownership', 'dkim', 'return_path', 'spf', 'dmarc'] as const;
export type RecordPurpose = (typeof RECORD_PURPOSES)[number];

export type RecordType = 'TXT' | 'CNAME' | 'MX';

/** A DNS query. */
export interface DnsQuestion {
  readonly type: RecordType;
  readonly host: string;
}

/** A DNS answer: values, that there are none, or that neither could be determined. */
export type DnsAnswer =
  | { readonly kind: 'values'; readonly values: readonly string[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly code: string };

/** A record as the owner has to set it. */
export interface DnsRecord extends DnsQuestion {
  readonly purpose: RecordPurpose;
  /** Whether the domain cannot be used without it. */
  readonly isRequired: boolean;
  readonly value: string;
  /** What it is for, and when it may be omitted. */
  readonly note: string;
}

export const RECORD_STATES = ['missing', 'wrong', 'ok', 'unknown'] as const;
/** `unknown`: not checked yet, or the DNS gave no answer. */
export type RecordState = (typeof RECORD_STATES)[number];

/** The result of checking a record. */
export interface RecordFinding extends DnsQuestion {
  readonly state: RecordState;
  /** The values found in its place, or why the DNS gave no answer; empty if the record is correct or missing. */
  readonly found: readonly string[];
}

/** The values from which the records of a domain are made. */
export interface RecordPlan {
  readonly domain: string;
  readonly token: string;
  /** The first key signs. */
  readonly keys: readonly { readonly selector: string; readonly publicKey: string; readonly note: string }[];
  /** SHARED_SENDING_DOMAIN: it receives bounces, and its SPF record lists the sending servers. */
  readonly sharedDomain: string;
}

/** The host of the envelope sender, through which bounces reach the operator. */
export function returnPathOf(domain: string): string {
  return `bounces.${domain}`;
}

/** The host name of a key's record. */
export function dkimHost(selector: string, domain: string): string {
  return `${selector}._domainkey.${domain}`;
}

/** @param publicKey SubjectPublicKeyInfo in base64. */
export function dkimValue(publicKey: string): string {
  return `v=DKIM1; k=rsa; p=${publicKey}`;
}

/** Every record of a domain, required ones first. */
export function recordsOf({ domain, token, keys, sharedDomain }: RecordPlan): DnsRecord[] {
  return [
    {
      purpose: 'ownership',
      isRequired: true,
      type: 'TXT',
      host: `_waypost.${domain}`,
      value: `waypost-verification=${token}`,
      note: 'Proves that you own the domain. Keep this record.',
    },
    ...keys.map(({ selector, publicKey, note }, index): DnsRecord => ({
      purpose: 'dkim',
      isRequired: index === 0,
      type: 'TXT',
      host: dkimHost(selector, domain),
      value: dkimValue(publicKey),
      note,
    })),
    {
      purpose: 'return_path',
      isRequired: false,
      type: 'CNAME',
      host: returnPathOf(domain),
      value: sharedDomain,
      note:
        `Routes bounces to the service and makes SPF pass for your domain. An MX record to ${sharedDomain} also ` +
        'works.',
    },
    {
      purpose: 'spf',
      isRequired: false,
      type: 'TXT',
      host: returnPathOf(domain),
      value: `v=spf1 include:${sharedDomain} ~all`,
      note: 'Only needed if you use an MX record instead of the CNAME for the return path.',
    },
    {
      purpose: 'dmarc',
      isRequired: false,
      type: 'TXT',
      host: `_dmarc.${domain}`,
      value: 'v=DMARC1; p=none',
      note: 'Any policy works, including one on the organizational domain.',
    },
  ];
}

/** The queries needed to judge the records, each once. */
export function questionsOf(records: readonly DnsRecord[]): DnsQuestion[] {
  const questions = records.flatMap(({ purpose, type, host }): DnsQuestion[] => {
    if (purpose === 'return_path')
      return [
        { type: 'CNAME', host },
        { type: 'MX', host },
      ];
    if (purpose === 'dmarc')
      return [
        { type, host },
        { type, host: organisationPolicy(host) },
      ];
    return [{ type, host }];
  });
  return [...new Map(questions.map((question) => [dnsQuestionKey(question), question])).values()];
}

/** The host name of a policy that covers all domains of the organisation. */
export function organisationPolicy(host: string): string {
  return `_dmarc.${organisationOf(host.replace(/^_dmarc\./, ''))}`;
}

export function dnsQuestionKey({ type, host }: DnsQuestion): string {
  return `${type} ${host}`;
}
