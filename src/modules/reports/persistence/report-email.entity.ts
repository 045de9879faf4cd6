/** The email that a schedule sends on one date, composed once for all of its recipients. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment, optionalText, RECORD_ID, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('report_letters')
@Index('report_letters_of_date', ['workspaceId', 'reportId', 'dueAt'], { unique: true })
export class ReportEmailEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ name: 'report_id', type: 'uuid' }) reportId: string;
  @Column({ type: 'text' }) environment: string;
  /** The date of the schedule that it belongs to. */
  @Column(moment('due_at')) dueAt: Date;
  @Column({ type: 'text' }) subject: string;
  @Column({ type: 'text' }) html: string;
  @Column({ name: 'body_text', type: 'text' }) bodyText: string;
  /** PNG; null if the schedule includes no chart. */
  @Column({ type: 'bytea', nullable: true }) chart: Buffer | null;
  @Column({ type: 'bytea', nullable: true }) csv: Buffer | null;
  @Column(optionalText('file_name')) fileName: string | null;
  @Column(moment('created_at')) createdAt: Date;
}
