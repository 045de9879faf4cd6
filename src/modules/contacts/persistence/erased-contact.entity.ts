/**
 * The former names of an erased contact, as keyed hashes, so that the unsubscribe link in an old email still works.
 */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('erased_contacts')
export class ErasedContactEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn({ name: 'contact_id', type: 'uuid' }) contactId: string;
  @Column({ type: 'bytea', array: true }) digests: Buffer[];
}
