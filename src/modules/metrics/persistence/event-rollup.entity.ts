/** How many events occurred, by name. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';
import { RANDOM_ID, COUNTER_COLUMN, TOTAL_COLUMN } from './rollup-columns.js';

@Entity('event_rollups')
export class EventRollupEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  /** LEVELS of domain/rollup. */
  @PrimaryColumn({ type: 'smallint' }) level: number;
  /** The start of the day or the hour. */
  @PrimaryColumn(moment('at') as { type: 'timestamptz' }) at: Date;
  @PrimaryColumn({ name: 'event_name', type: 'text' }) eventName: string;
  @PrimaryColumn({ type: 'boolean' }) retired: boolean;
  @Column(TOTAL_COLUMN) events: string;
}

/** Deltas that transactions have written and that are not in the rollups yet. */
@Entity('event_changes')
export class EventDeltaEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn(RANDOM_ID) id: string;
  /** The start of the hour. */
  @Column(moment('at')) at: Date;
  @Column({ name: 'event_name', type: 'text' }) eventName: string;
  @Column({ type: 'boolean', default: false }) retired: boolean;
  @Column(COUNTER_COLUMN) events: number;
}
