/** How many trips of a flow started, and how many came to which end, in an hour of UTC. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('trip_hours')
export class TripHourEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn({ name: 'flow_id', type: 'uuid' }) flowId: string;
  /** Its beginning. */
  @PrimaryColumn(moment('hour') as { type: 'timestamptz' }) hour: Date;
  @Column({ type: 'bigint' }) started: string;
  @Column({ type: 'bigint' }) completed: string;
  @Column({ type: 'bigint' }) terminated: string;
  @Column({ type: 'bigint' }) failed: string;
}
