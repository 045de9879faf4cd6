/** Trip metrics. A trip counts in the period in which it entered its flow, section 2.12. */
import { counted, DATE, MONTH, named, rated, type Source, text, WEEK } from './source.js';

/** Section 2.12. Copied from trips, a higher layer than metrics; a test compares both. */
const UNDER_WAY = ['active', 'paused', 'awaiting_send'] as const;
const OVER = ['completed', 'terminated', 'failed'] as const;
export const STATUSES_OF_TRIPS = [...UNDER_WAY, ...OVER] as const;

export const TRIP_SOURCE: Source = {
  key: 'flow_trips',
  label: 'Flow trips',
  description: 'Trips that entered a flow during the period, with their current status.',
  metrics: [
    counted('entered', 'Entered', 'Trips that entered a flow in the period.', 'trips'),
    counted('completed', 'Completed', 'Of these, trips that reached the end of their flow.', 'trips', [
      'completed',
    ]),
    counted('terminated', 'Terminated', 'Of these, trips that were ended early.', 'trips', ['terminated']),
    counted('failed', 'Failed', 'Of these, trips that failed.', 'trips', ['failed']),
    counted('in_flight', 'In flight', 'Of these, trips still in flight.', 'trips', UNDER_WAY),
    rated('completion_rate', 'Completion rate', 'Completed, as a percentage of entered.', 'completed', {
      plus: ['entered'],
    }),
    {
      key: 'median_hours',
      label: 'Median hours',
      description:
        'Median duration of completed trips, in hours with two decimals; 0 if none completed. Trips deleted by ' +
        'retention are excluded.',
      format: 'hours',
      computation: { kind: 'median' },
    },
    counted(
      'conversions',
      'Conversions',
      'Of these, trips that reached a goal. A trip that reached several counts once.',
      'converted',
    ),
    rated('conversion_rate', 'Conversion rate', 'Conversions, as a percentage of entered.', 'conversions', {
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
      description: 'The flow version that the trip started on.',
      type: 'text',
      valueKind: 'integer',
    },
    text('status', 'Status', 'The trip’s current status.', STATUSES_OF_TRIPS),
    text(
      'ended_reason',
      'Ended reason',
      'Why the trip ended. Null if it is in flight or completed normally.',
    ),
    text(
      'tag',
      'Tag',
      'The flow’s current tags: one row per tag, null for flows without tags. Totals count each trip once.',
    ),
  ],
};
