/** Entries of the audit log in GraphQL. */
import type { JsonObject } from '../../../kernel/json.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { connection } from '../../../platform/output/pages.js';
import { AUDIT_ACTIONS, type AuditEntry } from '../domain/audit-entry.js';

const AuditActionEnum = graphqlEnum('AuditAction', AUDIT_ACTIONS);

@Output({ graphql: 'AuditEntry' })
export class AuditEntryOutput {
  @Out('ID') id: string;
  @Out('DateTime') at: Date;
  @Out('String', {
    description:
      'Who made the change: a member ID, `api_key:` followed by a key ID, `operator` for the command line, or ' +
      '`system` for automatic changes.',
  })
  actor: string;
  @Out('String', {
    nullable: true,
    description: 'The network the request came from. Null for the command line.',
  })
  network: string | null;
  @Out(oneOf(AUDIT_ACTIONS, AuditActionEnum)) action: string;
  @Out('ID', { description: 'ID of the changed record.' }) subjectId: string;
  @Out('String', { nullable: true, description: 'Slug of the affected template.' }) template: string | null;
  @Out('String', {
    nullable: true,
    description: 'The reason given for the change. Null if none was required.',
  })
  reason: string | null;
  @Out('JSON', { nullable: true, description: 'The previous value. Null if there was none.' })
  before: JsonObject | null;
  @Out('JSON', { nullable: true, description: 'The new value. Null if it was removed.' })
  after: JsonObject | null;
}

export const AuditEntryConnection = connection('AuditEntry', AuditEntryOutput);

export function auditEntryOutput(entry: AuditEntry): AuditEntryOutput {
  const { templateSlug, reason } = entry.after ?? {};
  return { ...entry, template: textOrNull(templateSlug), reason: textOrNull(reason) };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
