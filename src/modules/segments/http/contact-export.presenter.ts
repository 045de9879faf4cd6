/** What POST /v1/contacts/export takes, section 4.10. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString, ValidateIf } from 'class-validator';
import { EXPORT_FORMATS, type ExportFormat } from '../../contacts/application/contact-export.service.js';

export class ContactExportBody {
  @ApiProperty({ enum: EXPORT_FORMATS }) @IsIn(EXPORT_FORMATS) format: ExportFormat;

  @ApiPropertyOptional({ format: 'uuid', description: 'Only the contacts that are in this segment now.' })
  @ValidateIf((body: ContactExportBody) => body.segment_id !== undefined)
  @IsString()
  segment_id?: string;
}
