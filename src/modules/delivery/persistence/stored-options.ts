/** How the ledger's rows keep what a step says about its message: as JSON, under the names that REST gives settings. */
import { camelKeys, snakeKeys, type SnakeKeys } from '../../../kernel/letter-case.js';
import type { SendOptions } from '../domain/email-log.js';

export interface StoredOptions extends Omit<SendOptions, 'emailSendSettings'> {
  readonly email_send_settings?: SnakeKeys<NonNullable<SendOptions['emailSendSettings']>>;
}

export function storedOptions({ emailSendSettings: settings, ...options }: SendOptions): StoredOptions {
  return settings ? { ...options, email_send_settings: snakeKeys(settings) } : options;
}

/** What was stored so. */
export function optionsOf({ email_send_settings: settings, ...options }: StoredOptions): SendOptions {
  return settings ? { ...options, emailSendSettings: camelKeys(settings) } : options;
}
