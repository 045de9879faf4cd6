/**
 * The transports with what this process knows of each: how many messages are in flight, and whether the server can be
 * reached.
 */
import { Injectable } from '@nestjs/common';
import type { Environment } from '../../../kernel/tenant-scope.js';
import { chosenTransports } from '../domain/chosen-transports.js';
import type { FailedAttempt } from '../domain/failed-attempt.js';
import { MailTransports, type MailTransport } from './mail-transport.port.js';
import { RecipientDomains } from './recipient-domains.js';
import { RefusedSenders } from './refused-senders.js';
import { SLOTS_PER_TRANSPORT, TransportSlots } from './transport-slots.js';

export interface MailRoute {
  readonly name: string;
  readonly transport: MailTransport;
  readonly slots: TransportSlots;
  readonly domains: RecipientDomains;
  readonly senders: RefusedSenders;
}

/** Whether a tenant's mail can use the route now. */
export function isOpen({ slots, senders }: MailRoute, tenant: string, now: Date): boolean {
  return !slots.isHeldBack(now) && !senders.isRefused(tenant, now);
}

/** The route that messages are claimed for, and the routes that they can use instead. */
export interface Routing {
  readonly route: MailRoute;
  readonly fallbacks: readonly MailRoute[];
}

/** The tenant of a message, and its recipient's domain. */
export interface MailTarget {
  readonly tenant: string;
  readonly domain: string;
}

/** Records that a message was accepted. */
export function recordAccepted(route: MailRoute, target: MailTarget, now: Date): void {
  route.slots.recordAnswer();
  recordAnswered(route, target, now);
}

/**
 * Records that a message was not accepted.
 * @param canReroute whether the message can use another route. Then one failure is enough to hold this route back.
 */
export function recordFailure(
  route: MailRoute,
  target: MailTarget,
  failed: FailedAttempt,
  canReroute: boolean,
  now: Date,
): void {
  const { slots, domains, senders } = route;
  const { tenant, domain } = target;
  if (failed.kind === 'unknown_fate') {
    slots.recordBrokenConnection(now);
    return;
  }
  if (failed.kind === 'unreachable' && failed.isOfSender !== true) {
    slots.recordUnreachable(now, failed.pause ?? (canReroute ? 0 : undefined));
    return;
  }
  slots.recordAnswer();
  if (failed.kind === 'unreachable') senders.recordRefusal(tenant, now);
  else if (failed.kind === 'temporary' && failed.domain)
    domains.recordRefusal(domain, tenant, failed.domain, now);
  else recordAnswered(route, target, now);
}

function recordAnswered(
  { slots, domains, senders }: MailRoute,
  { tenant, domain }: MailTarget,
  now: Date,
): void {
  senders.recordAnswer(tenant);
  domains.recordAnswer(domain, tenant, now, slots.size);
}

@Injectable()
export class MailRoutes {
  private readonly routes: Readonly<Record<Environment, readonly MailRoute[]>>;

  constructor(transports: MailTransports) {
    const routesOf = (environment: Environment): MailRoute[] =>
      transports.of(environment).map((transport) => ({
        name: transport.name,
        transport,
        slots: new TransportSlots(Math.min(SLOTS_PER_TRANSPORT, transport.connections)),
        domains: new RecipientDomains(),
        senders: new RefusedSenders(),
      }));
    this.routes = { live: routesOf('live'), test: routesOf('test') };
  }

  /**
   * The routes that mail of a workspace can use, in order.
   * @param chosen names that the workspace has chosen.
   */
  of(environment: Environment, chosen: readonly string[] | undefined): readonly MailRoute[] {
    return chosenTransports(this.routes[environment], environment, chosen);
  }

  names(environment: Environment): string[] {
    return this.routes[environment].map(({ name }) => name);
  }

  /** Searches all routes, including those that the workspace has not chosen. */
  named(environment: Environment, name: string | null): MailRoute | undefined {
    return this.routes[environment].find((route) => route.name === name);
  }
}
