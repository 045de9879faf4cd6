/** A suppressed or formerly suppressed address; after its person's erasure, a keyed digest of it. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import {
  moment,
  optionalMoment,
  optionalText,
  RECORD_ID,
  WORKSPACE_ID,
} from '../../../platform/database/tenant-columns.js';

@Entity('suppressions')
@Index('suppressions_of_address', ['workspaceId', 'environment', 'address'], {
  unique: true,
  where: 'address IS NOT NULL',
})
@Index('suppressions_of_digest', ['workspaceId', 'environment', 'digest'], {
  unique: true,
  where: 'digest IS NOT NULL',
})
@Index('suppressions_of_contact', ['workspaceId', 'contactId'], { where: 'contact_id IS NOT NULL' })
@Index('suppressions_listed', ['workspaceId', 'environment', 'since', 'id'])
export class SuppressionEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ type: 'text' }) environment: string;
  @Column(optionalText('address')) address: string | null;
  @Column({ type: 'bytea', nullable: true }) digest: Buffer | null;
  @Column({ type: 'text' }) reason: string;
  @Column(moment('since')) since: Date;
  @Column({ name: 'added_by', type: 'text' }) addedBy: string;
  @Column(optionalText('note')) note: string | null;
  @Column({ name: 'email_log_id', type: 'uuid', nullable: true }) emailLogId: string | null;
  @Column({ name: 'contact_id', type: 'uuid', nullable: true }) contactId: string | null;
  /** When it was removed from the list; null while it is on it. */
  @Column(optionalMoment('removed_at')) removedAt: Date | null;
  /** The latest changes, oldest first (domain/suppression). */
  @Column({ type: 'jsonb' }) history: unknown;
}
