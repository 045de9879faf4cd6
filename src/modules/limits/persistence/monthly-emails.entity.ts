/**
 * A workspace's email usage of its monthly cap, section 8.2, by environment and UTC calendar month. Separate from the
 * row for events, so that sending never waits for ingestion.
 */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { optionalMoment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('monthly_emails')
@Index('monthly_emails_of_month', ['month'])
export class MonthlyEmailsEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn({ type: 'date' }) month: string;
  @Column({ type: 'bigint', default: 0 }) used: string;
  /** When the month was reset; earlier charges no longer count. */
  @Column(optionalMoment('reset_at')) resetAt: Date | null;
}
