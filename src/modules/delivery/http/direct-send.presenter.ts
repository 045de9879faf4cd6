/** The result of a direct send in REST (section 4.10), with its description for the OpenAPI document. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { RequestedMessage } from '../domain/direct-send.js';

export class DirectSendResponse {
  @ApiProperty({ format: 'uuid' }) email_log_id: string;
  @ApiProperty({ enum: ['queued', 'suppressed'], example: 'queued' }) status: string;
  @ApiPropertyOptional({ example: 'unsubscribed', description: 'Set if the message is suppressed.' })
  suppressed_reason?: string;
}

export function presentDirectSend({
  emailLogId,
  status,
  suppressedReason,
}: RequestedMessage): DirectSendResponse {
  return {
    email_log_id: emailLogId,
    status,
    ...(suppressedReason === null ? {} : { suppressed_reason: suppressedReason }),
  };
}

export class ResendResponse {
  @ApiProperty({ description: 'False if the message is suppressed.' }) success: boolean;
  @ApiProperty({
    format: 'uuid',
    description: 'ID of the new message, or of the same message if its outcome was unknown.',
  })
  email_log_id: string;
  @ApiProperty({ enum: ['queued', 'suppressed'], example: 'queued' }) status: string;
}

export function presentResend({ emailLogId, status }: RequestedMessage): ResendResponse {
  return { success: status === 'queued', email_log_id: emailLogId, status };
}
