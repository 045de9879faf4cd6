/** When contacts unsubscribed, were deleted and were restored; written by a trigger on contacts. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';
import { RANDOM_ID } from './rollup-columns.js';

@Entity('contact_turns')
@Index('contact_turns_at', ['workspaceId', 'environment', 'at'])
export class ContactTransitionEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RANDOM_ID) id: string;
  @Column({ type: 'text' }) environment: string;
  @Column({ name: 'contact_id', type: 'uuid' }) contactId: string;
  @Column(moment('at')) at: Date;
  /** `unsubscribed`, `deleted` or `revived`. */
  @Column({ type: 'text' }) turn: string;
}
