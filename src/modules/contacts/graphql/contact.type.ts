/** A contact as the dashboard sees it. */
import { ArgsType, Field, GraphQLISODateTime, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { IsIn, IsOptional, MaxLength } from 'class-validator';
import { connection, edge, PageArgs } from '../../../platform/graphql/connection.js';
import { JsonScalar } from '../../../platform/graphql/json.scalar.js';
import {
  CONTACT_SORTS,
  LONGEST_SEARCH,
  NEWEST_FIRST,
  SORT_ORDERS,
  type ContactSort,
  type SortOrder,
} from '../domain/contact-order.js';
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

@ObjectType('ContactEdge')
export class ContactEdgeType extends edge<ContactType>(() => ContactType) {}

@ObjectType('ContactConnection')
export class ContactConnectionType extends connection(() => ContactEdgeType) {
  @Field(() => Int) totalCount: number;
}

@ArgsType()
export class ContactsArgs extends PageArgs {
  @Field(() => String, {
    nullable: true,
    description: 'Part of external_id, email, first_name or last_name.',
  })
  @IsOptional()
  @MaxLength(LONGEST_SEARCH)
  search?: string | null;

  @Field(() => ContactSortField, { defaultValue: NEWEST_FIRST.by })
  @IsIn(CONTACT_SORTS)
  sortBy: ContactSort;

  @Field(() => SortDirection, { defaultValue: NEWEST_FIRST.order })
  @IsIn(SORT_ORDERS)
  sortOrder: SortOrder;
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
