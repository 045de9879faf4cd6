/**
 * A contact's run through a flow, section 2.12. A wait is a row with `resume_at`, not a delayed job. The unique index
 * lets one event start at most one trip of a flow, however often its processing is repeated.
 */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import {
  moment,
  optionalMoment,
  optionalText,
  RECORD_ID,
  WORKSPACE_ID,
} from '../../../platform/database/tenant-columns.js';

@Entity('trips')
@Index('trips_due', ['workspaceId', 'environment', 'resumeAt'], { where: 'resume_at IS NOT NULL' })
@Index('trips_of_contact', ['workspaceId', 'contactId', 'flowId', 'environment', 'startedAt'])
@Index('trips_of_flow', ['workspaceId', 'flowId', 'environment', 'startedAt'])
@Index('trips_under_way', ['workspaceId', 'flowId', 'environment', 'lastStep'], {
  where: 'completed_at IS NULL',
})
@Index('trips_failed', ['workspaceId', 'flowId', 'environment', 'lastStep'], { where: "status = 'failed'" })
@Index('trips_unwoken', ['workspaceId', 'environment', 'id'], {
  where: "resume_at IS NULL AND status IN ('active', 'paused')",
})
@Index('trips_of_event', ['workspaceId', 'triggerEventId', 'flowId'], { unique: true })
export class TripEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ type: 'text' }) environment: string;
  @Column({ name: 'flow_id', type: 'uuid' }) flowId: string;
  @Column({ name: 'flow_version', type: 'integer' }) flowVersion: number;
  @Column({ name: 'contact_id', type: 'uuid' }) contactId: string;
  @Column({ name: 'trigger_event_id', type: 'uuid' }) triggerEventId: string;
  @Column({ type: 'text' }) status: string;
  /** The id of the last step taken; 0 before the first. */
  @Column({ name: 'last_step', type: 'integer' }) lastStep: number;
  /** When the engine next processes the trip; null while something else must happen first. */
  @Column(optionalMoment('resume_at')) resumeAt: Date | null;
  @Column(moment('started_at')) startedAt: Date;
  @Column(moment('updated_at')) updatedAt: Date;
  @Column(optionalMoment('completed_at')) completedAt: Date | null;
  @Column(optionalText('ended_reason')) endedReason: string | null;
  /** What was decided and why, see domain/trail. */
  @Column({ type: 'text', default: '' }) trail: string;
  /** Whether it has reached any goal; set by a trigger on the conversions table. */
  @Column({ type: 'boolean', default: false }) converted: boolean;
}
