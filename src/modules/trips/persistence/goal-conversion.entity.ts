/**
 * The conversion of a trip to a goal by an event, section 2.5. A trip may convert by many events, and each counts
 * once.
 */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('goal_conversions')
@Index('goal_conversions_trips', ['workspaceId', 'goalId', 'environment', 'enteredAt'], {
  where: 'counts_trip',
})
@Index('goal_conversions_events', ['workspaceId', 'goalId', 'environment', 'occurredAt'], {
  where: 'counts_event',
})
@Index('goal_conversions_of_event', ['workspaceId', 'eventId'], { where: 'NOT counts_trip' })
export class GoalConversionEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ name: 'trip_id', type: 'uuid' }) tripId: string;
  @PrimaryColumn({ name: 'goal_id', type: 'uuid' }) goalId: string;
  @PrimaryColumn({ name: 'event_id', type: 'uuid' }) eventId: string;
  @Column({ type: 'text' }) environment: string;
  /** When the trip started. */
  @Column(moment('entered_at')) enteredAt: Date;
  /** When the event occurred. */
  @Column(moment('occurred_at')) occurredAt: Date;
  /** Whether this row counts the trip as converted to the goal. */
  @Column({ name: 'counts_trip', type: 'boolean' }) countsTrip: boolean;
  /** Whether this row counts the event, which may convert several trips. */
  @Column({ name: 'counts_event', type: 'boolean' }) countsEvent: boolean;
  @Column(moment('recorded_at')) recordedAt: Date;
}
