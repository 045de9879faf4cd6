/** A contact in GraphQL. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { JsonScalar } from '../../../platform/input/json.scalar.js';
import type { Contact } from '../domain/contact.js';

@ObjectType('Contact')
export class ContactType {
  @Field(() => ID) id: string;
  @Field() externalId: string;
  @Field(() => String, { nullable: true }) email: string | null;
  @Field(() => String, { nullable: true }) phone: string | null;
  @Field(() => String, { nullable: true }) firstName: string | null;
  @Field(() => String, { nullable: true }) lastName: string | null;
  @Field(() => String, { nullable: true }) productType: string | null;
  @Field() subscriptionStatus: string;
  @Field(() => String, { nullable: true }) timezone: string | null;
  @Field(() => String, { nullable: true }) locale: string | null;
  @Field(() => JsonScalar) properties: unknown;
  @Field(() => [String]) tags: readonly string[];
  @Field(() => GraphQLISODateTime) createdAt: Date;
  @Field(() => GraphQLISODateTime) updatedAt: Date;
}

@ObjectType('ContactEdge')
export class ContactEdgeType extends edge<ContactType>(() => ContactType) {}

@ObjectType('ContactConnection')
export class ContactConnectionType extends connection(() => ContactEdgeType) {
  @Field(() => Int) totalCount: number;
}

export function contactType(contact: Contact): ContactType {
  return {
    id: contact.id,
    externalId: contact.externalId,
    email: contact.email,
    phone: contact.phone,
    firstName: contact.firstName,
    lastName: contact.lastName,
    productType: contact.productType,
    subscriptionStatus: contact.subscriptionStatus,
    timezone: contact.timezone,
    locale: contact.locale,
    properties: contact.properties,
    tags: contact.tags,
    createdAt: contact.createdAt,
    updatedAt: contact.updatedAt,
  };
}
