/** A topic of a workspace's promotional mail. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('topics')
export class TopicEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) key: string;
  @Column({ type: 'text' }) name: string;
  @Column({ type: 'text' }) description: string;
  /** By language. */
  @Column({ type: 'jsonb', default: {} }) names: object;
  @Column({ type: 'jsonb', default: {} }) descriptions: object;
  @Column({ name: 'subscribed_by_default', type: 'boolean' }) isSubscribedByDefault: boolean;
  @Column({ name: 'is_archived', type: 'boolean', default: false }) isArchived: boolean;
  @Column(moment('created_at')) createdAt: Date;
  @Column(moment('updated_at')) updatedAt: Date;
}
