/**
 * An opt-out, an opt-in or a pause, kept as evidence: the service may add such rows and read them, and neither change nor
 * remove them. They name a contact by its id alone, which says nothing once the person is erased.
 */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import {
  moment,
  optionalMoment,
  optionalText,
  RECORD_ID,
  WORKSPACE_ID,
} from '../../../platform/database/tenant-columns.js';

@Entity('preference_changes')
@Index('preference_changes_of_contact', ['workspaceId', 'environment', 'contactId', 'id'])
export class PreferenceChangeEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ type: 'text' }) environment: string;
  @Column({ name: 'contact_id', type: 'uuid' }) contactId: string;
  @Column({ type: 'text' }) kind: string;
  /** Null where all promotional mail is meant. */
  @Column(optionalText('topic')) topic: string | null;
  @Column(optionalMoment('until')) until: Date | null;
  @Column({ type: 'text' }) way: string;
  /** The email whose link was used. */
  @Column({ name: 'message_id', type: 'uuid', nullable: true }) messageId: string | null;
  @Column(optionalText('actor')) actor: string | null;
  @Column(moment('changed_at')) changedAt: Date;
}
