/** Trips, all of them counted in the period in which they entered their flow, section 2.12. */
import { counted, DATE, MONTH, named, rated, type Source, text, WEEK } from './source.js';

/** Section 2.12, as the trips have them, which lie above metrics; a test compares the two. */
const UNDER_WAY = ['active', 'paused', 'awaiting_send'] as const;
const OVER = ['completed', 'terminated', 'failed'] as const;
export const STATUSES_OF_TRIPS = [...UNDER_WAY, ...OVER] as const;

export const TRIP_SOURCE: Source = {
  key: 'flow_trips',
  label: 'Flow trips',
  description: 'Trips that entered a flow in the period, and where they stand now.',
  metrics: [
    counted('entered', 'Entered', 'Trips that entered a flow in the period.', 'trips'),
    counted('completed', 'Completed', 'Of those, the ones that came to their flow’s end.', 'trips', [
      'completed',
    ]),
    counted('terminated', 'Terminated', 'Of those, the ones that were ended before.', 'trips', [
      'terminated',
    ]),
    counted('failed', 'Failed', 'Of those, the ones that failed.', 'trips', ['failed']),
    counted('in_flight', 'In flight', 'Of those, the ones that are still under way.', 'trips', UNDER_WAY),
    rated('completion_rate', 'Completion rate', 'Completed, of entered.', 'completed', { plus: ['entered'] }),
    {
      key: 'median_hours',
      label: 'Median hours',
      description:
        'How long the completed ones took, the median in hours with two decimals; 0 where none did. Trips that retention has deleted are left out.',
      format: 'hours',
      computation: { kind: 'median' },
    },
    counted(
      'conversions',
      'Conversions',
      'Of those, the ones that met a goal; one that met several counts once.',
      'converted',
    ),
    rated('conversion_rate', 'Conversion rate', 'Conversions, of entered.', 'conversions', {
      plus: ['entered'],
    }),
  ],
  dimensions: [
    DATE,
    WEEK,
    MONTH,
    named('flow', 'Flow', 'The flow that the trip entered.'),
    {
      key: 'flow_version',
      label: 'Flow version',
      description: 'The version of the flow that the trip began on.',
      type: 'text',
      valueKind: 'integer',
    },
    text('status', 'Status', 'Where the trip stands now.', STATUSES_OF_TRIPS),
    text(
      'ended_reason',
      'Ended reason',
      'Why the trip was ended; null where it was not, or came to its end.',
    ),
    text(
      'tag',
      'Tag',
      'The flow’s tags now: a row for each, null for flows without; totals count each trip once.',
    ),
  ],
};
