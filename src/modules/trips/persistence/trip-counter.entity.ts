/**
 * How many trips a flow has had in an environment, in total. Stored because counting millions of rows takes too long.
 */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('trip_tallies')
export class TripCounterEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn({ name: 'flow_id', type: 'uuid' }) flowId: string;
  @Column({ type: 'bigint' }) started: string;
  @Column({ type: 'bigint' }) completed: string;
  @Column({ type: 'bigint' }) terminated: string;
  @Column({ type: 'bigint' }) failed: string;
}
