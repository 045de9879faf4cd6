/** Hands a handler or resolver what records of changes keep of its caller. */
import { createParamDecorator, type ExecutionContext, Injectable, type PipeTransform } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { actorOf, type Author } from '../../kernel/principal.js';
import { ClientNetworks } from '../../platform/http/client-networks.js';
import { principalOf } from './current-principal.decorator.js';
import { callOf } from './http-call.js';

const CurrentRequest = createParamDecorator(
  (_data: unknown, context: ExecutionContext): FastifyRequest => callOf(context).request,
);

@Injectable()
class NetworkPipe implements PipeTransform<FastifyRequest, string> {
  constructor(private readonly clients: ClientNetworks) {}

  transform(request: FastifyRequest): string {
    return this.clients.of(request);
  }
}

@Injectable()
class AuthorPipe implements PipeTransform<FastifyRequest, Author> {
  constructor(private readonly clients: ClientNetworks) {}

  transform(request: FastifyRequest): Author {
    return { actor: actorOf(principalOf(request)), network: this.clients.of(request) };
  }
}

/** Who asks, and from where. Give the parameter the type Author. */
export const CurrentAuthor = (): ParameterDecorator => CurrentRequest(AuthorPipe);

/** Where the request came from, where no principal asks. Give the parameter the type string. */
export const CurrentNetwork = (): ParameterDecorator => CurrentRequest(NetworkPipe);
