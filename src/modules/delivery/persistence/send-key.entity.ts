/** The idempotency keys of direct sends (section 4.10), each with the message that used it, until the key expires. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('send_keys')
@Index('send_keys_expiry', ['workspaceId', 'environment', 'expiresAt'])
@Index('send_keys_of_message', ['workspaceId', 'emailLogId'])
export class SendKeyEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn({ type: 'text' }) key: string;
  @Column({ name: 'email_log_id', type: 'uuid' }) emailLogId: string;
  @Column(moment('expires_at')) expiresAt: Date;
}
