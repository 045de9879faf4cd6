/** A contact of one environment of a workspace, section 2.11. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment, optionalText, RECORD_ID, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('contacts')
@Index('contacts_external_id', ['workspaceId', 'externalId', 'environment'], { unique: true })
@Index('contacts_created', { synchronize: false })
@Index('contacts_email', { synchronize: false })
@Index('contacts_search', { synchronize: false })
export class ContactEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ type: 'text' }) environment: string;
  @Column({ name: 'external_id', type: 'text' }) externalId: string;
  @Column(optionalText('email')) email: string | null;
  @Column(optionalText('phone')) phone: string | null;
  @Column(optionalText('first_name')) firstName: string | null;
  @Column(optionalText('last_name')) lastName: string | null;
  @Column(optionalText('product_type')) productType: string | null;
  @Column({ name: 'subscription_status', type: 'text', default: 'subscribed' }) subscriptionStatus: string;
  @Column(optionalText('timezone')) timezone: string | null;
  @Column(optionalText('locale')) locale: string | null;
  @Column({ type: 'jsonb', default: {} }) properties: Record<string, unknown>;
  @Column({ type: 'text', array: true, default: [] }) tags: string[];
  @Column(moment('created_at')) createdAt: Date;
  @Column(moment('updated_at')) updatedAt: Date;
}
