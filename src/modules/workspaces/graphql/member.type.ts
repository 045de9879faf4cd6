/** Members in GraphQL, section 2.1. */
import { Field, GraphQLISODateTime, ID, ObjectType } from '@nestjs/graphql';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { ROLES, type Role } from '../../../kernel/principal.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import type { Member } from '../domain/member.js';

const MemberRoleEnum = graphqlEnum('MemberRole', ROLES);

@ObjectType('Member')
export class MemberType {
  @Field(() => ID) id: string;
  @Field({ description: 'Can be an empty string.' }) name: string;
  @Field() email: string;
  @Field(() => MemberRoleEnum) role: Role;
  @Field({ description: 'False for pending invitations and deactivated members.' }) isActive: boolean;
  @Field(() => GraphQLISODateTime) createdAt: Date;
  @Field(() => GraphQLISODateTime, { nullable: true, description: 'Null while the invitation is pending.' })
  inviteAcceptedAt: Date | null;
}

@ObjectType('MemberEdge')
export class MemberEdgeType extends edge<MemberType>(() => MemberType) {}

@ObjectType('MemberConnection')
export class MemberConnectionType extends connection(() => MemberEdgeType) {}

export function memberTypeOf(member: Member): MemberType {
  const { id, name, email, role, isActive, createdAt, inviteAcceptedAt } = member;
  return { id, name, email, role, isActive, createdAt, inviteAcceptedAt };
}
