/**
 * An override: permission to send a version in spite of its findings (section 4.7), stored by the hash of its token.
 */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment, RECORD_ID, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('inspect_overrides')
@Index('inspect_overrides_token', ['workspaceId', 'tokenHash'], { unique: true })
export class InspectOverrideEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ name: 'token_hash', type: 'text' }) tokenHash: string;
  @Column({ name: 'template_id', type: 'uuid' }) templateId: string;
  @Column({ name: 'template_slug', type: 'text' }) templateSlug: string;
  @Column({ name: 'template_version', type: 'integer' }) templateVersion: number;
  @Column({ type: 'text' }) reason: string;
  @Column({ name: 'created_by', type: 'text' }) createdBy: string;
  @Column(moment('created_at')) createdAt: Date;
  @Column(moment('expires_at')) expiresAt: Date;
}
