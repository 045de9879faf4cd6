/**
 * The tenant itself (sections 1 and 2.10): its plan, billing state, company, sender and settings. JSON columns use
 * the names of the seed file.
 */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { CustomRates } from '../../../kernel/principal.js';
import type { SnakeKeys } from '../../../kernel/letter-case.js';
import { moment, optionalMoment, optionalText } from '../../../platform/database/tenant-columns.js';
import type { CompanyInformation, Sender, WorkspaceSettings } from '../domain/workspace.js';

export interface StoredSettings extends Omit<WorkspaceSettings, 'frequencyCap' | 'mailTransports'> {
  readonly mail_transports?: readonly string[];
  readonly frequency_cap?: SnakeKeys<NonNullable<WorkspaceSettings['frequencyCap']>>;
}

@Entity('workspaces')
@Index('workspaces_of_subscription', ['paymentSubscriptionId'], {
  where: 'payment_subscription_id IS NOT NULL',
})
@Index('workspaces_of_customer', ['paymentCustomerId'], { where: 'payment_customer_id IS NOT NULL' })
@Index('workspaces_to_delete', ['deletionAt'], { where: 'deletion_at IS NOT NULL' })
export class WorkspaceEntity {
  @PrimaryColumn({ type: 'uuid' }) id: string;
  @Column({ type: 'text' }) name: string;
  @Column({ type: 'text' }) plan: string;
  /** The operator's plan while a subscription sets another one; null if there is no such plan or no subscription. */
  @Column(optionalText('granted_plan')) grantedPlan: string | null;
  /** Written by a trigger: the plans before the latest changes that are within thirty days of each other. */
  @Column({ name: 'former_plans', type: 'text', array: true, default: [] }) formerPlans: string[];
  /** Written by the same trigger. */
  @Column(optionalMoment('plan_changed_at')) planChangedAt: Date | null;
  @Column({ type: 'text', default: 'active' }) status: string;
  @Column(optionalText('suspended_reason')) suspendedReason: string | null;
  @Column(optionalText('payment_customer_id')) paymentCustomerId: string | null;
  @Column(optionalText('payment_subscription_id')) paymentSubscriptionId: string | null;
  @Column({ name: 'account_email_verified', type: 'boolean', default: false }) accountEmailVerified: boolean;
  @Column(optionalMoment('live_at')) liveAt: Date | null;
  @Column({ type: 'jsonb', default: {} }) company: SnakeKeys<CompanyInformation>;
  @Column({ type: 'jsonb', default: {} }) sender: SnakeKeys<Sender>;
  @Column({ type: 'jsonb', default: {} }) settings: StoredSettings;
  /** When all data is deleted. */
  @Column(optionalMoment('deletion_at')) deletionAt: Date | null;
  @Column(optionalMoment('deletion_begun_at')) deletionBegunAt: Date | null;
  /** A failed deletion is not retried before this time. */
  @Column(optionalMoment('deletion_retry_at')) deletionRetryAt: Date | null;
  @Column({ name: 'custom_rates', type: 'jsonb', default: {} }) customRates: SnakeKeys<CustomRates>;
  @Column(moment('created_at')) createdAt: Date;
  @Column(moment('updated_at')) updatedAt: Date;
}
