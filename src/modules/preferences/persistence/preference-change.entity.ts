/**
 * An opt-out, an opt-in or a pause, retained as evidence: the service may insert and read such rows, but not update
 * or delete them. They refer to a contact only by its id, which identifies no one after an erasure.
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
  /** Null for all promotional mail. */
  @Column(optionalText('topic')) topic: string | null;
  @Column(optionalMoment('until')) until: Date | null;
  @Column({ type: 'text' }) way: string;
  /** The email whose link was used. */
  @Column({ name: 'message_id', type: 'uuid', nullable: true }) messageId: string | null;
  @Column(optionalText('actor')) actor: string | null;
  @Column(moment('changed_at')) changedAt: Date;
}
