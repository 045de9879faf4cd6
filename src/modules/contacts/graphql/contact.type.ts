/** A contact as the dashboard sees it. */
import { Field, GraphQLISODateTime, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { JsonScalar } from '../../../platform/graphql/json.scalar.js';
import type { ContactSort, SortOrder } from '../domain/contact-order.js';
import type { Contact } from '../domain/contact.js';

/** What the dashboard sorts contacts by. */
export const ContactSortField = {
  createdAt: 'createdAt',
  updatedAt: 'updatedAt',
  email: 'email',
  externalId: 'externalId',
  firstName: 'firstName',
  lastName: 'lastName',
} as const satisfies Readonly<Record<string, ContactSort>>;
registerEnumType(ContactSortField, { name: 'ContactSort' });

export const SortDirection = { asc: 'asc', desc: 'desc' } as const satisfies Readonly<
  Record<string, SortOrder>
>;
registerEnumType(SortDirection, { name: 'SortOrder' });

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

@ObjectType('ContactPage')
export class ContactPageType {
  @Field(() => [ContactType]) contacts: ContactType[];
  @Field(() => Int) total: number;
}

@ObjectType('ContactEdge')
export class ContactEdgeType {
  @Field(() => ContactType) node: ContactType;
  @Field() cursor: string;
}

@ObjectType('ContactPageInfo')
export class ContactPageInfoType {
  @Field() hasNextPage: boolean;
  @Field(() => String, { nullable: true }) endCursor: string | null;
}

@ObjectType('ContactConnection')
export class ContactConnectionType {
  @Field(() => [ContactEdgeType]) edges: ContactEdgeType[];
  @Field(() => ContactPageInfoType) pageInfo: ContactPageInfoType;
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
