/**
 * Who may read the fields that have a separate permission rule; access-table.ts does the same for operations. A caller
 * that may run the query either gets the field or is refused, as its row says. The document selects nothing else.
 */
import type { Things } from './access-houses.js';
import type { Row } from './access-table.js';

export type FieldRow = readonly [...row: Row, document: (own: Things) => string];

const FIND_ALL = 'conditions: [{ field: "external_id", operator: "exists" }]';

// prettier-ignore
export const FIELD_ROWS: readonly FieldRow[] = [
  ['Contact.preferences', 'oad-p-', 'd-mf', 'missing_permission', 'insufficient_scope', 'ok', ({ contact }) => `{ contact(id: "${contact}") { preferences { pausedUntil topics { topic { name } } } } }`],
  ['Contact.segments', 'oad-p-', 'd-mf', 'missing_permission', 'insufficient_scope', 'ok', ({ contact }) => `{ contact(id: "${contact}") { segments { edges { node { name } } } } }`],
  ['Flow.goalConversions', 'oadm--', '--mf', 'missing_permission', 'insufficient_scope', 'ok', ({ flow }) => `{ flow(id: "${flow}") { goalConversions { goals { goal { name } } } } }`],
  ['Flow.goals', 'oadm--', '--mf', 'missing_permission', 'insufficient_scope', 'ok', ({ flow }) => `{ flow(id: "${flow}") { goals { name } } }`],
  ['ReportSchedule.recipientStates', 'oa-mpv', '-r-f', 'missing_permission', 'insufficient_scope', 'ok', ({ report }) => `{ report(id: "${report}") { schedule { recipientStates { email } } } }`],
  ['Segment.members', 'oad-p-', '--mf', 'missing_permission', 'insufficient_scope', 'ok', ({ segment }) => `{ segment(id: "${segment}") { members { edges { node { email } } } } }`],
  ['SegmentPreview.sample', 'oad-p-', '--mf', 'missing_permission', 'insufficient_scope', 'ok', () => `{ previewSegment(${FIND_ALL}) { sample { email } } }`],
  ['Template.astSchemaVersion', 'oadm--', '--mf', 'missing_permission', 'insufficient_scope', 'ok', ({ slug }) => `{ template(slug: "${slug}") { astSchemaVersion } }`],
  ['Template.bodyAst', 'oadm--', '--mf', 'missing_permission', 'insufficient_scope', 'ok', ({ slug }) => `{ template(slug: "${slug}") { bodyAst } }`],
  ['Template.bodyHtml', 'oadm--', '--mf', 'missing_permission', 'insufficient_scope', 'ok', ({ slug }) => `{ template(slug: "${slug}") { bodyHtml } }`],
  ['Template.bodyText', 'oadm--', '--mf', 'missing_permission', 'insufficient_scope', 'ok', ({ slug }) => `{ template(slug: "${slug}") { bodyText } }`],
  ['Template.rendererUsed', 'oadm--', '--mf', 'missing_permission', 'insufficient_scope', 'ok', ({ slug }) => `{ template(slug: "${slug}") { rendererUsed } }`],
  ['Trip.contact', 'oad-p-', '--mf', 'missing_permission', 'insufficient_scope', 'ok', ({ flow }) => `{ trips(flowId: "${flow}") { edges { node { contact { email } } } } }`],
  ['Trip.emailLogs', 'oa--p-', '--mf', 'missing_permission', 'insufficient_scope', 'ok', ({ flow }) => `{ trips(flowId: "${flow}") { edges { node { emailLogs { edges { node { templateSlug } } } } } } }`],
];
