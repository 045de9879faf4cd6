/** The table of campaigns, section 2.9. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import {
  moment,
  optionalMoment,
  optionalText,
  RECORD_ID,
  WORKSPACE_ID,
} from '../../../platform/database/tenant-columns.js';

@Entity('campaigns')
@Index('campaigns_created', ['workspaceId', 'environment', 'createdAt', 'id'])
@Index('campaigns_due', ['workspaceId', 'environment', 'lookAt'], { where: 'look_at IS NOT NULL' })
export class CampaignEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @Column({ type: 'text' }) environment: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ type: 'text' }) name: string;
  @Column(optionalText('subject')) subject: string | null;
  @Column({ name: 'template_id', type: 'uuid', nullable: true }) templateId: string | null;
  @Column({ name: 'segment_id', type: 'uuid', nullable: true }) segmentId: string | null;
  @Column(optionalText('sender_name')) senderName: string | null;
  @Column(optionalText('sender_email')) senderEmail: string | null;
  @Column(optionalText('reply_to')) replyTo: string | null;
  @Column({ type: 'text' }) status: string;
  @Column({ name: 'ab_test', type: 'jsonb', nullable: true }) abTest: object | null;
  @Column({ type: 'jsonb', nullable: true }) recurrence: object | null;
  @Column(optionalMoment('scheduled_at')) scheduledAt: Date | null;
  @Column({ name: 'scheduled_offset', type: 'integer', nullable: true }) scheduledOffset: number | null;
  @Column({ name: 'local_time', type: 'boolean', default: false }) localTime: boolean;
  @Column({ name: 'max_per_hour', type: 'integer', nullable: true }) maxPerHour: number | null;
  @Column(optionalMoment('next_run_at')) nextRunAt: Date | null;
  @Column(optionalText('paused_reason')) pausedReason: string | null;
  @Column(optionalMoment('started_at')) startedAt: Date | null;
  @Column(optionalMoment('completed_at')) completedAt: Date | null;
  @Column({ name: 'audience_size', type: 'integer', nullable: true }) audienceSize: number | null;
  @Column({ type: 'integer', default: 0 }) runs: number;
  @Column({ name: 'created_by', type: 'text' }) createdBy: string;
  @Column(moment('created_at')) createdAt: Date;
  @Column(moment('updated_at')) updatedAt: Date;
  @Column(optionalMoment('look_at')) lookAt: Date | null;
}
