/** The email providers. A webhook belongs to the first one that verifies it. */
import type { EmailProvider, Webhook } from './email-provider.js';
import { sendRaw } from './send-raw.provider.js';

const EMAIL_PROVIDERS: readonly EmailProvider[] = [sendRaw];

/** The provider of HTTP APIs in MAIL_PROVIDERS. */
export const DEFAULT_PROVIDER: EmailProvider = sendRaw;

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
