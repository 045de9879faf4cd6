/** Sending domains and their DNS records in GraphQL. */
import { graphqlEnum } from '../../../platform/input/enums.js';
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { connection } from '../../../platform/output/pages.js';
import { RECORD_PURPOSES, RECORD_STATES } from '../domain/dns-record.js';
import { usableUntil } from '../domain/domain-check.js';
import { domainStatusReason } from '../domain/domain-messages.js';
import { readableName } from '../domain/domain-name.js';
import {
  DOMAIN_STATUSES,
  findingOf,
  keyIn,
  recordsOfDomain,
  USABLE_STATUSES,
  type SendingDomain,
} from '../domain/sending-domain.js';

const StatusEnum = graphqlEnum(
  'SendingDomainStatus',
  DOMAIN_STATUSES,
  'pending: waiting for its records; verified: mail is sent from it; failing: records are missing, but mail is sent ' +
    'from it for 72 more hours; unverified: records were missing for longer.',
);
const PurposeEnum = graphqlEnum('DomainRecordPurpose', RECORD_PURPOSES, 'The purpose of a record.');
const StateEnum = graphqlEnum(
  'DomainRecordState',
  RECORD_STATES,
  'unknown: not checked yet, or the DNS lookup failed.',
);

@Output({ graphql: 'SendingDomainRecord', description: 'A DNS record to publish.' })
class SendingDomainRecordOutput {
  @Out(oneOf(RECORD_PURPOSES, PurposeEnum)) purpose: string;
  @Out('Boolean', { description: 'Whether the domain needs this record before mail is sent from it.' })
  isRequired: boolean;
  @Out('String', { description: 'TXT or CNAME' }) type: string;
  @Out('String', { description: 'The full host name, without a trailing dot.' }) host: string;
  @Out('String') value: string;
  @Out('String', { description: 'What the record is for and when it can be omitted.' }) note: string;
  @Out(oneOf(RECORD_STATES, StateEnum)) state: string;
  @Out(['String'], { description: 'The values found in DNS instead, or the reason the lookup failed.' })
  found: readonly string[];
  @Out('DateTime', {
    nullable: true,
    description: 'When the record was last checked. Null if it has not been checked.',
  })
  checkedAt: Date | null;
}

@Output({
  graphql: 'SendingDomain',
  description: 'A domain owned by the workspace, from which its live mail is sent.',
})
export class SendingDomainOutput {
  @Out('ID') id: string;
  @Out('String', { description: 'In lower case and in ASCII (Punycode).' }) domain: string;
  @Out('String', { description: 'The domain in its Unicode form.' }) readableDomain: string;
  @Out(oneOf(DOMAIN_STATUSES, StatusEnum)) status: string;
  @Out('String', {
    nullable: true,
    description: 'What is wrong with the domain, as text. Null if nothing is.',
  })
  reason: string | null;
  @Out('DateTime', { description: 'When the domain entered its current status.' }) statusSince: Date;
  @Out('DateTime', {
    nullable: true,
    description: 'When mail stops being sent from a failing domain. Null for other statuses.',
  })
  graceEndsAt: Date | null;
  @Out('DateTime', {
    nullable: true,
    description: 'When all required records were last found. Null if never.',
  })
  verifiedAt: Date | null;
  @Out('DateTime', { nullable: true }) checkedAt: Date | null;
  @Out('DateTime', {
    nullable: true,
    description: 'When the records are checked next. Null if no automatic check is due.',
  })
  nextCheckAt: Date | null;
  @Out('String', {
    nullable: true,
    description: 'The selector of the key that signs mail. Null until a key is active.',
  })
  signingSelector: string | null;
  @Out([SendingDomainRecordOutput], { description: 'DNS records of the domain, required ones first.' })
  records: readonly SendingDomainRecordOutput[];
  @Out('DateTime') createdAt: Date;
}

export const SendingDomainConnection = connection('SendingDomain', SendingDomainOutput);

export function sendingDomainOutput(domain: SendingDomain, sharedDomain: string): SendingDomainOutput {
  const { status, checkedAt, checkAt } = domain;
  return {
    ...domain,
    readableDomain: readableName(domain.domain),
    reason: domainStatusReason(domain, sharedDomain),
    graceEndsAt: usableUntil(domain),
    nextCheckAt: checkAt,
    signingSelector: USABLE_STATUSES.includes(status) ? (keyIn(domain, 'signing')?.selector ?? null) : null,
    records: recordsOfDomain(domain, sharedDomain).map((record) => {
      const { state, found } = findingOf(domain, record);
      return { ...record, state, found, checkedAt };
    }),
  };
}
