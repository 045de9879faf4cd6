/** Word of a message: stored as it is received, worked on soon after, and known for a time so that it is not taken twice. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import {
  moment,
  optionalMoment,
  RECORD_ID,
  WORKSPACE_ID,
} from '../../../platform/database/tenant-columns.js';

@Entity('feedback')
@Index('feedback_of_key', ['workspaceId', 'environment', 'key'], { unique: true })
@Index('feedback_due', ['workspaceId', 'environment', 'dueAt'], { where: 'due_at IS NOT NULL' })
@Index('feedback_waiting', ['workspaceId', 'emailLogId'], { where: 'processed_at IS NULL' })
export class FeedbackEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ type: 'text' }) environment: string;
  /** The source's own id of it. */
  @Column({ type: 'text' }) key: string;
  @Column({ type: 'text' }) type: string;
  @Column({ name: 'email_log_id', type: 'uuid' }) emailLogId: string;
  /** What it tells (domain/feedback); empty once it was worked on. */
  @Column({ type: 'jsonb' }) facts: unknown;
  @Column(moment('happened_at')) happenedAt: Date;
  /** When it is looked at next: to be worked on, or to be forgotten. Null while it is set aside. */
  @Column(optionalMoment('due_at')) dueAt: Date | null;
  @Column(optionalMoment('processed_at')) processedAt: Date | null;
}
