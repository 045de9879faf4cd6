/** The transports as the configuration has them: SMTP_URL for live mail, the local mailbox for that of the sandbox. */
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Environment } from '../../../kernel/tenant-scope.js';
import { ConfigError, RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { type MailTransport, MailTransports } from '../application/mail-transport.port.js';
import { LANES } from '../application/send-lanes.js';
import { NowhereTransport } from './nowhere.transport.js';
import { SmtpTransport } from './smtp.transport.js';

@Injectable()
export class ConfiguredTransports extends MailTransports implements OnApplicationShutdown {
  private readonly transports: Readonly<Record<Environment, MailTransport>>;

  constructor(@Inject(RUNTIME_CONFIG) { smtpUrl, sandboxSmtpUrl }: RuntimeConfig) {
    super();
    if (smtpUrl === undefined)
      throw new ConfigError(
        'SMTP_URL is missing: a process that sends email needs one, such as smtp://127.0.0.1:1025.',
      );
    this.transports = {
      live: new SmtpTransport(smtpUrl, LANES),
      test: sandboxSmtpUrl === undefined ? new NowhereTransport() : new SmtpTransport(sandboxSmtpUrl, LANES),
    };
  }

  override of(environment: Environment): MailTransport {
    return this.transports[environment];
  }

  onApplicationShutdown(): void {
    for (const transport of Object.values(this.transports)) transport.close();
  }
}
