/** Test emails as REST shows them (section 4.3), and the classes that describe them in the OpenAPI document. */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { LARGEST_BODY, LONGEST_SUBJECT } from '../../templates/domain/template-bounds.js';
import { DEFAULT_TEST_SUBJECT, LONGEST_SENDER_NAME, MOST_TEST_RECIPIENTS } from '../domain/read-test-send.js';
import { TEST_MARKER, TEST_SEND_REASONS, type TestSendReport } from '../domain/test-send.js';

/** Body of POST /v1/templates/test-send. */
export class TestSendBody {
  @ApiProperty({
    type: [String],
    minItems: 1,
    maxItems: MOST_TEST_RECIPIENTS,
    example: ['olive@acme.test'],
    description: 'A malformed address fails alone. A repeated one is sent one email.',
  })
  to_emails: string[];

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: LONGEST_SUBJECT,
    default: DEFAULT_TEST_SUBJECT,
    description: `Sent with ${TEST_MARKER} before it.`,
  })
  subject?: string | null;

  @ApiProperty({
    minLength: 1,
    description: `At most ${LARGEST_BODY} bytes of UTF-8. Rendered with the recipient's contact, where there is one.`,
    example: '<p>Hi {the user\'s First Name, or "there"}</p>',
  })
  body_html: string;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: LONGEST_SENDER_NAME, example: 'Acme' })
  sender_name?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    example: 'hello@acme.test',
    description: 'At an unverified domain it is rewritten to the shared sending domain, as in real email.',
  })
  from_email?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, example: 'help@acme.test' })
  reply_to?: string | null;
}

/** What came of one recipient. */
export class TestSendResultResponse {
  @ApiProperty({ example: 'olive@acme.test' }) email: string;
  @ApiProperty({ enum: ['sent', 'failed'] }) outcome: string;

  @ApiProperty({
    type: String,
    nullable: true,
    enum: [...TEST_SEND_REASONS, null],
    description: 'Null when it was sent.',
    example: null,
  })
  reason: string | null;
}

/** What came of a test send. */
export class TestSendResponse {
  @ApiProperty({ type: 'integer', example: 1 }) sent_count: number;
  @ApiProperty({ type: [String], example: [], description: 'Those that were not sent it.' })
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
