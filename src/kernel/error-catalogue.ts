/**
 * Every error code of the service with its status and body shape, section 7 of the specification. Clients branch on
 * these codes, so each code is defined only here.
 */

/**
 * - `plain`: `{detail, code, …fields}`.
 * - `bare`: `{detail, …fields}`: errors about members. The body has a code only where section 7.2 defines one for it
 *   (4.1); GraphQL always has the code.
 * - `nested`: `{detail: {code, message, …fields}}`, used by some flow errors.
 * - `forbidden`: `{error: "forbidden", reason, detail, …fields}`, used by scope, role and plane errors.
 */
export type ErrorShape = 'plain' | 'bare' | 'nested' | 'forbidden';

interface ErrorEntry {
  readonly status: number;
  readonly shape: ErrorShape;
}

const plain = (status: number): ErrorEntry => ({ status, shape: 'plain' });
const bare = (status: number): ErrorEntry => ({ status, shape: 'bare' });
const nested = (status: number): ErrorEntry => ({ status, shape: 'nested' });
const forbidden: ErrorEntry = { status: 403, shape: 'forbidden' };

export const ERROR_CATALOGUE = {
  invalid_api_key: plain(401),
  missing_api_key: plain(401),
  missing_workspace_id: plain(401),
  missing_token: plain(401),
  token_expired: plain(401),
  invalid_token: plain(401),
  invalid_signature: plain(401),
  missing_permission: forbidden,
  insufficient_scope: forbidden,
  scope_forbidden: forbidden,
  insufficient_role: forbidden,
  control_plane_only: forbidden,
  workspace_mismatch: plain(403),
  plan_limit_reached: plain(403),
  workspace_suspended: plain(403),
  validation_error: plain(400),
  invalid_email: plain(400),
  invalid_event_name: plain(400),
  invalid_filter_operator: plain(400),
  go_live_incomplete: plain(400),
  invalid_status: plain(400),
  query_too_costly: plain(400),
  template_report_read_only: plain(400),
  member_protected: bare(400),
  member_pending: bare(400),
  invalid_field: plain(422),
  invalid_date_param: nested(422),
  too_long: plain(422),
  too_short: plain(422),
  template_errors: plain(422),
  campaign_incomplete: plain(422),
  audience_not_confirmed: plain(422),
  inspection_blocked: plain(422),
  segment_too_costly: plain(422),
  simulation_too_large: plain(422),
  work_too_costly: plain(422),
  not_found: plain(404),
  contact_not_found: plain(404),
  flow_not_found: plain(404),
  goal_not_found: plain(404),
  flow_version_not_found: plain(404),
  template_not_found: plain(404),
  template_version_not_found: plain(404),
  segment_not_found: plain(404),
  campaign_not_found: plain(404),
  campaign_instance_not_found: plain(404),
  report_not_found: plain(404),
  schedule_not_found: plain(404),
  share_link_not_found: plain(404),
  topic_not_found: plain(404),
  inspect_job_not_found: plain(404),
  finding_not_found: plain(404),
  screenshot_not_found: plain(404),
  migration_not_found: plain(404),
  file_not_found: plain(404),
  email_log_not_found: plain(404),
  suppression_not_found: plain(404),
  member_not_found: bare(404),
  invitation_not_found: bare(404),
  method_not_allowed: plain(405),
  conflict: plain(409),
  member_exists: bare(409),
  duplicate_event: plain(409),
  duplicate_slug: plain(409),
  goal_event_name_conflict: nested(409),
  flow_has_inflight_trips: nested(409),
  schedule_exists: plain(409),
  share_link_expired: plain(410),
  payload_too_large: plain(413),
  unsupported_media_type: plain(415),
  rate_limit_exceeded: plain(429),
  internal_error: plain(500),
  auth_unavailable: plain(503),
  service_unavailable: plain(503),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;
