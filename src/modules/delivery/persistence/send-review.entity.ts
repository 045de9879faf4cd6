/**
 * Records that a rule which holds messages has changed, and how far the review of the messages held by clocks has come.
 * The row is also a lock: a transaction that holds a message shares it and reads the rules under it.
 */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { optionalMoment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('send_reviews', {
  comment: 'How far messages that clocks hold back have been looked at again since their rules have changed',
})
export class SendReviewEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  /** Since when the messages are due for review; null when all are reviewed. */
  @Column(optionalMoment('look_at')) lookAt: Date | null;
  /** The last message that was reviewed; null at the start. */
  @Column({ type: 'uuid', nullable: true }) after: string | null;
  /** Whether the rules changed again since the start. The review then restarts when it ends. */
  @Column({ type: 'boolean', default: false }) again: boolean;
}
