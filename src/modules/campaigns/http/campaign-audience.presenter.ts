/** Whom a campaign would reach, as REST shows it, and the classes that describe it in the OpenAPI document. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ContactResponse, presentContact } from '../../contacts/http/contact.presenter.js';
import { AbWarningResponse, presentAbWarnings } from './campaign-ab-tests.presenter.js';
import { LARGEST_SAMPLE, type AudiencePreview } from '../domain/audience-preview.js';

class SkippedResponse {
  @ApiProperty({ type: 'integer' }) unsubscribed: number;
  @ApiProperty({ type: 'integer' }) deleted: number;
  @ApiProperty({ type: 'integer' }) no_email_address: number;
  @ApiProperty({ type: 'integer' }) suppression_list: number;
  @ApiProperty({ type: 'integer', description: 'Another contact of the audience has the address.' })
  duplicate_address: number;
}

/** Whom a campaign would reach if it were sent now. */
export class AudiencePreviewResponse {
  @ApiProperty({ format: 'uuid' }) segment_id: string;
  @ApiProperty({ type: 'integer', description: 'Everybody in the segment.' }) total: number;
  @ApiProperty({ type: 'integer' }) sendable: number;
  @ApiProperty() skipped: SkippedResponse;
  @ApiProperty({
    type: [ContactResponse],
    maxItems: LARGEST_SAMPLE,
    description:
      'Of those who would get it, the newest first. Addresses are masked for whoever may not read contacts.',
  })
  sample: readonly ContactResponse[];
  @ApiProperty({ format: 'date-time' }) evaluated_at: string;
  @ApiPropertyOptional({
    type: [AbWarningResponse],
    description: 'Why the A/B test may give no meaningful result; absent where there are no warnings.',
  })
  ab_test_warnings?: readonly AbWarningResponse[];
}

export function presentAudience(preview: AudiencePreview): AudiencePreviewResponse {
  return {
    segment_id: preview.segmentId,
    total: preview.total,
    sendable: preview.sendable,
    skipped: preview.skipped,
    sample: preview.sample.map(presentContact),
    evaluated_at: preview.evaluatedAt.toISOString(),
    ...presentAbWarnings(preview.abTestWarnings),
  };
}
