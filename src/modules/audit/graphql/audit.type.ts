/** Noted changes as the dashboard sees them. */
import { Field, GraphQLISODateTime, ID, ObjectType } from '@nestjs/graphql';
import type { JsonObject } from '../../../kernel/json.js';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { JsonScalar } from '../../../platform/input/json.scalar.js';
import { AUDIT_ACTIONS, type AuditAction, type AuditEntry } from '../domain/audit-entry.js';

const AuditActionEnum = graphqlEnum('AuditAction', AUDIT_ACTIONS);

@ObjectType('AuditEntry')
export class AuditEntryType {
  @Field(() => ID) id: string;
  @Field(() => GraphQLISODateTime) at: Date;
  @Field({
    description:
      'The id of a member, `api_key:` and the id of a key, `operator` on the command line, or `system` where nobody asked.',
  })
  actor: string;

  @Field(() => String, {
    nullable: true,
    description: 'The network that the request came from; null for the command line.',
  })
  network: string | null;

  @Field(() => AuditActionEnum) action: AuditAction;
  @Field(() => ID, { description: 'Of what was changed.' }) subjectId: string;
  @Field(() => String, { nullable: true, description: 'The slug of the template that it is about.' })
  template: string | null;
  @Field(() => String, { nullable: true, description: 'Why, where that was asked.' })
  reason: string | null;
  @Field(() => JsonScalar, { nullable: true, description: 'What it was; null where it was not.' })
  before: JsonObject | null;
  @Field(() => JsonScalar, { nullable: true, description: 'What it is since; null where it is no more.' })
  after: JsonObject | null;
}

export function auditEntryTypeOf(entry: AuditEntry): AuditEntryType {
  const { templateSlug, reason } = entry.after ?? {};
  return { ...entry, template: textOrNull(templateSlug), reason: textOrNull(reason) };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

@ObjectType('AuditEntryEdge')
export class AuditEntryEdgeType extends edge<AuditEntryType>(() => AuditEntryType) {}

@ObjectType('AuditEntryConnection')
export class AuditEntryConnectionType extends connection(() => AuditEntryEdgeType) {}
