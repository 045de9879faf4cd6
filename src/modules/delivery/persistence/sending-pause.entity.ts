/** A pause of promotional mail, stored permanently: why it started, and who ended it. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import {
  moment,
  optionalMoment,
  optionalText,
  RECORD_ID,
  WORKSPACE_ID,
} from '../../../platform/database/tenant-columns.js';

@Entity('sending_pauses')
@Index('sending_pauses_listed', ['workspaceId', 'environment', 'pausedAt'])
export class SendingPauseEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ type: 'text' }) environment: string;
  @Column({ type: 'text' }) reason: string;
  @Column(moment('paused_at')) pausedAt: Date;
  /** The metrics at the start of the pause. */
  @Column({ type: 'bigint' }) sent: string;
  @Column({ type: 'bigint' }) bounced: string;
  @Column({ type: 'bigint' }) complained: string;
  /** Null while the pause lasts. */
  @Column(optionalMoment('resumed_at')) resumedAt: Date | null;
  @Column(optionalText('resumed_by')) resumedBy: string | null;
  @Column(optionalText('note')) note: string | null;
}
