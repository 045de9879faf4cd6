/** A contact's membership in a segment, which ended at `left_at` if set. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment, optionalMoment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('segment_members')
@Index('segment_members_of_contact', ['workspaceId', 'contactId'])
export class SegmentMemberEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ name: 'segment_id', type: 'uuid' }) segmentId: string;
  @PrimaryColumn({ name: 'contact_id', type: 'uuid' }) contactId: string;
  @Column({ type: 'text' }) environment: string;
  @Column(moment('entered_at')) enteredAt: Date;
  @Column(optionalMoment('left_at')) leftAt: Date | null;
}
