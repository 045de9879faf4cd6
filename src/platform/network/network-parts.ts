/**
 * The written form of a network. It needs no package: the configuration reads it in processes too whose user can reach
 * none, as that of the embedded PostgreSQL.
 */
import { isIP } from 'node:net';

export interface NetworkParts {
  readonly host: string;
  /** How many leading bits of the address count. */
  readonly prefix: number;
}

/** Takes an address, or a network such as `10.0.0.0/8`, apart; undefined when the text is neither. */
export function networkParts(text: string): NetworkParts | undefined {
  const [host = '', bits, ...rest] = text.split('/');
  const version = isIP(host);
  if (version === 0 || rest.length > 0) return undefined;
  const most = version === 4 ? 32 : 128;
  if (bits === undefined) return { host, prefix: most };
  const prefix = /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  return prefix <= most ? { host, prefix } : undefined;
}
