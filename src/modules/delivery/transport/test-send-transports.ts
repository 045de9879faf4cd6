/**
 * The ways out for test emails: connections of their own, so that somebody who tries a template out never takes one
 * from the sender, and none before the first test email. Unlike the sender, an API without SMTP_URL starts all the
 * same; it has no transport for live mail then.
 */
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Environment } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import type { MailTransport } from '../application/mail-transport.port.js';
import { chosenAmong } from '../domain/chosen-transports.js';
import { openTransports } from './open-transports.js';

/** As many as one request has recipients. */
const CONNECTIONS = 5;

@Injectable()
export class TestSendTransports implements OnApplicationShutdown {
  private readonly transports: Readonly<Record<Environment, readonly MailTransport[]>>;

  constructor(@Inject(RUNTIME_CONFIG) config: RuntimeConfig) {
    this.transports = openTransports(config, CONNECTIONS);
  }

  /**
   * The transports of an environment's test emails in the order in which they are tried; none when there is none.
   * @param chosen by the workspace.
   */
  of(environment: Environment, chosen: readonly string[] | undefined): readonly MailTransport[] {
    return chosenAmong(this.transports[environment], environment, chosen);
  }

  onApplicationShutdown(): void {
    for (const transport of Object.values(this.transports).flat()) transport.close();
  }
}
