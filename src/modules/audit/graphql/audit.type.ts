/** GraphQL types of audit entries. */
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
      'Who made the change: a member ID, `api_key:` followed by a key ID, `operator` for the command line, or ' +
      '`system` for automatic changes.',
  })
  actor: string;

  @Field(() => String, {
    nullable: true,
    description: 'The network the request came from. Null for the command line.',
  })
  network: string | null;

  @Field(() => AuditActionEnum) action: AuditAction;
  @Field(() => ID, { description: 'ID of the changed record.' }) subjectId: string;
  @Field(() => String, { nullable: true, description: 'Slug of the affected template.' })
  template: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The reason given for the change. Null if none was required.',
  })
  reason: string | null;
  @Field(() => JsonScalar, { nullable: true, description: 'The previous value. Null if there was none.' })
  before: JsonObject | null;
  @Field(() => JsonScalar, { nullable: true, description: 'The new value. Null if it was removed.' })
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
