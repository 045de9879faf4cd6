/** Trip metrics. A trip counts in the period in which it entered its flow, section 2.12. */
import {
  countMetric,
  DATE,
  MONTH,
  namedDimension,
  rateMetric,
  type Source,
  textDimension,
  WEEK,
} from './source.js';

/** Section 2.12. Copied from trips, a higher layer than metrics; a test compares both. */
const IN_FLIGHT_STATUSES = ['active', 'paused', 'awaiting_send'] as const;
const ENDED_STATUSES = ['completed', 'terminated', 'failed'] as const;
export const STATUSES_OF_TRIPS = [...IN_FLIGHT_STATUSES, ...ENDED_STATUSES] as const;

export const TRIP_SOURCE: Source = {
  key: 'flow_trips',
  label: 'Flow trips',
  description: 'Trips that entered a flow during the period, with their current status.',
  metrics: [
    countMetric('entered', 'Entered', 'Trips that entered a flow in the period.', 'trips'),
    countMetric('completed', 'Completed', 'Of these, trips that reached the end of their flow.', 'trips', [
      'completed',
    ]),
    countMetric('terminated', 'Terminated', 'Of these, trips that were ended early.', 'trips', [
      'terminated',
    ]),
    countMetric('failed', 'Failed', 'Of these, trips that failed.', 'trips', ['failed']),
    countMetric('in_flight', 'In flight', 'Of these, trips still in flight.', 'trips', IN_FLIGHT_STATUSES),
    rateMetric('completion_rate', 'Completion rate', 'Completed, as a percentage of entered.', 'completed', {
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
    countMetric(
      'conversions',
      'Conversions',
      'Of these, trips that reached a goal. A trip that reached several counts once.',
      'converted',
    ),
    rateMetric(
      'conversion_rate',
      'Conversion rate',
      'Conversions, as a percentage of entered.',
      'conversions',
      {
        plus: ['entered'],
      },
    ),
  ],
  dimensions: [
    DATE,
    WEEK,
    MONTH,
    namedDimension('flow', 'Flow', 'The flow that the trip entered.'),
    {
      key: 'flow_version',
      label: 'Flow version',
      description: 'The flow version that the trip started on.',
      type: 'text',
      valueKind: 'integer',
    },
    textDimension('status', 'Status', 'The trip’s current status.', STATUSES_OF_TRIPS),
    textDimension(
      'ended_reason',
      'Ended reason',
      'Why the trip ended. Null if it is in flight or completed normally.',
    ),
    textDimension(
      'tag',
      'Tag',
      'The flow’s current tags: one row per tag, null for flows without tags. Totals count each trip once.',
    ),
  ],
};
