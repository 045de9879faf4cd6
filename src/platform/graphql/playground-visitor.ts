/**
 * Credentials that the playground fills in by itself, where the start of the embedded default offers those of its demo
 * workspace; nobody else offers any. They are for the page in the browser on this machine alone: a page of another
 * origin may neither send the header that is asked for nor read the answer, a name that was bound to this machine anew
 * is not one of its own, and neighbours in the network and whatever forwards for others are refused.
 */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../kernel/domain-error.js';

export const VISITOR_PATH = '/graphql/visitor';
/** A header that no form, link or image sends; from another origin it needs leave, which is never given. */
export const VISITOR_HEADER = 'x-waypost-playground';

/** Headers to ask with. */
export type VisitorHeaders = Readonly<Record<string, string>>;

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);
const LOOPBACK_ADDRESS = /^(?:(?:::ffff:)?127\.\d+\.\d+\.\d+|::1)$/;
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

@Injectable()
export class PlaygroundVisitor implements OnModuleInit {
  private headers: (() => Promise<VisitorHeaders>) | undefined;

  constructor(private readonly host: HttpAdapterHost) {}

  /** From now on the playground begins with these headers, made anew for each visit. */
  offer(headers: () => Promise<VisitorHeaders>): void {
    this.headers = headers;
  }

  onModuleInit(): void {
    const instance: FastifyInstance = this.host.httpAdapter.getInstance();
    instance.get(VISITOR_PATH, async (request: FastifyRequest, reply: FastifyReply) => {
      reply.header('cache-control', 'no-store');
      if (!this.headers) return reply.code(204).send();
      if (!isOwnPage(request)) throw new DomainError('not_found', 'Nothing found at this path.');
      return reply.send(await this.headers());
    });
  }
}

/** Whether our own page asks, in a browser on this machine. */
function isOwnPage({ headers, socket }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return (
    headers[VISITOR_HEADER] === '1' &&
    (site === undefined || site === 'same-origin') &&
    isLoopbackName(headers.host ?? '') &&
    LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '') &&
    !FORWARDING.some((name) => headers[name] !== undefined)
  );
}

/** Whether an address as browsers write it, with or without a port, names this machine. */
export function isLoopbackName(host: string): boolean {
  return LOOPBACK_NAMES.has(host.replace(/:\d+$/, '').toLowerCase());
}
