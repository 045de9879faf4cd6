/**
 * What holds a tenant's messages back has changed, and how far those that clocks hold back have been looked at again. The
 * row is a lock as well: who holds a message back shares it, and reads under it what the rules are.
 */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { optionalMoment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('send_reviews', {
  comment: 'How far messages that clocks hold back have been looked at again since their rules have changed',
})
export class SendReviewEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  /** Since when they are to be looked at; null when all have been. */
  @Column(optionalMoment('look_at')) lookAt: Date | null;
  /** The message that was looked at last; null at the beginning. */
  @Column({ type: 'uuid', nullable: true }) after: string | null;
  /** Whether there was another change since the beginning, so that it begins anew at the end. */
  @Column({ type: 'boolean', default: false }) again: boolean;
}
