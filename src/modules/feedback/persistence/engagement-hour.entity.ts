/** What became of a source's messages, by the hour of UTC in which they were sent. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('engagement_hours')
export class EngagementHourEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  /** The flow or campaign; the nil UUID of messages that are of none. */
  @PrimaryColumn({ name: 'source_id', type: 'uuid' }) sourceId: string;
  /** Its beginning. */
  @PrimaryColumn(moment('hour') as { type: 'timestamptz' }) hour: Date;
  @Column({ type: 'bigint' }) delivered: string;
  @Column({ type: 'bigint' }) opened: string;
  @Column({ type: 'bigint' }) clicked: string;
  @Column({ type: 'bigint' }) bounced: string;
  @Column({ name: 'hard_bounced', type: 'bigint' }) hardBounced: string;
  @Column({ type: 'bigint' }) complained: string;
}
