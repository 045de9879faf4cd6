/** What listening says of a host that this machine does not have: the variable to mend is then not the port's. */
import { ConfigError } from './config.js';

/** A name that has no address, or an address that is another machine's. */
const CODES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']);

/** The refusal of a host that cannot be listened on; undefined where that is not what went wrong. */
export function hostFaultOf(variable: string, host: string, error: unknown): ConfigError | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || !CODES.has(code)) return undefined;
  return new ConfigError(
    `${variable} "${host}" is not an address of this machine (${code}): use one that is, such as 127.0.0.1.`,
  );
}
