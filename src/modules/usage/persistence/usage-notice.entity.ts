/** That people were told how much of a cap is used: once a period, cap and threshold, and anew where the cap has changed. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('usage_notices')
export class UsageNoticeEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn({ name: 'limit_type', type: 'text' }) limitType: string;
  /** When the period began. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3 }) since: Date;
  @PrimaryColumn({ type: 'bigint' }) maximum: string;
  /** Percent. */
  @PrimaryColumn({ type: 'integer' }) threshold: number;
  /** How much was used then. */
  @Column({ type: 'bigint' }) current: string;
  @Column(moment('at')) at: Date;
}
