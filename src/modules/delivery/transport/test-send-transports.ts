/**
 * The transports for test emails. They have connections of their own, so that a test never takes one from the sender,
 * and open none before the first test email. Unlike the sender, an API process without SMTP_URL starts anyway; it then
 * has no transport for live mail.
 */
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Environment } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import type { MailTransport } from '../application/mail-transport.port.js';
import { chosenTransports } from '../domain/chosen-transports.js';
import { openTransports } from './open-transports.js';

/** As many as one request can have recipients. */
const MAX_CONNECTIONS = 5;

@Injectable()
export class TestSendTransports implements OnApplicationShutdown {
  private readonly transports: Readonly<Record<Environment, readonly MailTransport[]>>;

  constructor(@Inject(RUNTIME_CONFIG) config: RuntimeConfig) {
    this.transports = openTransports(config, MAX_CONNECTIONS);
  }

  /**
   * The transports of an environment's test emails in the order in which they are tried; may be empty.
   * @param chosen names that the workspace has chosen.
   */
  of(environment: Environment, chosen: readonly string[] | undefined): readonly MailTransport[] {
    return chosenTransports(this.transports[environment], environment, chosen);
  }

  onApplicationShutdown(): void {
    for (const transport of Object.values(this.transports).flat()) transport.close();
  }
}
