/** A payment provider's event that matches no known workspace or cannot be parsed. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment } from '../../../platform/database/tenant-columns.js';

@Entity('stray_billing_events')
@Index('stray_billing_events_received', ['receivedAt'])
export class UnmatchedBillingEventEntity {
  @PrimaryColumn({ type: 'text' }) key: string;
  @Column({ type: 'text' }) source: string;
  /** As it was received. */
  @Column({ type: 'text' }) body: string;
  @Column({ type: 'text' }) failure: string;
  @Column(moment('received_at')) receivedAt: Date;
}
