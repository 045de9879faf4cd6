/** Flow metrics: flows in their current state, with the trips of a period. */
import { CONTENT_TYPES } from '../../../../kernel/email-settings.js';
import { counted, type Source, text } from './source.js';

/** Section 3.2. Copied from flows, a higher layer than metrics; a test compares both. */
const SHOWN = ['draft', 'active', 'paused', 'stopped'] as const;
export const STATUSES_OF_FLOWS = [...SHOWN, 'archived'] as const;

export const FLOW_SOURCE: Source = {
  key: 'flows',
  label: 'Flows',
  description:
    'Current flows, shared by both environments, and the trips of the caller’s environment that entered ' +
    'during the period.',
  metrics: [
    counted('flows', 'Flows', 'Flows that are not archived, regardless of the period.'),
    counted('active_flows', 'Active flows', 'Flows that are active, regardless of the period.'),
    counted('trips_started', 'Trips started', 'Trips that entered a flow in the period.', 'trips'),
    counted(
      'trips_completed',
      'Trips completed',
      'Trips that entered in the period and have completed.',
      'trips',
      ['completed'],
    ),
  ],
  dimensions: [
    text(
      'status',
      'Status',
      'The flow’s current status. Archived flows are only listed for their trips.',
      STATUSES_OF_FLOWS,
    ),
    text('content_type', 'Content type', 'The flow’s current content type.', CONTENT_TYPES),
    text(
      'tag',
      'Tag',
      'The flow’s current tags: one row per tag, null for flows without tags. Totals count each flow once.',
    ),
  ],
};
