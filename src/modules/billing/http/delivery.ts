/** The content of a payment provider's request after authentication. Any content is accepted. */
import type { RawBodyRequest } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../../kernel/domain-error.js';
import { readBody } from '../../../platform/http/json-body.js';
import type { Delivery } from '../application/billing-intake.js';
import type { BillingSource } from '../domain/billing-event.js';

/** Maximum bytes. Events have a few hundred. */
const MAX_BODY_BYTES = 64 * 1024;

/** The body as it was received. */
export function rawBodyOf(request: RawBodyRequest<FastifyRequest>): Buffer {
  return request.rawBody ?? Buffer.alloc(0);
}

/** @throws DomainError payload_too_large. */
export function deliveryOf(source: BillingSource, request: RawBodyRequest<FastifyRequest>): Delivery {
  const body = rawBodyOf(request);
  if (body.length > MAX_BODY_BYTES)
    throw new DomainError('payload_too_large', `The body is larger than ${MAX_BODY_BYTES} bytes.`);
  return { source, text: body.toString('utf8'), value: valueOf(request) };
}

/** The parsed body; undefined if it cannot be parsed. */
function valueOf(request: RawBodyRequest<FastifyRequest>): unknown {
  try {
    readBody(request);
    return request.body;
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}
