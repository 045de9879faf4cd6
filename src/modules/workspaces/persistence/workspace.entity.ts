/** The tenant itself (sections 1 and 2.10): its plan, billing state, company, sender and settings. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, optionalMoment, optionalText } from '../../../platform/database/tenant-columns.js';
import type { CompanyInformation, Sender, WorkspaceSettings } from '../domain/workspace.js';

@Entity('workspaces')
export class WorkspaceEntity {
  @PrimaryColumn({ type: 'uuid' }) id: string;
  @Column({ type: 'text' }) name: string;
  @Column({ type: 'text' }) plan: string;
  @Column({ type: 'text', default: 'active' }) status: string;
  @Column(optionalText('suspended_reason')) suspendedReason: string | null;
  @Column(optionalText('payment_customer_id')) paymentCustomerId: string | null;
  @Column(optionalText('payment_subscription_id')) paymentSubscriptionId: string | null;
  @Column({ name: 'account_email_verified', type: 'boolean', default: false }) accountEmailVerified: boolean;
  @Column(optionalMoment('live_at')) liveAt: Date | null;
  @Column({ type: 'jsonb', default: {} }) company: CompanyInformation;
  @Column({ type: 'jsonb', default: {} }) sender: Sender;
  @Column({ type: 'jsonb', default: {} }) settings: WorkspaceSettings;
  @Column(moment('created_at')) createdAt: Date;
  @Column(moment('updated_at')) updatedAt: Date;
}
