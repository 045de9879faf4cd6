/**
 * How many emails a workspace has used of its monthly cap, section 8.2, by environment and calendar month in UTC. A row
 * apart from that of events, so that who sends never waits for who posts.
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
  /** When the month has begun anew; what was charged before it counts no more. */
  @Column(optionalMoment('reset_at')) resetAt: Date | null;
}
