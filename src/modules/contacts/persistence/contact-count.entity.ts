/** A tenant's number of contacts that are not deleted. It is stored, since counting a million rows takes too long. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('contact_counts')
export class ContactCountEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @Column({ type: 'integer' }) contacts: number;
}
