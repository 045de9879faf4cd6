/** The transports with what this process knows of each: how many messages are under way, whether it can be reached. */
import { Injectable } from '@nestjs/common';
import type { Environment } from '../../../kernel/tenant-scope.js';
import { chosenAmong } from '../domain/chosen-transports.js';
import { MailTransports, type MailTransport } from './mail-transport.port.js';
import { RecipientDomains } from './recipient-domains.js';
import { LANES, SendLanes } from './send-lanes.js';

export interface MailRoute {
  readonly name: string;
  readonly transport: MailTransport;
  readonly lanes: SendLanes;
  readonly domains: RecipientDomains;
}

/** The way that messages are taken out of the queue for, and those that they may take instead. */
export interface Way {
  readonly route: MailRoute;
  readonly others: readonly MailRoute[];
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
      }));
    this.routes = { live: routesOf('live'), test: routesOf('test') };
  }

  /**
   * Those that mail of a workspace may take, in order.
   * @param chosen names that the workspace has chosen.
   */
  of(environment: Environment, chosen: readonly string[] | undefined): readonly MailRoute[] {
    return chosenAmong(this.routes[environment], environment, chosen);
  }

  names(environment: Environment): string[] {
    return this.routes[environment].map(({ name }) => name);
  }

  /** Of all, also those that the workspace has not chosen. */
  named(environment: Environment, name: string | null): MailRoute | undefined {
    return this.routes[environment].find((route) => route.name === name);
  }
}
