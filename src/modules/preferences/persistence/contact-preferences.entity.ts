/** What a contact has chosen for promotional mail; a contact that has chosen nothing has no row. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, optionalMoment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('contact_preferences')
export class ContactPreferencesEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn({ name: 'contact_id', type: 'uuid' }) contactId: string;
  /** Whether the contact wants a topic, by topic key. */
  @Column({ type: 'jsonb', default: {} }) choices: object;
  @Column(optionalMoment('paused_until')) pausedUntil: Date | null;
  @Column(moment('updated_at')) updatedAt: Date;
}
