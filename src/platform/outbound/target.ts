/** Parses a URL that a caller named, according to the URL standard, and rejects what is not on the web. Gate S9. */
import { OutboundError } from './outbound-error.js';

export interface Target {
  /** Without user, password and fragment. */
  readonly url: URL;
  /** In lower case, without brackets and without a trailing full stop. */
  readonly host: string;
  readonly port: number;
}

/** Maximum length of a URL in characters. */
const MAX_URL_LENGTH = 8_192;

/** The lowest port for general use; below it, only the standard web ports are allowed. */
const FIRST_FREE_PORT = 1_024;
const WEB_PORTS = new Set([80, 443]);
/**
 * Higher ports that browsers block (Fetch standard, port blocking), and of data stores that would execute a line of
 * HTTP as a command.
 */
const REFUSED_PORTS = new Set([
  ...[1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679],
  ...[6697, 10080, 1433, 1521, 2375, 2376, 3306, 5432, 6379, 9042, 11211, 27017],
]);

/**
 * @param base the base of a relative URL.
 * @throws OutboundError bad_address, refused_scheme.
 */
export function readTarget(address: string, base?: string): Target {
  const url = address.length <= MAX_URL_LENGTH && URL.canParse(address, base) ? new URL(address, base) : null;
  if (!url) throw new OutboundError('bad_address', 'It is not a valid URL.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new OutboundError('refused_scheme', `The scheme is ${url.protocol}`);
  url.username = '';
  url.password = '';
  url.hash = '';
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (host === '') throw new OutboundError('bad_address', 'It has no host.');
  const port = url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port);
  return { url, host, port };
}

/** Whether a port may serve the web. */
export function isWebPort(port: number): boolean {
  return WEB_PORTS.has(port) || (port >= FIRST_FREE_PORT && !REFUSED_PORTS.has(port));
}
