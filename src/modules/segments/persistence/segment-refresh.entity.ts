/** When a segment's members are to be computed again in an environment, and the last result. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { optionalMoment, optionalText, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('segment_refreshes')
@Index('segment_refreshes_due', ['workspaceId', 'environment', 'refreshAt'])
export class SegmentRefreshEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ name: 'segment_id', type: 'uuid' }) segmentId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  /** Null while it is a dead letter. */
  @Column(optionalMoment('refresh_at')) refreshAt: Date | null;
  @Column(optionalMoment('refreshed_at')) refreshedAt: Date | null;
  @Column({ type: 'integer', nullable: true }) members: number | null;
  @Column(optionalText('error')) error: string | null;
}
