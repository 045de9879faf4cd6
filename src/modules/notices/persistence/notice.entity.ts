/**
 * The product's own mail to members. It is separate from the ledger, whose messages are a tenant's to its contacts,
 * count toward its plan and pass its gates. The content is removed when the mail is finished.
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
  /** Identifies the mail: there is one per purpose. */
  @Column({ type: 'text' }) purpose: string;
  @Column({ name: 'subject_id', type: 'uuid' }) subjectId: string;
  @Column({ type: 'text' }) kind: string;
  @Column({ name: 'to_email', type: 'text' }) toEmail: string;
  /** Null when the mail is finished. */
  @Column({ type: 'jsonb', nullable: true }) content: Notice | null;
  @Column({ type: 'text', default: 'queued' }) status: string;
  /** When to try it next. For a finished mail: when to delete its row. */
  @Column(moment('due_at')) dueAt: Date;
  /** Since when it could go. */
  @Column(moment('from_at')) fromAt: Date;
  @Column({ type: 'integer', default: 0 }) attempts: number;
  @Column({ type: 'integer', default: 0 }) reissues: number;
  /** The number of the process that claimed it (its advisory lock). */
  @Column({ type: 'integer', nullable: true }) sender: number | null;
  @Column(optionalText('error_code')) errorCode: string | null;
  @Column(moment('created_at')) createdAt: Date;
  @Column(optionalMoment('ended_at')) endedAt: Date | null;
}
