/** A sending domain as the dashboard shows it, with its required records. */
import { Field, GraphQLISODateTime, ID, ObjectType } from '@nestjs/graphql';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { usableUntil } from '../domain/domain-check.js';
import { readableName } from '../domain/domain-name.js';
import { domainStatusReason } from '../domain/domain-messages.js';
import {
  RECORD_PURPOSES,
  RECORD_STATES,
  type RecordPurpose,
  type RecordState,
} from '../domain/dns-record.js';
import {
  DOMAIN_STATUSES,
  findingOf,
  USABLE_STATUSES,
  keyIn,
  recordsOfDomain,
  type DomainStatus,
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

@ObjectType('SendingDomainRecord', { description: 'A DNS record to publish.' })
export class SendingDomainRecordType {
  @Field(() => PurposeEnum) purpose: RecordPurpose;
  @Field({ description: 'Whether the domain needs this record before mail is sent from it.' })
  isRequired: boolean;
  @Field({ description: 'TXT or CNAME' }) type: string;
  @Field({ description: 'The full host name, without a trailing dot.' }) host: string;
  @Field() value: string;
  @Field({ description: 'What the record is for and when it can be omitted.' }) note: string;
  @Field(() => StateEnum) state: RecordState;
  @Field(() => [String], { description: 'The values found in DNS instead, or the reason the lookup failed.' })
  found: readonly string[];
  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When the record was last checked. Null if it has not been checked.',
  })
  checkedAt: Date | null;
}

@ObjectType('SendingDomain', {
  description: 'A domain owned by the workspace, from which its live mail is sent.',
})
export class SendingDomainType {
  @Field(() => ID) id: string;
  @Field({ description: 'In lower case and in ASCII (Punycode).' }) domain: string;
  @Field({ description: 'The domain in its Unicode form.' }) readableDomain: string;
  @Field(() => StatusEnum) status: DomainStatus;
  @Field(() => String, {
    nullable: true,
    description: 'What is wrong with the domain, as text. Null if nothing is.',
  })
  reason: string | null;
  @Field(() => GraphQLISODateTime, { description: 'When the domain entered its current status.' })
  statusSince: Date;
  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When mail stops being sent from a failing domain. Null for other statuses.',
  })
  graceEndsAt: Date | null;
  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When all required records were last found. Null if never.',
  })
  verifiedAt: Date | null;
  @Field(() => GraphQLISODateTime, { nullable: true }) checkedAt: Date | null;
  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When the records are checked next. Null if no automatic check is due.',
  })
  nextCheckAt: Date | null;
  @Field(() => String, {
    nullable: true,
    description: 'The selector of the key that signs mail. Null until a key is active.',
  })
  signingSelector: string | null;
  @Field(() => [SendingDomainRecordType], { description: 'DNS records of the domain, required ones first.' })
  records: SendingDomainRecordType[];
  @Field(() => GraphQLISODateTime) createdAt: Date;
}

@ObjectType('SendingDomainEdge')
export class SendingDomainEdgeType extends edge<SendingDomainType>(() => SendingDomainType) {}

@ObjectType('SendingDomainConnection')
export class SendingDomainConnectionType extends connection(() => SendingDomainEdgeType) {}

export function sendingDomainTypeOf(domain: SendingDomain, sharedDomain: string): SendingDomainType {
  const { id, status, statusSince, verifiedAt, checkedAt, checkAt, createdAt } = domain;
  return {
    id,
    domain: domain.domain,
    readableDomain: readableName(domain.domain),
    status,
    reason: domainStatusReason(domain, sharedDomain),
    statusSince,
    graceEndsAt: usableUntil(domain),
    verifiedAt,
    checkedAt,
    nextCheckAt: checkAt,
    signingSelector: USABLE_STATUSES.includes(status) ? (keyIn(domain, 'signing')?.selector ?? null) : null,
    records: recordsOfDomain(domain, sharedDomain).map((record) => {
      const { state, found } = findingOf(domain, record);
      return { ...record, state, found, checkedAt };
    }),
    createdAt,
  };
}
