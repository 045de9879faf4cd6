/** The configured transports: SMTP_URL and MAIL_PROVIDERS for live mail, the local mailbox for sandbox mail. */
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Environment } from '../../../kernel/tenant-scope.js';
import { ConfigError, RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { type MailTransport, MailTransports } from '../application/mail-transport.port.js';
import { openTransports } from './open-transports.js';

@Injectable()
export class ConfiguredTransports extends MailTransports implements OnApplicationShutdown {
  private readonly transports: Readonly<Record<Environment, readonly MailTransport[]>>;

  constructor(@Inject(RUNTIME_CONFIG) config: RuntimeConfig) {
    super();
    this.transports = openTransports(config);
    if (this.transports.live.length === 0)
      throw new ConfigError(
        'SMTP_URL is missing: a process that sends email requires it, such as smtp://127.0.0.1:1025.',
      );
  }

  override of(environment: Environment): readonly MailTransport[] {
    return this.transports[environment];
  }

  onApplicationShutdown(): void {
    for (const transport of Object.values(this.transports).flat()) transport.close();
  }
}
