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
import type { AuthenticatedCaller } from './application/key-caller-cache.js';
import { type AccessRule, accessError } from '../access/domain/access.js';
import { type Credentials, credentialsOf } from './domain/credentials.js';
import { callOf, type HttpCall } from '../access/http-call.js';
import { PUBLIC_ROUTE, SIGNED_BODY } from '../access/public.decorator.js';
import { ACCESS_RULE, IDENTITY_ROUTE } from '../access/requires.decorator.js';

interface RouteAccess {
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
  private readonly routes = new WeakMap<object, RouteAccess>();
  /** A GraphQL request passes the guard once for each of its fields, but is one request by one caller. */
  private readonly operations = new WeakMap<FastifyRequest, Promise<AuthenticatedCaller>>();

  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    private readonly rates: RateLimitService,
    private readonly networks: NetworkRates,
    private readonly credentialWindow: CredentialWindow,
    private readonly clients: ClientNetworks,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const call = callOf(context);
    const { rule, endpoint, isSigned } = this.routeOf(context, call);
    if (context.getType() === 'http') {
      const admitted = this.admit(call, rule, endpoint);
      if (isSigned) return admitted;
      return admitted instanceof Promise ? admitted.then(() => read(call)) : read(call);
    }
    if (rule === 'public') return this.admitPublic(call, endpoint);
    if (rule === 'identity') throw new Error('A GraphQL request must be made in a workspace.');
    let operation = this.operations.get(call.request);
    if (!operation) {
      operation = Promise.resolve().then(() => this.establish(call, endpoint));
      this.operations.set(call.request, operation);
    }
    return operation.then((caller) => this.authorize(caller, rule));
  }

  private admit(
    call: HttpCall,
    rule: RouteAccess['rule'],
    endpoint: EndpointClass | undefined,
  ): boolean | Promise<boolean> {
    if (rule === 'public') return this.admitPublic(call, endpoint);
    if (rule === 'identity') return this.identify(call, endpoint);
    const established = this.establish(call, endpoint);
    return established instanceof Promise
      ? established.then((caller) => this.authorize(caller, rule))
      : this.authorize(established, rule);
  }

  private admitPublic(call: HttpCall, endpoint: EndpointClass | undefined): boolean {
    if (endpoint && !endpoint.countsOnlyRejections) this.countAnonymous(call);
    return true;
  }

  private authorize({ principal, suspended }: AuthenticatedCaller, rule: AccessRule): boolean {
    const rejection = accessError(principal, rule, { suspended, dashboardUrl: this.config.baseUrl });
    if (rejection) throw rejection;
    return true;
  }

  /**
   * Authenticates the caller and counts the request. Asynchronous only if the caller or its rate windows are not in
   * memory.
   */
  private establish(
    call: HttpCall,
    endpoint: EndpointClass | undefined,
  ): AuthenticatedCaller | Promise<AuthenticatedCaller> {
    const accept = (established: AuthenticatedCaller): AuthenticatedCaller | Promise<AuthenticatedCaller> => {
      call.request.principal = established.principal;
      const counted = this.count(call, established.principal, endpoint);
      return counted ? counted.then(() => established) : established;
    };
    const [credentials, cached] = this.readCredentials(call, endpoint, (parsed) => [
      parsed,
      this.authenticator.cached(parsed),
    ]);
    if (cached) return accept(cached);
    return this.withinCredentialWindow(call, endpoint, credentials, () =>
      this.authenticator.establish(credentials),
    ).then(accept);
  }

  /**
   * Identifies the person that the token names, and counts the request. An API key names no person, and is refused as
   * on every route that does not accept keys.
   */
  private async identify(call: HttpCall, endpoint: EndpointClass | undefined): Promise<boolean> {
    const credentials = this.readCredentials(call, endpoint, (parsed) => parsed);
    if (credentials.kind === 'api_key') return this.authorize(await this.establish(call, endpoint), {});
    const identity = await this.withinCredentialWindow(call, endpoint, credentials, () =>
      this.authenticator.identify(credentials),
    );
    call.request.identity = identity;
    await this.count(call, { kind: 'person', subject: identity.subject }, endpoint);
    return true;
  }

  /** The result of `read` for the credentials of a request; counts the request if they are refused. */
  private readCredentials<Result>(
    call: HttpCall,
    endpoint: EndpointClass | undefined,
    read: (credentials: Credentials) => Result,
  ): Result {
    try {
      return read(credentialsOf(call.request.headers));
    } catch (error) {
      if (error instanceof DomainError && error.status < 500) this.countRejected(call, error, endpoint);
      throw error;
    }
  }

  /** The result of `lookUp`, within the rate window of bad credentials. */
  private withinCredentialWindow<Result>(
    call: HttpCall,
    endpoint: EndpointClass | undefined,
    credentials: Credentials,
    lookUp: () => Promise<Result>,
  ): Promise<Result> {
    if (!endpoint) return lookUp();
    const bearer = {
      network: this.clients.of(call.request),
      fingerprint: this.authenticator.fingerprintOf(credentials),
      provenSubject: () => this.authenticator.provenSubjectOf(credentials),
      report: rateReporterOf(call),
    };
    return this.credentialWindow.pass(bearer, lookUp);
  }

  /** A request without credentials counts as anonymous; one with bad credentials counts in their window. */
  private countRejected(call: HttpCall, { code }: DomainError, endpoint: EndpointClass | undefined): void {
    if (!endpoint) return;
    if (NO_CREDENTIALS.includes(code)) this.countAnonymous(call);
    else this.credentialWindow.countRejected(this.clients.of(call.request), rateReporterOf(call));
  }

  /** @returns a promise if the caller's rate windows have to be loaded. */
  private count(
    call: HttpCall,
    caller: KnownCaller,
    endpoint: EndpointClass | undefined,
  ): Promise<void> | undefined {
    if (!endpoint) return undefined;
    const report = rateReporterOf(call);
    const decision = this.rates.check(caller, endpoint);
    if (decision instanceof Promise) return decision.then((awaited) => enforce(awaited, report));
    enforce(decision, report);
    return undefined;
  }

  private countAnonymous(call: HttpCall): void {
    const network = this.clients.of(call.request);
    // Uses real time: rate limits belong to HTTP, not to the product.
    enforce(this.networks.check({ kind: 'stranger', network }, Date.now()), rateReporterOf(call));
  }

  private routeOf(context: ExecutionContext, { request }: HttpCall): RouteAccess {
    const handler = context.getHandler();
    let route = this.routes.get(handler);
    if (!route) {
      const rule = this.ruleOf(context);
      if (!rule)
        throw new Error(
          `${context.getClass().name}.${handler.name} says neither @Requires, @RequiresIdentity nor @Public.`,
        );
      route = {
        rule,
        isSigned: this.markOf<boolean>(context, SIGNED_BODY) ?? false,
        endpoint: classOf(request.method, request.routeOptions.url ?? request.url),
      };
      this.routes.set(handler, route);
    }
    return route;
  }

  private ruleOf(context: ExecutionContext): RouteAccess['rule'] | undefined {
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
function enforce(decision: RateDecision, report: (decision: RateDecision) => void): void {
  report(decision);
  assertAllowed(decision);
}

function rateReporterOf({ reply }: HttpCall): (decision: RateDecision) => void {
  return (decision) => void reply.headers(rateHeaders(decision));
}
