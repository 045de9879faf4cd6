/** The state of a workspace's promotional mail: whether it is paused, and since when its metrics count. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, optionalMoment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('sending_standings')
export class PromotionalSendingEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  /** The time of the first message, or of the last time a person resumed promotional mail. */
  @Column(moment('counts_since')) countsSince: Date;
  /** When the metrics were last checked while messages were sent. */
  @Column(optionalMoment('judged_at')) judgedAt: Date | null;
  /** Null when promotional mail is not paused. */
  @Column(optionalMoment('paused_at')) pausedAt: Date | null;
  /**
   * The time until which a pause that is over held its messages, while they are being released; null when all are
   * released.
   */
  @Column(optionalMoment('releasing')) releasing: Date | null;
}
