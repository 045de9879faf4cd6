/**
 * The transports with what this process knows of each: how many messages are in flight, and whether the server can be
 * reached.
 */
import { Injectable } from '@nestjs/common';
import type { Environment } from '../../../kernel/tenant-scope.js';
import { chosenAmong } from '../domain/chosen-transports.js';
import type { FailedAttempt } from '../domain/failed-attempt.js';
import { MailTransports, type MailTransport } from './mail-transport.port.js';
import { RecipientDomains } from './recipient-domains.js';
import { RefusedSenders } from './refused-senders.js';
import { LANES, SendLanes } from './send-lanes.js';

export interface MailRoute {
  readonly name: string;
  readonly transport: MailTransport;
  readonly lanes: SendLanes;
  readonly domains: RecipientDomains;
  readonly senders: RefusedSenders;
}

/** Whether a tenant's mail can use the route now. */
export function isOpen({ lanes, senders }: MailRoute, tenant: string, now: Date): boolean {
  return !lanes.isHeldBack(now) && !senders.isRefused(tenant, now);
}

/** The route that messages are claimed for, and the routes that they can use instead. */
export interface Way {
  readonly route: MailRoute;
  readonly others: readonly MailRoute[];
}

/** The tenant of a message, and its recipient's domain. */
export interface Carried {
  readonly tenant: string;
  readonly domain: string;
}

/** Records that a message was accepted. */
export function noteTaken(route: MailRoute, carried: Carried, now: Date): void {
  route.lanes.reached();
  noteAnswered(route, carried, now);
}

/**
 * Records that a message was not accepted.
 * @param isFree whether the message can use another route. Then one failure is enough to hold this route back.
 */
export function noteFailure(
  route: MailRoute,
  carried: Carried,
  failed: FailedAttempt,
  isFree: boolean,
  now: Date,
): void {
  const { lanes, domains, senders } = route;
  const { tenant, domain } = carried;
  if (failed.kind === 'unknown_fate') {
    lanes.broken(now);
    return;
  }
  if (failed.kind === 'unreachable' && failed.isOfSender !== true) {
    lanes.unreachable(now, failed.pause ?? (isFree ? 0 : undefined));
    return;
  }
  lanes.reached();
  if (failed.kind === 'unreachable') senders.refused(tenant, now);
  else if (failed.kind === 'temporary' && failed.domain) domains.refused(domain, tenant, failed.domain, now);
  else noteAnswered(route, carried, now);
}

function noteAnswered({ lanes, domains, senders }: MailRoute, { tenant, domain }: Carried, now: Date): void {
  senders.answered(tenant);
  domains.answered(domain, tenant, now, lanes.size);
}

@Injectable()
export class MailRoutes {
  private readonly routes: Readonly<Record<Environment, readonly MailRoute[]>>;

  constructor(transports: MailTransports) {
    const routesOf = (environment: Environment): MailRoute[] =>
      transports.of(environment).map((transport) => ({
        name: transport.name,
        transport,
        lanes: new SendLanes(Math.min(LANES, transport.connections)),
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
    return chosenAmong(this.routes[environment], environment, chosen);
  }

  names(environment: Environment): string[] {
    return this.routes[environment].map(({ name }) => name);
  }

  /** Searches all routes, including those that the workspace has not chosen. */
  named(environment: Environment, name: string | null): MailRoute | undefined {
    return this.routes[environment].find((route) => route.name === name);
  }
}
