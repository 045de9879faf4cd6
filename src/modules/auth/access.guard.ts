/**
 * The only guard of the service: authenticates the caller, counts the request against the caller's rate limits, and
 * checks the handler's access rule (sections 5, 7.2, 8.1), for REST and GraphQL alike. A handler without a rule is
 * refused. For a known key it answers synchronously, since every event passes here. The body is only read once the
 * request is admitted.
 */
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../kernel/domain-error.js';
import type { ErrorCode } from '../../kernel/error-catalogue.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../platform/config/config.js';
import { ClientNetworks } from '../../platform/http/client-networks.js';
import { readBody } from '../../platform/http/json-body.js';
import { NetworkRates } from '../limits/application/network-rates.js';
import { RateLimitService } from '../limits/application/rate-limit.service.js';
import type { KnownCaller } from '../limits/domain/caller.js';
import { classOf, type EndpointClass } from '../limits/domain/endpoint.js';
import { assertAllowed, type RateDecision, rateHeaders } from '../limits/domain/rate-decision.js';
import { Authenticator } from './application/authenticator.js';
import { CredentialWindow } from './application/credential-window.js';
import type { Established } from './application/established.js';
import { type AccessRule, refusalOf } from '../access/domain/access.js';
import { type Credentials, credentialsOf } from './domain/credentials.js';
import { callOf, type HttpCall } from '../access/http-call.js';
import { PUBLIC_ROUTE, SIGNED_BODY } from '../access/public.decorator.js';
import { ACCESS_RULE, IDENTITY_ROUTE } from '../access/requires.decorator.js';

interface Gate {
  readonly rule: AccessRule | 'public' | 'identity';
  /** Undefined if no rate limit applies. */
  readonly endpoint: EndpointClass | undefined;
  /** The handler reads the body itself, once it has verified the signature over it. */
  readonly isSigned: boolean;
}

/** Errors of a request without credentials. */
const NO_CREDENTIALS: readonly ErrorCode[] = ['missing_workspace_id', 'missing_api_key', 'missing_token'];

