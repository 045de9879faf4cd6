/** How many trips started, by flow, version and current status, and how many of them converted. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';
import { CHANGE_ID, CHANGED_BY, SUM } from './rollup-columns.js';

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
  @Column(SUM) trips: string;
  @Column(SUM) converted: string;
}

/** Deltas that transactions have written and that are not in the rollups yet. */
@Entity('trip_changes')
export class TripChangeEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn(CHANGE_ID) id: string;
  /** The start of the hour. */
  @Column(moment('at')) at: Date;
  @Column({ name: 'flow_id', type: 'uuid' }) flowId: string;
  @Column({ name: 'flow_version', type: 'integer' }) flowVersion: number;
  @Column({ type: 'text' }) status: string;
  @Column({ name: 'ended_reason', type: 'text' }) endedReason: string;
  @Column({ type: 'boolean', default: false }) retired: boolean;
  @Column(CHANGED_BY) trips: number;
  @Column(CHANGED_BY) converted: number;
}
