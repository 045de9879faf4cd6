/** A payment provider's event for a workspace: stored on receipt, processed soon after, kept as history. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import {
  moment,
  optionalMoment,
  optionalText,
  RECORD_ID,
  WORKSPACE_ID,
} from '../../../platform/database/tenant-columns.js';

@Entity('billing_events')
@Index('billing_events_of_key', ['workspaceId', 'key'], { unique: true })
@Index('billing_events_due', ['dueAt'], { where: 'due_at IS NOT NULL' })
@Index('billing_events_failed', ['receivedAt'], { where: 'failure IS NOT NULL' })
export class BillingEventEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  /** The same for the same event, however often it is delivered. */
  @Column({ type: 'text' }) key: string;
  @Column({ type: 'text' }) source: string;
  @Column({ type: 'jsonb' }) event: unknown;
  @Column(moment('received_at')) receivedAt: Date;
  /** Set while the event waits for processing. */
  @Column(optionalMoment('due_at')) dueAt: Date | null;
  @Column(optionalMoment('processed_at')) processedAt: Date | null;
  /** Why it was not applied. */
  @Column(optionalText('failure')) failure: string | null;
}
