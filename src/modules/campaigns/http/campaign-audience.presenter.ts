/** The audience preview in REST, and the classes that describe it in the OpenAPI document. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { restOf } from '../../../platform/output/output-class.js';
import { ContactOutput } from '../../contacts/output/contact.output.js';
import { AbWarningResponse, presentAbWarnings } from './campaign-ab-tests.presenter.js';
import { MAX_SAMPLE_CONTACTS, type AudiencePreview } from '../domain/audience-preview.js';

class SkippedResponse {
  @ApiProperty({ type: 'integer' }) unsubscribed: number;
  @ApiProperty({ type: 'integer' }) deleted: number;
  @ApiProperty({ type: 'integer' }) no_email_address: number;
  @ApiProperty({ type: 'integer' }) suppression_list: number;
  @ApiProperty({ type: 'integer', description: 'Another contact in the audience has the same address.' })
  duplicate_address: number;
}

/** The audience that a campaign would reach if it were sent now. */
export class AudiencePreviewResponse {
  @ApiProperty({ format: 'uuid' }) segment_id: string;
  @ApiProperty({ type: 'integer', description: 'All contacts in the segment.' }) total: number;
  @ApiProperty({ type: 'integer' }) sendable: number;
  @ApiProperty() skipped: SkippedResponse;
  @ApiProperty({
    type: [ContactOutput],
    maxItems: MAX_SAMPLE_CONTACTS,
    description:
      'A sample of the recipients, newest first. Addresses are masked without permission to read contacts.',
  })
  sample: readonly object[];
  @ApiProperty({ format: 'date-time' }) evaluated_at: string;
  @ApiPropertyOptional({
    type: [AbWarningResponse],
    description: 'Reasons why the A/B test may not give a meaningful result. Omitted if there are none.',
  })
  ab_test_warnings?: readonly AbWarningResponse[];
}

export function presentAudience(preview: AudiencePreview): AudiencePreviewResponse {
  return {
    segment_id: preview.segmentId,
    total: preview.total,
    sendable: preview.sendable,
    skipped: preview.skipped,
    sample: preview.sample.map((contact) => restOf(ContactOutput, contact)),
    evaluated_at: preview.evaluatedAt.toISOString(),
    ...presentAbWarnings(preview.abTestWarnings),
  };
}
