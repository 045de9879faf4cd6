/** Event metrics, by the time at which events occurred. */
import {
  countMetric,
  DATE,
  DAY_OF_WEEK,
  HOUR_OF_DAY,
  MONTH,
  type Source,
  textDimension,
  WEEK,
} from './source.js';

export const EVENT_SOURCE: Source = {
  key: 'events',
  label: 'Events',
  description: 'Accepted events, by the time they occurred.',
  metrics: [
    countMetric('events', 'Events', 'Events that occurred in the period.'),
    {
      key: 'contacts',
      label: 'Contacts',
      description: 'Distinct contacts, by external_id, with such an event. A contact counts once per row.',
      format: 'number',
      computation: { kind: 'people' },
    },
  ],
  dimensions: [
    DATE,
    WEEK,
    MONTH,
    HOUR_OF_DAY,
    DAY_OF_WEEK,
    textDimension('event_name', 'Event name', 'The name of the event.'),
  ],
};
