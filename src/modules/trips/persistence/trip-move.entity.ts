/** A manual action on a trip, stored for later reference. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment, RECORD_ID, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('trip_moves')
@Index('trip_moves_of_flow', ['workspaceId', 'environment', 'flowId', 'id'])
@Index('trip_moves_of_trip', ['workspaceId', 'environment', 'tripId', 'id'])
export class TripMoveEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ type: 'text' }) environment: string;
  @Column({ name: 'trip_id', type: 'uuid' }) tripId: string;
  @Column({ name: 'flow_id', type: 'uuid' }) flowId: string;
  /** The trip's step at the time, or the step that was repeated. */
  @Column({ name: 'step_id', type: 'integer' }) stepId: number;
  @Column({ type: 'text' }) kind: string;
  /** The member or API key that requested it, as in `created_by` of flows. */
  @Column({ name: 'moved_by', type: 'text' }) movedBy: string;
  @Column(moment('moved_at')) movedAt: Date;
}
