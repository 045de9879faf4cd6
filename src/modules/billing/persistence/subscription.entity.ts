/** A subscription as its events describe it, including an ended one. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { optionalMoment, optionalText, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('subscriptions')
@Index('subscriptions_by_id', ['id'])
export class SubscriptionEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  /** The provider's id. */
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column(optionalText('customer_id')) customerId: string | null;
  @Column(optionalText('standing')) standing: string | null;
  @Column(optionalMoment('standing_at')) standingAt: Date | null;
  @Column({ type: 'text' }) plan: string;
  @Column(optionalMoment('plan_at')) planAt: Date | null;
  @Column(optionalMoment('renewed_at')) renewedAt: Date | null;
  @Column(optionalMoment('period_start')) periodStart: Date | null;
  @Column(optionalMoment('period_end')) periodEnd: Date | null;
  /** What confirms that it is the workspace's own; null if nothing does. */
  @Column(optionalText('confirmed_by')) confirmedBy: string | null;
}
