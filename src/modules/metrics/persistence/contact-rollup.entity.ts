/** How many contacts were created, unsubscribed, deleted and restored. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';
import { RANDOM_ID, COUNTER_COLUMN, TOTAL_COLUMN } from './rollup-columns.js';

@Entity('contact_rollups')
export class ContactRollupEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  /** LEVELS of domain/rollup. */
  @PrimaryColumn({ type: 'smallint' }) level: number;
  /** The start of the day or the hour. */
  @PrimaryColumn(moment('at') as { type: 'timestamptz' }) at: Date;
  /** Whether the counted source rows have been deleted. A recount leaves these rows unchanged. */
  @PrimaryColumn({ type: 'boolean' }) retired: boolean;
  @Column(TOTAL_COLUMN) created: string;
  @Column(TOTAL_COLUMN) unsubscribed: string;
  @Column(TOTAL_COLUMN) deleted: string;
  @Column(TOTAL_COLUMN) revived: string;
}

/** Deltas that transactions have written and that are not in the rollups yet. */
@Entity('contact_changes')
export class ContactDeltaEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn(RANDOM_ID) id: string;
  /** The start of the hour. */
  @Column(moment('at')) at: Date;
  @Column({ type: 'boolean', default: false }) retired: boolean;
  @Column(COUNTER_COLUMN) created: number;
  @Column(COUNTER_COLUMN) unsubscribed: number;
  @Column(COUNTER_COLUMN) deleted: number;
  @Column(COUNTER_COLUMN) revived: number;
}
