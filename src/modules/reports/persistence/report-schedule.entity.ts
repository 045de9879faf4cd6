/** When a report is mailed, to whom, and in which format. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment, optionalMoment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';
import type { ReportRecipient } from '../domain/schedule.js';
import type { StoredFormat } from '../domain/stored-report.js';

@Entity('report_schedules')
@Index('report_schedules_due', ['workspaceId', 'environment', 'lookAt'], { where: 'look_at IS NOT NULL' })
export class ReportScheduleEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ name: 'report_id', type: 'uuid' }) reportId: string;
  /** The environment in which it was created, and whose data it sends. */
  @Column({ type: 'text' }) environment: string;
  @Column({ type: 'text' }) frequency: string;
  @Column({ name: 'day_of_week', type: 'smallint', nullable: true }) dayOfWeek: number | null;
  @Column({ name: 'day_of_month', type: 'smallint', nullable: true }) dayOfMonth: number | null;
  @Column({ type: 'smallint' }) hour: number;
  @Column({ type: 'text' }) timezone: string;
  @Column({ name: 'date_range_type', type: 'text' }) dateRangeType: string;
  @Column({ type: 'jsonb' }) recipients: ReportRecipient[];
  @Column({ name: 'format_options', type: 'jsonb' }) formatOptions: StoredFormat;
  @Column({ name: 'is_active', type: 'boolean' }) isActive: boolean;
  @Column(moment('next_send_at')) nextSendAt: Date;
  @Column(optionalMoment('last_sent_at')) lastSentAt: Date | null;
  /** When the worker checks it; null while it is paused or dead-lettered. */
  @Column(optionalMoment('look_at')) lookAt: Date | null;
  @Column(moment('created_at')) createdAt: Date;
  @Column(moment('updated_at')) updatedAt: Date;
}
