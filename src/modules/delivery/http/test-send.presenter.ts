/** Test emails in REST (section 4.3), and the classes that describe them in the OpenAPI document. */
import { ApiProperty } from '@nestjs/swagger';
import { TEST_SEND_REASONS, type TestSendReport } from '../domain/test-send.js';

/** The result of one recipient. */
export class TestSendResultResponse {
  @ApiProperty({ example: 'olive@acme.test' }) email: string;
  @ApiProperty({ enum: ['sent', 'failed'] }) outcome: string;

  @ApiProperty({
    type: String,
    nullable: true,
    enum: [...TEST_SEND_REASONS, null],
    description: 'Null if the email was sent.',
    example: null,
  })
  reason: string | null;
}

/** The result of a test send. */
export class TestSendResponse {
  @ApiProperty({ type: 'integer', example: 1 }) sent_count: number;
  @ApiProperty({ type: [String], example: [], description: 'Addresses the email was not sent to.' })
  failed: readonly string[];
  @ApiProperty({ type: [TestSendResultResponse] }) results: readonly TestSendResultResponse[];
  @ApiProperty() all_accepted: boolean;
}

export function presentTestSend({
  sentCount,
  failed,
  results,
  allAccepted,
}: TestSendReport): TestSendResponse {
  return { sent_count: sentCount, failed, results, all_accepted: allAccepted };
}