@Injectable()
export class AccessGuard implements CanActivate {
  /** The rule of each handler, read once. */
  private readonly gates = new WeakMap<object, Gate>();
  /** A GraphQL request passes the guard once for each of its fields, but is one request by one caller. */
  private readonly operations = new WeakMap<FastifyRequest, Promise<Established>>();

  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    private readonly rates: RateLimitService,
    private readonly networks: NetworkRates,
    private readonly window: CredentialWindow,
    private readonly clients: ClientNetworks,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const call = callOf(context);
    const { rule, endpoint, isSigned } = this.gateOf(context, call);
    if (context.getType() === 'http') {
      const admitted = this.admit(call, rule, endpoint);
      if (isSigned) return admitted;
      return admitted instanceof Promise ? admitted.then(() => read(call)) : read(call);
    }
    if (rule === 'public') return this.admitAnybody(call, endpoint);
    if (rule === 'identity') throw new Error('A GraphQL request must be made in a workspace.');
    let operation = this.operations.get(call.request);
    if (!operation) {
      operation = Promise.resolve().then(() => this.establish(call, endpoint));
      this.operations.set(call.request, operation);
    }
    return operation.then((caller) => this.pass(caller, rule));
  }

  private admit(
    call: HttpCall,
    rule: Gate['rule'],
    endpoint: EndpointClass | undefined,
  ): boolean | Promise<boolean> {
    if (rule === 'public') return this.admitAnybody(call, endpoint);
    if (rule === 'identity') return this.identify(call, endpoint);
    const established = this.establish(call, endpoint);
    return established instanceof Promise
      ? established.then((caller) => this.pass(caller, rule))
      : this.pass(established, rule);
  }

  private admitAnybody(call: HttpCall, endpoint: EndpointClass | undefined): boolean {
    if (endpoint && !endpoint.refusalsOnly) this.countStranger(call);
    return true;
  }

  private pass({ principal, suspended }: Established, rule: AccessRule): boolean {
    const refusal = refusalOf(principal, rule, { suspended, dashboardUrl: this.config.baseUrl });
    if (refusal) throw refusal;
    return true;
  }

  /**
   * Authenticates the caller and counts the request. Asynchronous only if the caller or its rate windows are not in
   * memory.
   */
  private establish(call: HttpCall, endpoint: EndpointClass | undefined): Established | Promise<Established> {
    const welcome = (established: Established): Established | Promise<Established> => {
      call.request.principal = established.principal;
      const counted = this.count(call, established.principal, endpoint);
      return counted ? counted.then(() => established) : established;
    };
    const [credentials, known] = this.brought(call, endpoint, (brought) => [
      brought,
      this.authenticator.known(brought),
    ]);
    if (known) return welcome(known);
    return this.proven(call, endpoint, credentials, () => this.authenticator.establish(credentials)).then(
      welcome,
    );
  }

  /**
   * Identifies the person that the token names, and counts the request. An API key names no person, and is refused as
   * on every route that does not accept keys.
   */
  private async identify(call: HttpCall, endpoint: EndpointClass | undefined): Promise<boolean> {
    const credentials = this.brought(call, endpoint, (brought) => brought);
    if (credentials.kind === 'api_key') return this.pass(await this.establish(call, endpoint), {});
    const identity = await this.proven(call, endpoint, credentials, () =>
      this.authenticator.identify(credentials),
    );
    call.request.identity = identity;
    await this.count(call, { kind: 'person', subject: identity.subject }, endpoint);
    return true;
  }

  /** The result of `read` for the credentials of a request; counts the request if they are refused. */
  private brought<Result>(
    call: HttpCall,
    endpoint: EndpointClass | undefined,
    read: (credentials: Credentials) => Result,
  ): Result {
    try {
      return read(credentialsOf(call.request.headers));
    } catch (error) {
      if (error instanceof DomainError && error.status < 500) this.refused(call, error, endpoint);
      throw error;
    }
  }

  /** The result of `ask`, within the rate window of bad credentials. */
  private proven<Result>(
    call: HttpCall,
    endpoint: EndpointClass | undefined,
    credentials: Credentials,
    ask: () => Promise<Result>,
  ): Promise<Result> {
    if (!endpoint) return ask();
    const bearer = {
      network: this.clients.of(call.request),
      fingerprint: this.authenticator.fingerprintOf(credentials),
      shown: () => this.authenticator.shownBy(credentials),
      tell: tellOf(call),
    };
    return this.window.pass(bearer, ask);
  }

  /** A request without credentials counts as anonymous; one with bad credentials counts in their window. */
  private refused(call: HttpCall, { code }: DomainError, endpoint: EndpointClass | undefined): void {
    if (!endpoint) return;
    if (NO_CREDENTIALS.includes(code)) this.countStranger(call);
    else this.window.refused(this.clients.of(call.request), tellOf(call));
  }

  /** @returns a promise if the caller's rate windows have to be loaded. */
  private count(
    call: HttpCall,
    caller: KnownCaller,
    endpoint: EndpointClass | undefined,
  ): Promise<void> | undefined {
    if (!endpoint) return undefined;
    const tell = tellOf(call);
    const decision = this.rates.check(caller, endpoint);
    if (decision instanceof Promise) return decision.then((made) => abide(made, tell));
    abide(decision, tell);
    return undefined;
  }

  private countStranger(call: HttpCall): void {
    const network = this.clients.of(call.request);
    // Uses real time: rate limits belong to HTTP, not to the product.
    abide(this.networks.check({ kind: 'stranger', network }, Date.now()), tellOf(call));
  }

  private gateOf(context: ExecutionContext, { request }: HttpCall): Gate {
    const handler = context.getHandler();
    let gate = this.gates.get(handler);
    if (!gate) {
      const rule = this.ruleOf(context);
      if (!rule)
        throw new Error(
          `${context.getClass().name}.${handler.name} says neither @Requires, @RequiresIdentity nor @Public.`,
        );
      gate = {
        rule,
        isSigned: this.markOf<boolean>(context, SIGNED_BODY) ?? false,
        endpoint: classOf(request.method, request.routeOptions.url ?? request.url),
      };
      this.gates.set(handler, gate);
    }
    return gate;
  }

  private ruleOf(context: ExecutionContext): Gate['rule'] | undefined {
    const rule = this.markOf<AccessRule>(context, ACCESS_RULE);
    if (rule) return rule;
    if (this.markOf<boolean>(context, PUBLIC_ROUTE)) return 'public';
    return this.markOf<boolean>(context, IDENTITY_ROUTE) ? 'identity' : undefined;
  }

  private markOf<Mark>(context: ExecutionContext, mark: symbol): Mark | undefined {
    return this.reflector.getAllAndOverride<Mark | undefined>(mark, [
      context.getHandler(),
      context.getClass(),
    ]);
  }
}

/** Reads the body of an admitted request. The body of a refused request is never read. */
function read({ request }: HttpCall): true {
  readBody(request);
  return true;
}

/** @throws DomainError rate_limit_exceeded. */
function abide(decision: RateDecision, tell: (decision: RateDecision) => void): void {
  tell(decision);
  assertAllowed(decision);
}

function tellOf({ reply }: HttpCall): (decision: RateDecision) => void {
  return (decision) => void reply.headers(rateHeaders(decision));
}
