/** A goal's counts for an hour: converted trips that started in it, and converting events that occurred in it. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('goal_hours')
export class GoalHourEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn({ name: 'goal_id', type: 'uuid' }) goalId: string;
  /** The start of an hour in UTC. */
  @PrimaryColumn(moment('hour') as { type: 'timestamptz' }) hour: Date;
  @Column({ type: 'bigint' }) trips: string;
  @Column({ type: 'bigint' }) events: string;
}
