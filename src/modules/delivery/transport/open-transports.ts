/** The transports that a configuration names, in its order. None connects before its first message. */
import type { Environment } from '../../../kernel/tenant-scope.js';
import type { RuntimeConfig } from '../../../platform/config/config.js';
import {
  liveTransports,
  SANDBOX_NAME,
  smtpServerOf,
  type TransportConfig,
} from '../../../platform/config/mail-transports.js';
import type { MailTransport } from '../application/mail-transport.port.js';
import { HttpTransport } from './http.transport.js';
import { DiscardTransport } from './discard.transport.js';
import { SmtpTransport } from './smtp.transport.js';

type Configured = Pick<RuntimeConfig, 'smtpUrl' | 'mailProviders' | 'sandboxSmtpUrl'>;

/** @param connections the maximum for each transport; by default the transport's own limit. */
export function openTransports(
  config: Configured,
  connections?: number,
): Readonly<Record<Environment, readonly MailTransport[]>> {
  const { sandboxSmtpUrl } = config;
  return {
    live: liveTransports(config).map((one) => open(one, connections)),
    test: [
      sandboxSmtpUrl === undefined
        ? new DiscardTransport()
        : open(smtpServerOf('SMTP_URL', SANDBOX_NAME, sandboxSmtpUrl), connections),
    ],
  };
}

function open(config: TransportConfig, connections: number | undefined): MailTransport {
  switch (config.kind) {
    case 'smtp':
      return new SmtpTransport(config, connections);
    case 'http':
      return new HttpTransport(config, connections);
  }
}
