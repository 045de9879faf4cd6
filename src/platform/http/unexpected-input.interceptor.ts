/**
 * Rejects input that a handler does not use: body fields, and query parameters of a request that changes something. A
 * handler that takes the raw request checks it itself. No body and an empty object are equivalent.
 */
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { refuseInput } from '../input/no-input.js';

/** Nest's numbers for kinds of parameters. */
const REQUEST = 0;
const BODY = 3;
const QUERY = 4;

@Injectable()
export class UnexpectedInputInterceptor implements NestInterceptor {
  private readonly cache = new WeakMap<object, ReadonlySet<number>>();

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() === 'http') this.refuse(context, context.switchToHttp().getRequest());
    return next.handle();
  }

  private refuse(context: ExecutionContext, { method, body, query }: FastifyRequest): void {
    if (method === 'GET' || method === 'HEAD') return;
    const accepted = this.acceptedKinds(context);
    if (accepted.has(REQUEST)) return;
    if (!accepted.has(BODY)) refuseInput(body, 'body');
    if (!accepted.has(QUERY)) refuseInput(query, 'query');
  }

  private acceptedKinds(context: ExecutionContext): ReadonlySet<number> {
    const handler = context.getHandler();
    const known = this.cache.get(handler);
    if (known) return known;
    const kinds = kindsOf(context.getClass(), handler.name);
    this.cache.set(handler, kinds);
    return kinds;
  }
}

function kindsOf(type: Type, method: string): ReadonlySet<number> {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, type, method) ?? {}) as object;
  return new Set(
    Object.keys(parameters).flatMap((key) => (/^\d+:/.test(key) ? Number.parseInt(key, 10) : [])),
  );
}
