/** What a payment provider has told of no workspace that is known, or in no way that can be read. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment } from '../../../platform/database/tenant-columns.js';

@Entity('stray_billing_events')
@Index('stray_billing_events_received', ['receivedAt'])
export class StrayBillingEventEntity {
  @PrimaryColumn({ type: 'text' }) key: string;
  @Column({ type: 'text' }) source: string;
  /** As it came. */
  @Column({ type: 'text' }) body: string;
  @Column({ type: 'text' }) failure: string;
  @Column(moment('received_at')) receivedAt: Date;
}
