/** The email providers. A webhook belongs to the first one that verifies it. */
import { ConfigError } from '../../../platform/config/config-error.js';
import type { EmailProvider, Webhook } from './email-provider.js';
import { sendRaw } from './send-raw.provider.js';

const EMAIL_PROVIDERS: readonly EmailProvider[] = [sendRaw];
export const PROVIDER_NAMES = EMAIL_PROVIDERS.map(({ name }) => name);

/**
 * The provider that an entry of MAIL_PROVIDERS names with `?api=`.
 * @throws ConfigError
 */
export function providerNamed(name = sendRaw.name): EmailProvider {
  const provider = EMAIL_PROVIDERS.find((one) => one.name === name);
  if (provider) return provider;
  throw new ConfigError(`MAIL_PROVIDERS has api=${name}: use one of ${PROVIDER_NAMES.join(', ')}.`);
}

interface VerifiedWebhook {
  readonly provider: EmailProvider;
  readonly id: string;
}

/** The provider that has signed the webhook, and the webhook's id; undefined if none has. */
export function verifyWebhook(
  webhook: Webhook,
  keys: readonly Buffer[],
  now: number,
): VerifiedWebhook | undefined {
  for (const provider of EMAIL_PROVIDERS) {
    const id = provider.verify(webhook, keys, now);
    if (id !== undefined) return { provider, id };
  }
  return undefined;
}
