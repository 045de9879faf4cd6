/**
 * The ways out for test emails: connections of their own, so that somebody who tries a template out never takes one
 * from the sender, and none before the first test email. Unlike the sender, an API without SMTP_URL starts all the
 * same; it has no transport for live mail then.
 */
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Environment } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import type { MailTransport } from '../application/mail-transport.port.js';
import { NowhereTransport } from './nowhere.transport.js';
import { SmtpTransport } from './smtp.transport.js';

/** As many as one request has recipients. */
const CONNECTIONS = 5;

@Injectable()
export class TestSendTransports implements OnApplicationShutdown {
  private readonly transports: Readonly<Record<Environment, MailTransport | undefined>>;

  constructor(@Inject(RUNTIME_CONFIG) { smtpUrl, sandboxSmtpUrl }: RuntimeConfig) {
    this.transports = {
      live: smtpUrl === undefined ? undefined : new SmtpTransport(smtpUrl, CONNECTIONS),
      test:
        sandboxSmtpUrl === undefined
          ? new NowhereTransport()
          : new SmtpTransport(sandboxSmtpUrl, CONNECTIONS),
    };
  }

  /** The transport of an environment's test emails; undefined when there is none. */
  of(environment: Environment): MailTransport | undefined {
    return this.transports[environment];
  }

  onApplicationShutdown(): void {
    for (const transport of Object.values(this.transports)) transport?.close();
  }
}
