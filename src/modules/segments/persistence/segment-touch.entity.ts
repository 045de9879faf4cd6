/** A touched contact: its data changed, and its segments must be decided again. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('segment_touches')
@Index('segment_touches_due', ['workspaceId', 'environment', 'touchedAt'])
export class SegmentTouchEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ name: 'contact_id', type: 'uuid' }) contactId: string;
  @Column({ type: 'text' }) environment: string;
  @Column(moment('touched_at')) touchedAt: Date;
}
