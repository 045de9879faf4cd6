/** What a payment provider's request brings, once it is known to be the provider's: whatever it is, it is taken in. */
import type { RawBodyRequest } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../../kernel/domain-error.js';
import { readBody } from '../../../platform/http/json-body.js';
import type { Delivery } from '../application/billing-intake.js';
import type { BillingSource } from '../domain/billing-event.js';

/** Bytes; events are a few hundred. */
const LARGEST_BODY = 64 * 1024;

/** The body as it came. */
export function rawBodyOf(request: RawBodyRequest<FastifyRequest>): Buffer {
  return request.rawBody ?? Buffer.alloc(0);
}

/** @throws DomainError payload_too_large. */
export function deliveryOf(source: BillingSource, request: RawBodyRequest<FastifyRequest>): Delivery {
  const body = rawBodyOf(request);
  if (body.length > LARGEST_BODY)
    throw new DomainError('payload_too_large', `The body is larger than ${LARGEST_BODY} bytes.`);
  return { source, text: body.toString('utf8'), value: valueOf(request) };
}

/** What it says; undefined where that cannot be read. */
function valueOf(request: RawBodyRequest<FastifyRequest>): unknown {
  try {
    readBody(request);
    return request.body;
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}
