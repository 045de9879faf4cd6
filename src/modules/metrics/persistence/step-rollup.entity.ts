/** How many trips reached which step of their flow, by the hour in which they started. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';
import { RANDOM_ID, COUNTER_COLUMN, TOTAL_COLUMN } from './rollup-columns.js';

@Entity('step_rollups')
export class StepRollupEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  /** LEVELS of domain/rollup. */
  @PrimaryColumn({ type: 'smallint' }) level: number;
  /** The start of the day or the hour. */
  @PrimaryColumn(moment('at') as { type: 'timestamptz' }) at: Date;
  @PrimaryColumn({ name: 'flow_id', type: 'uuid' }) flowId: string;
  @PrimaryColumn({ name: 'step_id', type: 'integer' }) stepId: number;
  @PrimaryColumn({ type: 'boolean' }) retired: boolean;
  @Column(TOTAL_COLUMN) trips: string;
}

/** Deltas that transactions have written and that are not in the rollups yet. */
@Entity('step_changes')
export class StepDeltaEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn(RANDOM_ID) id: string;
  /** The start of the hour. */
  @Column(moment('at')) at: Date;
  @Column({ name: 'flow_id', type: 'uuid' }) flowId: string;
  @Column({ name: 'step_id', type: 'integer' }) stepId: number;
  @Column({ type: 'boolean', default: false }) retired: boolean;
  @Column(COUNTER_COLUMN) trips: number;
}
