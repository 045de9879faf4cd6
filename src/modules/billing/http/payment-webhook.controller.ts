/** POST /v1/webhooks/payment: events of the payment provider, sections 4.6 and 6.1. */
import { Controller, HttpCode, Inject, Post, type RawBodyRequest, Req } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../../kernel/domain-error.js';
import { isJsonObject } from '../../../kernel/json.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { SignedBody } from '../../access/public.decorator.js';
import { BillingIntake } from '../application/billing-intake.js';
import { matchesSecret } from '../application/provider-authentication.js';
import { textIn } from '../domain/provider-values.js';
import { deliveryOf } from './delivery.js';

interface Receipt {
  readonly received: true;
  /** As it was received; null if there is none that can be read. */
  readonly event_type: string | null;
}

@ApiTags('Webhooks')
@Controller('v1/webhooks/payment')
export class PaymentWebhookController {
  constructor(
    private readonly intake: BillingIntake,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  @Post()
  @HttpCode(200)
  @SignedBody()
  @ApiOperation({
    summary: 'Receive an event from the payment provider',
    description:
      'Deprecated: use the second billing provider for new integrations. The response is the same whatever the ' +
      'outcome. Events are processed asynchronously.',
  })
  @ApiHeader({
    name: 'X-Webhook-Secret',
    required: false,
    description: 'Required. One of the shared secrets.',
    schema: { type: 'string' },
  })
  @ApiBody({
    schema: {
      type: 'object',
      required: ['event_type'],
      properties: {
        event_type: { type: 'string', example: 'subscription.activated' },
        timestamp: { type: 'string', format: 'date-time' },
        data: {
          type: 'object',
          properties: {
            subscription_id: { type: 'string' },
            customer_id: { type: 'string' },
            plan_id: { type: 'string', example: 'plan_growth' },
            amount: { type: 'integer', description: 'Amount in cents.' },
            currency: { type: 'string', example: 'EUR' },
            interval: { type: 'string', example: 'month' },
            current_period_start: { type: 'string', format: 'date-time' },
            current_period_end: { type: 'string', format: 'date-time' },
            status: { type: 'string' },
            metadata: { type: 'object', properties: { checkout_token: { type: 'string' } } },
          },
          additionalProperties: true,
        },
      },
    },
  })
  @ApiResponse({
    status: 200,
    description: 'The event is stored.',
    schema: {
      type: 'object',
      properties: { received: { type: 'boolean' }, event_type: { type: 'string', nullable: true } },
      required: ['received', 'event_type'],
    },
  })
  @ApiErrors('invalid_signature', 'payload_too_large')
  async receive(@Req() request: RawBodyRequest<FastifyRequest>): Promise<Receipt> {
    if (!matchesSecret(request.headers['x-webhook-secret'], this.config.paymentWebhookSecrets))
      throw new DomainError('invalid_signature', 'X-Webhook-Secret is missing or not valid.');
    const delivery = deliveryOf('payment', request);
    await this.intake.receive(delivery);
    const { value } = delivery;
    return { received: true, event_type: (isJsonObject(value) && textIn(value, 'event_type')) || null };
  }
}
