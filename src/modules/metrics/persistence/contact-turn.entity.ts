/** When contacts unsubscribed, were deleted and were restored; written by a trigger on contacts. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';
import { CHANGE_ID } from './rollup-columns.js';

@Entity('contact_turns')
@Index('contact_turns_at', ['workspaceId', 'environment', 'at'])
export class ContactTurnEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(CHANGE_ID) id: string;
  @Column({ type: 'text' }) environment: string;
  @Column({ name: 'contact_id', type: 'uuid' }) contactId: string;
  @Column(moment('at')) at: Date;
  /** `unsubscribed`, `deleted` or `revived`. */
  @Column({ type: 'text' }) turn: string;
}
