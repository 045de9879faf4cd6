/** A suppressed address in GraphQL. */
import { Field, GraphQLISODateTime, ID, ObjectType } from '@nestjs/graphql';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { maskEmails } from '../../contacts/domain/masking.js';
import {
  SUPPRESSION_CHANGES,
  type Suppression,
  type SuppressionChangeKind,
  type SuppressionReason,
} from '../domain/suppression.js';
import { SuppressionReasonEnum } from '../input/suppression.input.js';

const SuppressionChangeEnum = graphqlEnum(
  'SuppressionChangeKind',
  SUPPRESSION_CHANGES,
  'What was done with a suppressed address.',
);

@ObjectType('SuppressionChange')
export class SuppressionChangeType {
  @Field(() => SuppressionChangeEnum) kind: SuppressionChangeKind;
  @Field(() => GraphQLISODateTime) at: Date;
  @Field({
    description:
      'Who made the change: a member ID, an API key ID, `operator` for the command line, or `provider` for a ' +
      'reported bounce or complaint.',
  })
  by: string;
  @Field(() => SuppressionReasonEnum, {
    nullable: true,
    description: 'Why the address was added. Null for a removal.',
  })
  reason: SuppressionReason | null;
  @Field(() => String, { nullable: true }) note: string | null;
  @Field(() => ID, {
    nullable: true,
    description: 'ID of the message that caused the suppression. Null if none did.',
  })
  emailLogId: string | null;
}

@ObjectType('Suppression', { description: 'An address that receives no mail.' })
export class SuppressionType {
  @Field(() => ID) id: string;
  @Field(() => String, {
    nullable: true,
    description: 'The address, masked without contacts:read. Null once its contact is erased.',
  })
  address: string | null;
  @Field(() => SuppressionReasonEnum) reason: SuppressionReason;
  @Field(() => GraphQLISODateTime) since: Date;
  @Field({ description: 'Who added the address, in the same form as in the history.' }) by: string;
  @Field(() => ID, {
    nullable: true,
    description: 'ID of the message that caused the suppression. Null if none did.',
  })
  emailLogId: string | null;
  @Field(() => String, { nullable: true }) note: string | null;
  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When the address was removed from the list. Null while it is on the list.',
  })
  removedAt: Date | null;
  @Field(() => [SuppressionChangeType], { description: 'The latest 50 changes, oldest first.' })
  history: SuppressionChangeType[];
}

@ObjectType('SuppressionEdge')
export class SuppressionEdgeType extends edge<SuppressionType>(() => SuppressionType) {}

@ObjectType('SuppressionConnection')
export class SuppressionConnectionType extends connection(() => SuppressionEdgeType) {}

/** @param showsAddresses whether the caller may read contacts. */
export function suppressionTypeOf(suppression: Suppression, showsAddresses: boolean): SuppressionType {
  const { address, note, history, ...rest } = suppression;
  const masked = <Value extends string | null>(text: Value): Value | string =>
    text === null || showsAddresses ? text : maskEmails(text);
  return {
    ...rest,
    address: masked(address),
    note: masked(note),
    history: history.map((change) => ({ ...change, note: masked(change.note) })),
  };
}
