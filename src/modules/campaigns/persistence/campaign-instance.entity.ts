/** One sending of a campaign: its audience is taken once, and what is sent is what it was when the sending began. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import {
  moment,
  optionalMoment,
  optionalText,
  RECORD_ID,
  WORKSPACE_ID,
} from '../../../platform/database/tenant-columns.js';

@Entity('campaign_instances')
@Index('campaign_instances_goals', ['workspaceId', 'environment', 'goalEvent'], {
  where: 'goal_event IS NOT NULL',
})
@Index('campaign_instances_of_campaign', ['workspaceId', 'campaignId', 'number'], { unique: true })
export class CampaignInstanceEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @Column({ type: 'text' }) environment: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ name: 'campaign_id', type: 'uuid' }) campaignId: string;
  @Column({ type: 'integer' }) number: number;
  @Column({ type: 'text' }) status: string;
  @Column(optionalMoment('scheduled_at')) scheduledAt: Date | null;
  @Column(moment('started_at')) startedAt: Date;
  @Column(optionalMoment('completed_at')) completedAt: Date | null;
  /** What is sent, as it was when the sending began. */
  @Column({ type: 'jsonb' }) content: object;
  /** When messages may go. */
  @Column({ type: 'jsonb' }) timing: object;
  /** The last contact that was asked about. */
  @Column({ name: 'taken_to', type: 'uuid', nullable: true }) takenTo: string | null;
  /** Whether the whole audience has been taken. */
  @Column({ name: 'is_taken', type: 'boolean', default: false }) isTaken: boolean;
  @Column({ type: 'integer', default: 0 }) audience: number;
  @Column({ type: 'integer', default: 0 }) skipped: number;
  /** Recipients that have, or will have, a message. */
  @Column({ type: 'integer', default: 0 }) mailed: number;
  /** Those of them that wait for the winner of a test. */
  @Column({ type: 'integer', default: 0 }) rest: number;
  /** How long it was paused, which moves what is spread over hours. */
  @Column({ name: 'delayed_ms', type: 'bigint', default: 0 }) delayedMs: string;
  @Column(optionalMoment('paused_at')) pausedAt: Date | null;
  /** What is to be done to all of its messages that wait: see domain/instance-sweep. */
  @Column(optionalText('sweep')) sweep: string | null;
  @Column({ name: 'sweep_after', type: 'uuid', nullable: true }) sweepAfter: string | null;
  /** The variant that the test has decided for; null before. */
  @Column({ type: 'smallint', nullable: true }) winner: number | null;
  @Column(optionalText('decided_by')) decidedBy: string | null;
  @Column(optionalMoment('decided_at')) decidedAt: Date | null;
  /** When the rest began, without what it was paused. */
  @Column(optionalMoment('rest_from')) restFrom: Date | null;
  /** The event that a test counts, while it may count any. */
  @Column(optionalText('goal_event')) goalEvent: string | null;
  /** After when no event counts; null while that is open. */
  @Column(optionalMoment('goal_until')) goalUntil: Date | null;
  /** When it was last read how far it is. */
  @Column(optionalMoment('paced_at')) pacedAt: Date | null;
  /** Messages that had come to their end by then. */
  @Column({ type: 'integer', default: 0 }) paced: number;
  @Column({ name: 'per_minute', type: 'double precision', nullable: true }) perMinute: number | null;
}
