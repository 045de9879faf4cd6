/** How many of the trips that began came to which step of their flow. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';
import { CHANGE_ID, CHANGED_BY, SUM } from './rollup-columns.js';

@Entity('step_rollups')
export class StepRollupEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  /** LEVELS of domain/rollup. */
  @PrimaryColumn({ type: 'smallint' }) level: number;
  /** The beginning of the day or the hour. */
  @PrimaryColumn(moment('at') as { type: 'timestamptz' }) at: Date;
  @PrimaryColumn({ name: 'flow_id', type: 'uuid' }) flowId: string;
  @PrimaryColumn({ name: 'step_id', type: 'integer' }) stepId: number;
  @PrimaryColumn({ type: 'boolean' }) retired: boolean;
  @Column(SUM) trips: string;
}

/** What transactions have changed and nobody has added to the sums yet. */
@Entity('step_changes')
export class StepChangeEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn(CHANGE_ID) id: string;
  /** The beginning of the hour. */
  @Column(moment('at')) at: Date;
  @Column({ name: 'flow_id', type: 'uuid' }) flowId: string;
  @Column({ name: 'step_id', type: 'integer' }) stepId: number;
  @Column({ type: 'boolean', default: false }) retired: boolean;
  @Column(CHANGED_BY) trips: number;
}
