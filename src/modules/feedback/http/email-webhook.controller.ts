/** POST /v1/webhooks/email: receives the email provider's events about messages, section 6.2. */
import { Controller, HttpCode, Inject, type RawBodyRequest, Post, Req } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../../kernel/domain-error.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { readBody } from '../../../platform/http/json-body.js';
import { SignedBody } from '../../access/public.decorator.js';
import { verifyWebhook } from '../../delivery/providers/registry.js';
import { FeedbackIntake } from '../application/feedback-intake.js';
import { feedbackOf } from '../domain/provider-feedback.js';

const MAX_BODY_BYTES = 256 * 1024;
const HEADER = {
  required: false,
  description: 'Required, under this name or with the `webhook-` prefix.',
  schema: { type: 'string' },
} as const;

@ApiTags('Webhooks')
@Controller('v1/webhooks/email')
export class EmailWebhookController {
  constructor(
    private readonly intake: FeedbackIntake,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  @Post()
  @HttpCode(200)
  @SignedBody()
  @ApiOperation({
    summary: 'Receive an event from the email provider',
    description:
      'Signed according to Standard Webhooks; headers can also use the `webhook-` prefix. The response is the ' +
      'same for new, duplicate, unknown and unmatched events.',
  })
  @ApiHeader({ name: 'svix-id', ...HEADER })
  @ApiHeader({ name: 'svix-timestamp', ...HEADER })
  @ApiHeader({ name: 'svix-signature', ...HEADER })
  @ApiBody({
    schema: {
      type: 'object',
      required: ['type'],
      properties: {
        type: { type: 'string', example: 'email.delivered' },
        created_at: { type: 'string', format: 'date-time' },
        data: { type: 'object', properties: { email_id: { type: 'string' } }, additionalProperties: true },
      },
    },
  })
  @ApiResponse({
    status: 200,
    description: 'The event is stored.',
    schema: { type: 'object', properties: { received: { type: 'boolean' } }, required: ['received'] },
  })
  @ApiErrors('validation_error', 'invalid_signature', 'payload_too_large')
  async receive(@Req() request: RawBodyRequest<FastifyRequest>): Promise<{ readonly received: true }> {
    const body = request.rawBody ?? Buffer.alloc(0);
    if (body.length > MAX_BODY_BYTES)
      throw new DomainError('payload_too_large', `The body is larger than ${MAX_BODY_BYTES} bytes.`);
    // Real time: signatures belong to HTTP, not to the product's clock.
    const now = Date.now();
    const webhook = { headers: request.headers, body };
    const verified = verifyWebhook(webhook, this.config.emailWebhookSecrets, now);
    if (!verified)
      throw new DomainError('invalid_signature', 'The signature is missing, invalid or too old.');
    readBody(request);
    const events = verified.provider.readEvents(request.body, verified.id);
    if (!events) throw new DomainError('validation_error', 'The body is not an event: it has no type.');
    for (const event of events) await this.intake.accept(event.candidates, feedbackOf(event));
    return { received: true };
  }
}
