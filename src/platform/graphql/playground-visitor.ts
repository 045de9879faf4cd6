/**
 * Credentials that the playground fills in automatically. Only the embedded default offers them, for its demo
 * workspace, and only to the page in a browser on this machine. A page of another origin can neither send the required
 * header nor read the response. DNS rebinding, other machines in the network, and proxies are rejected.
 */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../kernel/domain-error.js';

export const VISITOR_PATH = '/graphql/visitor';
/**
 * A header that forms, links and images cannot send. From another origin it needs CORS permission, which is never
 * given.
 */
export const VISITOR_HEADER = 'x-waypost-playground';

/** Headers for the playground's requests. */
export type VisitorHeaders = Readonly<Record<string, string>>;

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);
const LOOPBACK_ADDRESS = /^(?:(?:::ffff:)?127\.\d+\.\d+\.\d+|::1)$/;
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

@Injectable()
export class PlaygroundVisitor implements OnModuleInit {
  private headers: (() => Promise<VisitorHeaders>) | undefined;

  constructor(private readonly host: HttpAdapterHost) {}

  /** Offers these headers to the playground, created anew for each visit. */
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

/** Whether the request comes from our own page in a browser on this machine. */
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

/** Whether a host as browsers send it, with or without a port, names this machine. */
export function isLoopbackName(host: string): boolean {
  return LOOPBACK_NAMES.has(host.replace(/:\d+$/, '').toLowerCase());
}
