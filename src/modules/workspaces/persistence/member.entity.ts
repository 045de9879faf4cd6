/** A person's membership in a workspace, section 2.1: role, invitation, and the linked identity. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import {
  moment,
  optionalMoment,
  optionalText,
  RECORD_ID,
  WORKSPACE_ID,
} from '../../../platform/database/tenant-columns.js';

@Entity('members')
@Index('members_email', ['workspaceId', 'emailKey'], { unique: true })
@Index('members_owner', ['workspaceId'], { unique: true, where: "role = 'owner'" })
@Index('members_by_identity', ['identitySubject'])
@Index('members_by_email', ['emailKey'])
export class MemberEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ type: 'text' }) email: string;
  /** The email in lower case: a stored column, since `lower()` uses no index under row-level security. */
  @Column({ name: 'email_key', type: 'text' }) emailKey: string;
  @Column({ type: 'text', default: '' }) name: string;
  @Column({ type: 'text' }) role: string;
  @Column({ name: 'is_active', type: 'boolean' }) isActive: boolean;
  @Column(optionalText('identity_subject')) identitySubject: string | null;
  @Column({ name: 'invited_by', type: 'uuid', nullable: true }) invitedBy: string | null;
  @Column(optionalMoment('invite_accepted_at')) inviteAcceptedAt: Date | null;
  @Column(moment('created_at')) createdAt: Date;
  @Column(moment('updated_at')) updatedAt: Date;
}
