/**
 * Recognises a host that this machine does not have, so that the error names the host's variable and not the port's.
 */
import { ConfigError } from './config.js';

/** A name without an address, or an address of another machine. */
const CODES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']);

/** The error for a host that cannot be listened on; undefined if the failure has another cause. */
export function hostFaultOf(variable: string, host: string, error: unknown): ConfigError | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || !CODES.has(code)) return undefined;
  return new ConfigError(
    `${variable} "${host}" is not an address of this machine (${code}): use one that is, such as 127.0.0.1.`,
  );
}
