/** POST /v1/webhooks/billing: events of the second billing provider, section 6.2. */
import { Controller, HttpCode, Inject, Post, type RawBodyRequest, Req } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../../kernel/domain-error.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { SignedBody } from '../../access/public.decorator.js';
import { BillingIntake } from '../application/billing-intake.js';
import { isSignature } from '../application/provider-authentication.js';
import { deliveryOf, rawBodyOf } from './delivery.js';

@ApiTags('Webhooks')
@Controller('v1/webhooks/billing')
export class BillingWebhookController {
  constructor(
    private readonly intake: BillingIntake,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  @Post()
  @HttpCode(200)
  @SignedBody()
  @ApiOperation({
    summary: 'Receive an event from the second billing provider',
    description: 'The response is the same whatever the outcome. Events are processed asynchronously.',
  })
  @ApiHeader({
    name: 'X-Signature',
    required: false,
    description: 'Required. The HMAC-SHA256 of the raw request body, in hexadecimal.',
    schema: { type: 'string' },
  })
  @ApiBody({
    schema: {
      type: 'object',
      required: ['meta', 'data'],
      properties: {
        meta: {
          type: 'object',
          properties: {
            event_name: { type: 'string', example: 'subscription_created' },
            custom_data: {
              type: 'object',
              properties: { workspace_id: { type: 'string' }, checkout_token: { type: 'string' } },
            },
          },
        },
        data: {
          type: 'object',
          properties: {
            id: { type: 'string' },
            attributes: { type: 'object', additionalProperties: true },
          },
        },
      },
    },
  })
  @ApiResponse({
    status: 200,
    description: 'The event is stored.',
    schema: { type: 'object', properties: { received: { type: 'boolean' } }, required: ['received'] },
  })
  @ApiErrors('invalid_signature', 'payload_too_large')
  async receive(@Req() request: RawBodyRequest<FastifyRequest>): Promise<{ readonly received: true }> {
    if (!isSignature(request.headers['x-signature'], rawBodyOf(request), this.config.billingWebhookSecret))
      throw new DomainError('invalid_signature', 'X-Signature is missing or not valid.');
    await this.intake.receive(deliveryOf('billing', request));
    return { received: true };
  }
}
