/** How a workspace's promotional mail stands: whether it is paused, and since when its figures count. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, optionalMoment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('sending_standings')
export class PromotionalSendingEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  /** Since the first message, or since a person had mail go on. */
  @Column(moment('counts_since')) countsSince: Date;
  /** When its figures were looked at last as messages went out. */
  @Column(optionalMoment('judged_at')) judgedAt: Date | null;
  /** Null where mail goes on. */
  @Column(optionalMoment('paused_at')) pausedAt: Date | null;
  /** Until when messages were held by a pause that is over, and that are to be let go; null when all have been. */
  @Column(optionalMoment('releasing')) releasing: Date | null;
}
