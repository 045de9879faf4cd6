/**
 * Feedback about a message: stored when received, processed soon after, and retained for a time to detect duplicates.
 */
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
  /** The source's own id for it. */
  @Column({ type: 'text' }) key: string;
  @Column({ type: 'text' }) type: string;
  @Column({ name: 'email_log_id', type: 'uuid' }) emailLogId: string;
  /** Its data (domain/feedback); empty after processing. */
  @Column({ type: 'jsonb' }) facts: unknown;
  @Column(moment('happened_at')) happenedAt: Date;
  /** When it is due: to be processed, or to be deleted. Null while it is a dead letter. */
  @Column(optionalMoment('due_at')) dueAt: Date | null;
  @Column(optionalMoment('processed_at')) processedAt: Date | null;
}
