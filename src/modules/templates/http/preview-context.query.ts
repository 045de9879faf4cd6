/** Query of GET /v1/templates/preview-context, section 4.3. */
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';

export class PreviewContextQuery {
  @ApiPropertyOptional({ example: 'order_placed', description: 'The event that would start the flow.' })
  @IsOptional()
  @IsString()
  event_name?: string;

  @ApiPropertyOptional({ example: 'signed_up,plan_changed', description: 'Names with commas between them.' })
  @IsOptional()
  @IsString()
  additional_events?: string;

  @ApiPropertyOptional({
    maxLength: 255,
    example: 'u1',
    description: 'Record id or external_id; default: whoever the most recent event belongs to.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  contact_id?: string;
}
