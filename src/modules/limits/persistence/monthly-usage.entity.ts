/** A workspace's event usage of its monthly cap, section 8.2, by environment and UTC calendar month. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('monthly_usage')
@Index('monthly_usage_of_month', ['month'])
export class MonthlyUsageEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn({ type: 'date' }) month: string;
  @Column({ type: 'bigint', default: 0 }) events: string;
}
