/**
 * Slots that messages used before they were sent again. A message with an unknown outcome may have left both times, and
 * its own row records only the later use. Rows are kept for the longest throttle period.
 */
import { Entity, PrimaryColumn } from 'typeorm';
import { WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('spent_slots', {
  comment:
    "Slots of a source's throttle that messages used before they were sent again: email_logs.slot_at has the last use alone",
})
export class SpentSlotEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({
    name: 'source_id',
    type: 'uuid',
    comment: 'The flow or campaign, as email_logs.source_id',
  })
  sourceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn({ name: 'used_at', type: 'timestamptz', precision: 3 }) usedAt: Date;
  @PrimaryColumn({ name: 'email_log_id', type: 'uuid' }) emailLogId: string;
}
