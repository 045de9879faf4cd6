/** A named audience of a workspace: the conditions that its contacts meet. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment, optionalText, RECORD_ID, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('segments')
@Index('segments_name', ['workspaceId', 'name'], { unique: true })
export class SegmentEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ type: 'text' }) name: string;
  @Column({ type: 'text', default: '' }) description: string;
  @Column({ type: 'text' }) match: string;
  @Column({ type: 'jsonb', default: [] }) conditions: readonly object[];
  @Column(optionalText('created_by')) createdBy: string | null;
  @Column(moment('created_at')) createdAt: Date;
  @Column(moment('updated_at')) updatedAt: Date;
}
