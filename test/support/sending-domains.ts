/**
 * Sending domains as GraphQL returns them, DNS records as a user would set them, and mail as a receiver verifies it.
 */
import { authenticate } from 'mailauth';
import type { DnsServer } from './dns-server.js';
import type { ReceivedMail } from './mail-sink.js';

const FIELDS = `id domain readableDomain status reason statusSince graceEndsAt verifiedAt checkedAt nextCheckAt signingSelector
  records { purpose isRequired type host value state found checkedAt }`;
export const ADD = `mutation ($domain: String!) { addSendingDomain(domain: $domain) { ${FIELDS} } }`;
export const CHECK = `mutation ($id: ID!) { checkSendingDomain(id: $id) { ${FIELDS} } }`;
export const ROTATE = `mutation ($id: ID!) { rotateSendingDomainKey(id: $id) { ${FIELDS} } }`;
export const REMOVE = 'mutation ($id: ID!) { removeSendingDomain(id: $id) }';
export const LIST = `{ sendingDomains(first: 50) { edges { node { ${FIELDS} } } } }`;

export interface ShownDomain {
  readonly id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly signingSelector: string | null;
  readonly records: readonly {
    readonly purpose: string;
    readonly type: 'TXT' | 'CNAME';
    readonly host: string;
    readonly value: string;
    readonly state: string;
    readonly found: readonly string[];
  }[];
  readonly [name: string]: unknown;
}

/** Sets the DNS records that the API shows, as a user would. */
export function setRecordsOf(
  dns: DnsServer,
  { records }: ShownDomain,
  purposes: readonly string[] = records.map(({ purpose }) => purpose),
): void {
  for (const { purpose, type, host, value } of records)
    // Records that the alias already provides must not be set next to it.
    if (purposes.includes(purpose) && purpose !== 'spf') dns.set(type, host, value);
}

export function recordOf(shown: ShownDomain, purpose: string): ShownDomain['records'][number] {
  const record = shown.records.find((each) => each.purpose === purpose);
  if (!record) throw new Error(`There is no record of ${purpose}.`);
  return record;
}

export function states({ records }: ShownDomain): Record<string, string> {
  return Object.fromEntries(records.map(({ purpose, state }) => [purpose, state]));
}

/** A receiver's verification results for a mail that this server sent. */
export async function judgedBy(
  dns: DnsServer,
  mail: ReceivedMail,
  server: { readonly ip: string; readonly helo: string },
) {
  return authenticate(mail.raw, {
    ...server,
    mta: 'mx.receiver.test',
    sender: mail.from,
    resolver: dns.resolver,
  });
}
