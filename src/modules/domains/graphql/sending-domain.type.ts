/** A sending domain as the dashboard sees it, with the records that it needs. */
import { Field, GraphQLISODateTime, ID, ObjectType } from '@nestjs/graphql';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { usableUntil } from '../domain/domain-check.js';
import { readableName } from '../domain/domain-name.js';
import { reasonOf } from '../domain/domain-words.js';
import {
  RECORD_PURPOSES,
  RECORD_STATES,
  type RecordPurpose,
  type RecordState,
} from '../domain/dns-record.js';
import {
  DOMAIN_STATUSES,
  findingOf,
  HELD,
  keyIn,
  recordsOfDomain,
  type DomainStatus,
  type SendingDomain,
} from '../domain/sending-domain.js';

const StatusEnum = graphqlEnum(
  'SendingDomainStatus',
  DOMAIN_STATUSES,
  'pending: its records are awaited; verified: mail goes from it; failing: records are gone, and mail goes from it for ' +
    '72 hours more; unverified: they were gone for longer.',
);
const PurposeEnum = graphqlEnum('DomainRecordPurpose', RECORD_PURPOSES, 'What a record is for.');
const StateEnum = graphqlEnum(
  'DomainRecordState',
  RECORD_STATES,
  'unknown: it was not looked at yet, or the DNS did not tell.',
);

@ObjectType('SendingDomainRecord', { description: 'A record that is to be set in the DNS.' })
export class SendingDomainRecordType {
  @Field(() => PurposeEnum) purpose: RecordPurpose;
  @Field({ description: 'Whether mail goes from the domain only with it.' }) isRequired: boolean;
  @Field({ description: 'TXT or CNAME' }) type: string;
  @Field({ description: 'The whole name, without a dot at its end.' }) host: string;
  @Field() value: string;
  @Field({ description: 'What it is for, and when it may be left out.' }) note: string;
  @Field(() => StateEnum) state: RecordState;
  @Field(() => [String], { description: 'What stands there instead, or why the DNS did not tell.' })
  found: readonly string[];
  @Field(() => GraphQLISODateTime, { nullable: true, description: 'When it was looked at last.' })
  checkedAt: Date | null;
}

@ObjectType('SendingDomain', {
  description: 'A domain of the workspace’s own, from which its live mail goes.',
})
export class SendingDomainType {
  @Field(() => ID) id: string;
  @Field({ description: 'In lower case and in ASCII.' }) domain: string;
  @Field({ description: 'As people read it.' }) readableDomain: string;
  @Field(() => StatusEnum) status: DomainStatus;
  @Field(() => String, { nullable: true, description: 'What stands against it, in words.' }) reason:
    string | null;
  @Field(() => GraphQLISODateTime, { description: 'Since when it has its status.' }) statusSince: Date;
  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'Of a failing one, until when mail goes from it.',
  })
  graceEndsAt: Date | null;
  @Field(() => GraphQLISODateTime, { nullable: true, description: 'When its records were right last.' })
  verifiedAt: Date | null;
  @Field(() => GraphQLISODateTime, { nullable: true }) checkedAt: Date | null;
  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When its records will be looked at next; null when nobody does so by itself any more.',
  })
  nextCheckAt: Date | null;
  @Field(() => String, {
    nullable: true,
    description: 'The selector of the key that signs; null until one does.',
  })
  signingSelector: string | null;
  @Field(() => [SendingDomainRecordType], { description: 'Those that it needs come first.' })
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
    reason: reasonOf(domain, sharedDomain),
    statusSince,
    graceEndsAt: usableUntil(domain),
    verifiedAt,
    checkedAt,
    nextCheckAt: checkAt,
    signingSelector: HELD.includes(status) ? (keyIn(domain, 'signing')?.selector ?? null) : null,
    records: recordsOfDomain(domain, sharedDomain).map((record) => {
      const { state, found } = findingOf(domain, record);
      return { ...record, state, found, checkedAt };
    }),
    createdAt,
  };
}
