/** One sending of a campaign. Its audience is taken once, and its content is frozen when the sending starts. */
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
  /** The content, frozen when the sending started. */
  @Column({ type: 'jsonb' }) content: object;
  /** The send times. */
  @Column({ type: 'jsonb' }) timing: object;
  /** The last contact that has been processed. */
  @Column({ name: 'taken_to', type: 'uuid', nullable: true }) takenTo: string | null;
  /** Whether the whole audience has been taken. */
  @Column({ name: 'is_taken', type: 'boolean', default: false }) isTaken: boolean;
  @Column({ type: 'integer', default: 0 }) audience: number;
  @Column({ type: 'integer', default: 0 }) skipped: number;
  /** Recipients that have a message or will have one. */
  @Column({ type: 'integer', default: 0 }) mailed: number;
  /** Recipients among `mailed` that wait for the winner of a test. */
  @Column({ type: 'integer', default: 0 }) rest: number;
  /** The total length of its pauses, by which messages spread over hours move later. */
  @Column({ name: 'delayed_ms', type: 'bigint', default: 0 }) delayedMs: string;
  @Column(optionalMoment('paused_at')) pausedAt: Date | null;
  /** The pending update of all of its waiting messages: see SWEEPS of domain/instance. */
  @Column(optionalText('sweep')) sweep: string | null;
  @Column({ name: 'sweep_after', type: 'uuid', nullable: true }) sweepAfter: string | null;
  /** The variant that won the test; null before. */
  @Column({ type: 'smallint', nullable: true }) winner: number | null;
  @Column(optionalText('decided_by')) decidedBy: string | null;
  @Column(optionalMoment('decided_at')) decidedAt: Date | null;
  /** When the rest began to get the winner, without the pauses. */
  @Column(optionalMoment('rest_from')) restFrom: Date | null;
  /** The event that a test counts, while it may count any. */
  @Column(optionalText('goal_event')) goalEvent: string | null;
  /** The end of the conversion window; null while that is open. */
  @Column(optionalMoment('goal_until')) goalUntil: Date | null;
  /** The time of the last progress reading. */
  @Column(optionalMoment('paced_at')) pacedAt: Date | null;
  /** Messages with a final status at that time. */
  @Column({ type: 'integer', default: 0 }) paced: number;
  @Column({ name: 'per_minute', type: 'double precision', nullable: true }) perMinute: number | null;
}
