/**
 * Pending work on all trips of a flow or of a contact, done in batches. It is requested in the transaction that makes
 * it necessary and stored until nothing is left to do, so no crash loses it.
 */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, optionalMoment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';
import type { SweepKind } from '../domain/trip-sweep.js';

@Entity('trip_sweeps')
export class TripSweepEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn({ type: 'text' }) kind: SweepKind;
  /** The flow or the contact. */
  @PrimaryColumn({ name: 'subject_id', type: 'uuid' }) subjectId: string;
  /** When the next batch is due: immediately, or a while after one that failed. */
  @Column(moment('due_at')) dueAt: Date;
  /** The last trip done, if trips are processed in an order; identified by these three. */
  @Column({ name: 'after_flow', type: 'uuid', nullable: true }) afterFlow: string | null;
  @Column(optionalMoment('after_start')) afterStart: Date | null;
  @Column({ name: 'after_trip', type: 'uuid', nullable: true }) afterTrip: string | null;
}
