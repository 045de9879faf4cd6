/** How many trips started, by flow, version and current status, and how many of them converted. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';
import { RANDOM_ID, COUNTER_COLUMN, TOTAL_COLUMN } from './rollup-columns.js';

@Entity('trip_rollups')
export class TripRollupEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  /** LEVELS of domain/rollup. */
  @PrimaryColumn({ type: 'smallint' }) level: number;
  /** The start of the day or the hour. */
  @PrimaryColumn(moment('at') as { type: 'timestamptz' }) at: Date;
  @PrimaryColumn({ name: 'flow_id', type: 'uuid' }) flowId: string;
  @PrimaryColumn({ name: 'flow_version', type: 'integer' }) flowVersion: number;
  @PrimaryColumn({ type: 'text' }) status: string;
  @PrimaryColumn({ name: 'ended_reason', type: 'text' }) endedReason: string;
  @PrimaryColumn({ type: 'boolean' }) retired: boolean;
  @Column(TOTAL_COLUMN) trips: string;
  @Column(TOTAL_COLUMN) converted: string;
}

/** Deltas that transactions have written and that are not in the rollups yet. */
@Entity('trip_changes')
export class TripDeltaEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn(RANDOM_ID) id: string;
  /** The start of the hour. */
  @Column(moment('at')) at: Date;
  @Column({ name: 'flow_id', type: 'uuid' }) flowId: string;
  @Column({ name: 'flow_version', type: 'integer' }) flowVersion: number;
  @Column({ type: 'text' }) status: string;
  @Column({ name: 'ended_reason', type: 'text' }) endedReason: string;
  @Column({ type: 'boolean', default: false }) retired: boolean;
  @Column(COUNTER_COLUMN) trips: number;
  @Column(COUNTER_COLUMN) converted: number;
}
