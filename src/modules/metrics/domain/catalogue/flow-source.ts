/** Flows as they stand now, with the trips of a period. */
import { CONTENT_TYPES } from '../../../../kernel/email-settings.js';
import { counted, type Source, text } from './source.js';

/** Section 3.2, as the flows have them, which lie above metrics; a test compares the two. */
const SHOWN = ['draft', 'active', 'paused', 'stopped'] as const;
export const STATUSES_OF_FLOWS = [...SHOWN, 'archived'] as const;

export const FLOW_SOURCE: Source = {
  key: 'flows',
  label: 'Flows',
  description:
    'Flows as they stand now, of both environments, and the trips of the caller’s environment that entered in the period.',
  metrics: [
    counted('flows', 'Flows', 'Flows that are not archived now, whatever the period.'),
    counted('active_flows', 'Active flows', 'Flows that are active now, whatever the period.'),
    counted('trips_started', 'Trips started', 'Trips that entered a flow in the period.', 'trips'),
    counted(
      'trips_completed',
      'Trips completed',
      'Of the trips that entered in the period, those completed by now.',
      'trips',
      ['completed'],
    ),
  ],
  dimensions: [
    text(
      'status',
      'Status',
      'The flow’s status now; archived ones are listed for their trips alone.',
      STATUSES_OF_FLOWS,
    ),
    text('content_type', 'Content type', 'The flow’s content type now.', CONTENT_TYPES),
    text(
      'tag',
      'Tag',
      'The flow’s tags now: a row for each, null for flows without; totals count each flow once.',
    ),
  ],
};
