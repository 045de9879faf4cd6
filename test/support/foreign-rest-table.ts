/**
 * What endpoints of REST say of ids and names that are not one's own (gate S1; section 7: 404 for what is not accessible): a
 * row for each place of a request that takes one. First comes what is heard when it is another workspace's, then when it
 * is of the other environment of one's own (`same` where both environments have the same, see KINDS), then when it is
 * one's own. What is heard of another's is what is heard of things that nobody has, and of one's own it is not. `anew` is
 * said where a name of another means nothing: something of one's own is made beside it. `refusing` comes before the code
 * with which one of many is left out.
 *
 * In requests `$` is what is named, and `$flow` one's own flow; what else the path asks for is one's own. The rows of one's own
 * things are asked in this order: what ends a thing comes behind what needs it.
 */
import type { Kind } from './access-houses.js';

export type ForeignRow = readonly [
  operation: string,
  place: string,
  kind: Kind,
  ofAnother: string,
  ofOtherEnvironment: string,
  own: string,
  request?: string,
];

const CHECK = '{"source":"segment","segment_id":"$","member":true}';
const FLOW = '"name":"Own","trigger_event":"asked","content_type":"transactional"';

// prettier-ignore
export const FOREIGN_REST_ROWS: readonly ForeignRow[] = [
  ['POST /v1/contacts', 'external_id', 'external', 'anew 201', 'anew 201', '200', '{"external_id":"$","last_name":"Own"}'],
  ['GET /v1/contacts/{id}', 'id', 'contact', 'contact_not_found', 'contact_not_found', '200'],
  ['GET /v1/contacts/{id}', 'id', 'external', 'contact_not_found', 'contact_not_found', '200'],
  ['POST /v1/contacts/bulk', 'contacts.external_id', 'external', 'anew 200', 'anew 200', '200', '{"contacts":[{"external_id":"$","last_name":"Own"}]}'],
  ['PATCH /v1/contacts/{external_id}', 'external_id', 'external', 'contact_not_found', 'contact_not_found', '200', '{"last_name":"Own"}'],
  ['POST /v1/send', 'template_slug', 'slug', 'template_not_found', 'same', '200', '{"template_slug":"$","to":{"external_id":"own-1","email":"own-1@example.com"}}'],
  ['POST /v1/send', 'to', 'external', 'anew 200', 'anew 200', '200', '{"template_slug":"$slug","to":{"external_id":"$","email":"own-2@example.com"}}'],
  ['POST /v1/send', 'idempotency_key', 'sendKey', 'anew 200', 'anew 200', 'duplicate_event', '{"template_slug":"$slug","to":{"external_id":"own-3","email":"own-3@example.com"},"idempotency_key":"$"}'],
  ['POST /v1/email-logs/{id}/resend', 'id', 'emailLog', 'email_log_not_found', 'email_log_not_found', 'conflict'],
  ['POST /v1/events', 'external_id', 'external', 'anew 202', 'anew 202', '202', '{"external_id":"$","event_name":"looked"}'],
  ['POST /v1/events', 'idempotency_key', 'eventKey', 'anew 202', 'anew 202', 'duplicate_event', '{"external_id":"own-4","event_name":"looked","idempotency_key":"$"}'],
  ['POST /v1/events/batch', 'events.external_id', 'external', 'anew 202', 'anew 202', '202', '{"events":[{"external_id":"$","event_name":"looked"}]}'],
  ['POST /v1/events/batch', 'events.idempotency_key', 'batchKey', 'anew 202', 'anew 202', 'refusing duplicate_event', '{"events":[{"external_id":"own-5","event_name":"looked","idempotency_key":"$"}]}'],
  ['POST /v1/flows', 'segment_id', 'segment', 'segment_not_found', 'same', '201', `{${FLOW},"segment_id":"$"}`],
  ['POST /v1/flows', 'steps.template_slug', 'slug', 'anew 201', 'same', '201', `{${FLOW},"steps":[{"type":"send_email","template_slug":"$"}]}`],
  ['POST /v1/flows', 'steps.segment_id', 'segment', 'invalid_field', 'same', '201', `{${FLOW},"steps":[{"type":"condition","check":${CHECK},"on_true":"continue","on_false":"skip_to_end"}]}`],
  ['GET /v1/flows/{id}', 'id', 'flow', 'flow_not_found', 'same', '200'],
  ['PUT /v1/flows/{id}', 'id', 'flow', 'flow_not_found', 'same', '200', '{"description":"Own"}'],
  ['PUT /v1/flows/{id}', 'segment_id', 'segment', 'segment_not_found', 'same', '200', '{"segment_id":"$"}'],
  ['PUT /v1/flows/{id}', 'steps.template_slug', 'slug', 'template_errors', 'same', '200', '{"steps":[{"type":"send_email","template_slug":"$"}]}'],
  ['PUT /v1/flows/{id}', 'steps.segment_id', 'segment', 'invalid_field', 'same', '200', `{"steps":[{"type":"condition","check":${CHECK},"on_true":"continue","on_false":"skip_to_end"}]}`],
  ['PUT /v1/flows/{id}/settings', 'id', 'flow', 'flow_not_found', 'same', '200', '{"settings":{"reentry_policy":"always"}}'],
  ['POST /v1/flows/{id}/duplicate', 'id', 'flow', 'flow_not_found', 'same', '201'],
  ['GET /v1/flows/{id}/versions', 'id', 'flow', 'flow_not_found', 'same', '200'],
  ['GET /v1/flows/{id}/versions/{version}', 'id', 'flow', 'flow_not_found', 'same', '200'],
  ['GET /v1/flows/{id}/goals', 'id', 'flow', 'flow_not_found', 'same', '200'],
  ['PUT /v1/flows/{id}/goals/reorder', 'id', 'flow', 'flow_not_found', 'same', '200', '{"goal_ids":["$goal"]}'],
  ['PUT /v1/flows/{id}/goals/reorder', 'goal_ids', 'goal', 'validation_error', 'same', '200', '{"goal_ids":["$"]}'],
  ['POST /v1/flows/{id}/goals', 'id', 'flow', 'flow_not_found', 'same', '201', '{"name":"Own","event_name":"looked"}'],
  ['PUT /v1/flows/{id}/goals/{goal_id}', 'id', 'flow', 'flow_not_found', 'same', '200', '{"name":"Own"}'],
  ['PUT /v1/flows/{id}/goals/{goal_id}', 'goal_id', 'goal', 'goal_not_found', 'same', '200', '{"name":"Own"}'],
  ['GET /v1/flows/{id}/goal-conversions', 'id', 'flow', 'flow_not_found', 'same', '200'],
  ['GET /v1/flows/{id}/trips', 'id', 'flow', 'flow_not_found', 'same', '200'],
  ['DELETE /v1/flows/{id}/goals/{goal_id}', 'goal_id', 'goal', 'goal_not_found', 'same', '204'],
  ['DELETE /v1/flows/{id}/goals/{goal_id}', 'id', 'flow', 'flow_not_found', 'same', 'goal_not_found'],
  ['POST /v1/flows/{id}/pause', 'id', 'flow', 'flow_not_found', 'same', '200'],
  ['POST /v1/flows/{id}/activate', 'id', 'flow', 'flow_not_found', 'same', '200'],
  ['POST /v1/flows/{id}/stop', 'id', 'flow', 'flow_not_found', 'same', '200'],
  ['POST /v1/flows/{id}/versions/{version}/restore', 'id', 'flow', 'flow_not_found', 'same', '200', '{}'],
  ['POST /v1/flows/bulk-action', 'flow_ids', 'flow', 'refusing flow_not_found', 'same', '200', '{"flow_ids":["$"],"action":"activate"}'],
  ['POST /v1/contacts/export', 'segment_id', 'segment', 'segment_not_found', 'same', '200', '{"format":"json","segment_id":"$"}'],
  ['POST /v1/segments/{id}/evaluate', 'id', 'segment', 'segment_not_found', 'same', '200'],
  ['GET /v1/templates/preview-context', 'contact_id', 'contact', '200', '200', '200', '?contact_id=$'],
  ['GET /v1/templates/preview-context', 'contact_id', 'external', '200', '200', '200', '?contact_id=$'],
  ['POST /v1/templates/{slug}/preview', 'slug', 'slug', 'template_not_found', 'same', '200', '{}'],
  ['POST /v1/templates/{slug}/preflight', 'slug', 'slug', 'template_not_found', 'same', '200'],
  ['POST /v1/templates/{slug}/versions', 'slug', 'slug', 'template_not_found', 'same', '201', '{"change_summary":"Own"}'],
  ['GET /v1/templates/{slug}/versions', 'slug', 'slug', 'template_not_found', 'same', '200'],
  ['GET /v1/templates/{slug}/versions/{version_num}', 'slug', 'slug', 'template_not_found', 'same', '200'],
  ['POST /v1/templates/{slug}/versions/{version_num}/restore', 'slug', 'slug', 'template_not_found', 'same', '200', '{}'],
  ['POST /v1/templates', 'slug', 'slug', 'anew 201', 'same', 'duplicate_slug', '{"name":"Own","slug":"$","body_html":"<p>Own</p>"}'],
  ['GET /v1/templates/{slug}', 'slug', 'slug', 'template_not_found', 'same', '200'],
  ['PUT /v1/templates/{slug}', 'slug', 'slug', 'template_not_found', 'same', '200', '{"name":"Own"}'],
  ['DELETE /v1/templates/{slug}', 'slug', 'slug', 'template_not_found', 'same', '204'],
  ['POST /v1/workspace/members/invitations/{id}/accept', 'id', 'invitation', '404 no code', 'same', '200'],
  ['PUT /v1/workspace/members/{id}/role', 'id', 'member', '404 no code', 'same', '200', '{"role":"marketing"}'],
  ['DELETE /v1/workspace/members/{id}', 'id', 'member', '404 no code', 'same', '204'],
  ['POST /v1/workspace/members/{id}/activate', 'id', 'member', '404 no code', 'same', '200'],
  ['DELETE /v1/contacts/{external_id}', 'external_id', 'external', 'contact_not_found', 'contact_not_found', '204'],
];
