/** The cost of full runs (section 8.2): every credit that was charged or refunded, and how many of a month are used. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment, RECORD_ID, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';
import type { CreditReason } from '../domain/runs/credits.js';

@Entity('inspect_credit_entries')
@Index('inspect_credit_entries_created', ['workspaceId', 'createdAt'])
@Index('inspect_credit_entries_of_version', ['workspaceId', 'templateId', 'templateVersion'])
export class InspectCreditEntryEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ type: 'smallint' }) delta: number;
  @Column({ type: 'text' }) reason: CreditReason;
  @Column({ name: 'job_id', type: 'uuid', nullable: true }) jobId: string | null;
  @Column({ name: 'template_id', type: 'uuid' }) templateId: string;
  @Column({ name: 'template_slug', type: 'text' }) templateSlug: string;
  @Column({ name: 'template_version', type: 'integer' }) templateVersion: number;
  @Column(moment('created_at')) createdAt: Date;
}

@Entity('inspect_credit_months')
export class InspectCreditMonthEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'date' }) month: string;
  /** When counting began: with the month, or with the renewal of the subscription within it. */
  @Column(moment('since')) since: Date;
  @Column({ type: 'integer' }) used: number;
}
