/** Injects the author of a change, as recorded by audit logs, into a handler or resolver. */
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

/** The caller and its network. Declare the parameter with type Author. */
export const CurrentAuthor = (): ParameterDecorator => CurrentRequest(AuthorPipe);

/** The network of a request without a principal. Declare the parameter with type string. */
export const CurrentNetwork = (): ParameterDecorator => CurrentRequest(NetworkPipe);
