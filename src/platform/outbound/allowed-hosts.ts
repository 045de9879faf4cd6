/** Private hosts that an operator allows to be fetched: by the very name or address, and a port where one is given. */

interface AllowedHost {
  readonly host: string;
  /** Null for every port of the web. */
  readonly port: number | null;
}

export class AllowedHosts {
  private readonly entries: readonly AllowedHost[];

  /** @param entries `host`, `host:port`, `10.0.0.5`, `[::1]:8080`; what cannot be read allows nothing. */
  constructor(entries: readonly string[]) {
    this.entries = entries.flatMap(read);
  }

  /** Whether a host may be fetched at this port, wherever it leads; names in lower case. */
  has(host: string, port: number): boolean {
    return this.entries.some((entry) => entry.host === host && (entry.port === null || entry.port === port));
  }

  /** Whether an entry names a host, at whichever port. */
  hasName(host: string): boolean {
    return this.entries.some((entry) => entry.host === host);
  }

  /** Whether an entry names this very port of a host. */
  names(host: string, port: number): boolean {
    return this.entries.some((entry) => entry.host === host && entry.port === port);
  }
}

function read(entry: string): AllowedHost[] {
  const text = entry.trim();
  // A bare IPv6 address has colons that are no port's.
  const written = /^[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text) ? `[${text}]` : text;
  const port = /^(?:\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(written)?.[1];
  if (written === '' || !URL.canParse(`http://${written}/`)) return [];
  const host = new URL(`http://${written}/`).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return host === '' ? [] : [{ host, port: port === undefined ? null : Number(port) }];
}
