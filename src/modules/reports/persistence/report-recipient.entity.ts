/** An address and whether a scheduled report is sent to it. Kept when the address is removed from the schedule. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import {
  moment,
  optionalMoment,
  RECORD_ID,
  WORKSPACE_ID,
} from '../../../platform/database/tenant-columns.js';

@Entity('report_recipients')
@Index('report_recipients_of_address', ['workspaceId', 'reportId', 'address'], { unique: true })
export class ReportRecipientEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ name: 'report_id', type: 'uuid' }) reportId: string;
  /** The canonical form of the address. */
  @Column({ type: 'text' }) address: string;
  @Column({ type: 'text' }) status: string;
  @Column({ name: 'confirmations_sent', type: 'smallint', default: 0 }) confirmationsSent: number;
  /** When the last confirmation was sent. */
  @Column(optionalMoment('asked_at')) askedAt: Date | null;
  @Column(moment('changed_at')) changedAt: Date;
}
