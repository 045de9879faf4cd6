/**
 * Parses the text form of a network. Uses no package, because the configuration is also read in processes whose user
 * cannot access any, such as that of the embedded PostgreSQL.
 */
import { isIP } from 'node:net';

export interface NetworkParts {
  readonly host: string;
  /** The number of significant leading bits. */
  readonly prefix: number;
}

/** Parses an address, or a network such as `10.0.0.0/8`; undefined if the text is neither. */
export function networkParts(text: string): NetworkParts | undefined {
  const [host = '', bits, ...rest] = text.split('/');
  const version = isIP(host);
  if (version === 0 || rest.length > 0) return undefined;
  const maxPrefix = version === 4 ? 32 : 128;
  if (bits === undefined) return { host, prefix: maxPrefix };
  const prefix = /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  return prefix <= maxPrefix ? { host, prefix } : undefined;
}
