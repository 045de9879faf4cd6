/** A recorded change of permissions, or of a setting that applies to a whole workspace. */
import type { JsonObject } from '../../../kernel/json.js';

export const AUDIT_ACTIONS = [
  'member_invited',
  'invitation_resent',
  'invitation_revoked',
  'invitation_accepted',
  'member_role_changed',
  'member_deactivated',
  'member_activated',
  'ownership_transferred',
  'settings_changed',
  'sender_changed',
  'company_changed',
  'went_live',
  'billing_changed',
  'subscription_confirmed',
  'workspace_deletion_ordered',
  'workspace_deletion_taken_back',
  'rate_limits_changed',
  'api_key_created',
  'api_key_rotated',
  'api_key_revoked',
  'topic_created',
  'topic_changed',
  'promotional_mail_resumed',
  'domain_added',
  'domain_removed',
  'domain_status_changed',
  'domain_key_rotation_begun',
  'domain_key_rotated',
  'inspect_override_created',
  'migration_started',
  'migration_resumed',
  'migration_cancelled',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The content of a recorded change. */
export interface AuditChange {
  readonly action: AuditAction;
  /** The id of the changed record: a member, a key, a domain, a template, a migration, the workspace. */
  readonly subjectId: string;
  /** The values before and after; null if the record did not, or does not, exist. */
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

export interface AuditEntry extends AuditChange {
  readonly id: string;
  readonly at: Date;
  /**
   * A member's id, `api_key:` and a key's id, `operator` for the command line, `billing`, or `system` for a change that
   * no caller requested.
   */
  readonly actor: string;
  /** The network of the request; null for the command line. */
  readonly network: string | null;
}
