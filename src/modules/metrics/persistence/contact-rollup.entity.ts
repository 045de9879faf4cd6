/** How many contacts were created, unsubscribed, deleted and restored. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';
import { CHANGE_ID, CHANGED_BY, SUM } from './rollup-columns.js';

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
  @Column(SUM) created: string;
  @Column(SUM) unsubscribed: string;
  @Column(SUM) deleted: string;
  @Column(SUM) revived: string;
}

/** Deltas that transactions have written and that are not in the rollups yet. */
@Entity('contact_changes')
export class ContactChangeEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn(CHANGE_ID) id: string;
  /** The start of the hour. */
  @Column(moment('at')) at: Date;
  @Column({ type: 'boolean', default: false }) retired: boolean;
  @Column(CHANGED_BY) created: number;
  @Column(CHANGED_BY) unsubscribed: number;
  @Column(CHANGED_BY) deleted: number;
  @Column(CHANGED_BY) revived: number;
}
