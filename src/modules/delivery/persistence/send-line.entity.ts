/**
 * The queue in which messages of a throttled source (a flow or a campaign) wait for their slots, and the lock under
 * which slots are granted. The messages themselves record which of them wait and which hold a slot.
 */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { optionalMoment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('send_lines', {
  comment:
    'Lines in which messages of a throttled source wait for slots: the lock under which slots are given',
})
@Index('send_lines_due', ['workspaceId', 'environment', 'lookAt'], { where: 'look_at IS NOT NULL' })
export class SendLineEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({
    name: 'source_id',
    type: 'uuid',
    comment: 'The flow or campaign, as email_logs.source_id',
  })
  sourceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  /** When to check the queue next; null when no message waits in it. */
  @Column(optionalMoment('look_at')) lookAt: Date | null;
  /** When the next slot is expected to be free. */
  @Column(optionalMoment('opens_at')) opensAt: Date | null;
  /** Slots that can be granted without another count, as long as the throttle is still `placesOf`. */
  @Column({ type: 'integer', default: 0 }) places: number;
  @Column({ name: 'places_of', type: 'text', default: '' }) placesOf: string;
}
