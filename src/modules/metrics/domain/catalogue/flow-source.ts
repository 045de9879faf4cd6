/** Flow metrics: flows in their current state, with the trips of a period. */
import { CONTENT_TYPES } from '../../../../kernel/email-settings.js';
import { countMetric, type Source, textDimension } from './source.js';

/** Section 3.2. Copied from flows, a higher layer than metrics; a test compares both. */
const UNARCHIVED_STATUSES = ['draft', 'active', 'paused', 'stopped'] as const;
export const STATUSES_OF_FLOWS = [...UNARCHIVED_STATUSES, 'archived'] as const;

export const FLOW_SOURCE: Source = {
  key: 'flows',
  label: 'Flows',
  description:
    'Current flows, shared by both environments, and the trips of the caller’s environment that entered ' +
    'during the period.',
  metrics: [
    countMetric('flows', 'Flows', 'Flows that are not archived, regardless of the period.'),
    countMetric('active_flows', 'Active flows', 'Flows that are active, regardless of the period.'),
    countMetric('trips_started', 'Trips started', 'Trips that entered a flow in the period.', 'trips'),
    countMetric(
      'trips_completed',
      'Trips completed',
      'Trips that entered in the period and have completed.',
      'trips',
      ['completed'],
    ),
  ],
  dimensions: [
    textDimension(
      'status',
      'Status',
      'The flow’s current status. Archived flows are only listed for their trips.',
      STATUSES_OF_FLOWS,
    ),
    textDimension('content_type', 'Content type', 'The flow’s current content type.', CONTENT_TYPES),
    textDimension(
      'tag',
      'Tag',
      'The flow’s current tags: one row per tag, null for flows without tags. Totals count each flow once.',
    ),
  ],
};
