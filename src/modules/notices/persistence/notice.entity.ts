/**
 * Mail of the product's own to members: apart from the ledger, whose messages are a tenant's to its contacts, count toward
 * its plan and obey its gates. What it says is emptied once it has come to its end.
 */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import {
  moment,
  optionalMoment,
  optionalText,
  RECORD_ID,
  WORKSPACE_ID,
} from '../../../platform/database/tenant-columns.js';
import type { Notice } from '../domain/notice.js';

@Entity('notices')
@Index('notices_purpose', ['workspaceId', 'purpose'], { unique: true })
@Index('notices_due', ['workspaceId', 'dueAt'])
@Index('notices_earliest', ['dueAt'])
@Index('notices_by_id', ['id'])
@Index('notices_of_kind', ['workspaceId', 'kind', 'createdAt'])
@Index('notices_of_subject', ['workspaceId', 'subjectId'])
export class NoticeEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  /** What there is one mail for. */
  @Column({ type: 'text' }) purpose: string;
  @Column({ name: 'subject_id', type: 'uuid' }) subjectId: string;
  @Column({ type: 'text' }) kind: string;
  @Column({ name: 'to_email', type: 'text' }) toEmail: string;
  /** Null once the mail has come to its end. */
  @Column({ type: 'jsonb', nullable: true }) content: Notice | null;
  @Column({ type: 'text', default: 'queued' }) status: string;
  /** When it is to be tried; once it has come to its end, when its row goes. */
  @Column(moment('due_at')) dueAt: Date;
  /** From when on it might go. */
  @Column(moment('from_at')) fromAt: Date;
  @Column({ type: 'integer', default: 0 }) attempts: number;
  @Column({ type: 'integer', default: 0 }) reissues: number;
  /** Presence number of the process that has it in hand. */
  @Column({ type: 'integer', nullable: true }) sender: number | null;
  @Column(optionalText('error_code')) errorCode: string | null;
  @Column(moment('created_at')) createdAt: Date;
  @Column(optionalMoment('ended_at')) endedAt: Date | null;
}
