/**
 * Records that members were notified of a cap's usage: once per period, cap and threshold, and again after the cap
 * changes.
 */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('usage_notices')
export class UsageNoticeEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn({ name: 'limit_type', type: 'text' }) limitType: string;
  /** Start of the period. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3 }) since: Date;
  @PrimaryColumn({ type: 'bigint' }) maximum: string;
  /** Percent. */
  @PrimaryColumn({ type: 'integer' }) threshold: number;
  /** Usage at that time. */
  @Column({ type: 'bigint' }) current: string;
  @Column(moment('at')) at: Date;
}
