/** Private hosts that the operator allows to be fetched, by exact name or address and an optional port. */

interface AllowedHost {
  readonly host: string;
  /** Null for every web port. */
  readonly port: number | null;
}

export class AllowedHosts {
  private readonly entries: readonly AllowedHost[];

  /** @param entries `host`, `host:port`, `10.0.0.5`, `[::1]:8080`; an invalid entry allows nothing. */
  constructor(entries: readonly string[]) {
    this.entries = entries.flatMap(read);
  }

  /** Whether a host may be fetched at this port, whatever it resolves to. Names are in lower case. */
  has(host: string, port: number): boolean {
    return this.entries.some((entry) => entry.host === host && (entry.port === null || entry.port === port));
  }

  /** Whether an entry names a host, at any port. */
  hasName(host: string): boolean {
    return this.entries.some((entry) => entry.host === host);
  }

  /** Whether an entry names exactly this port of a host. */
  names(host: string, port: number): boolean {
    return this.entries.some((entry) => entry.host === host && entry.port === port);
  }
}

function read(entry: string): AllowedHost[] {
  const text = entry.trim();
  // The colons of a bare IPv6 address do not separate a port.
  const written = /^[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text) ? `[${text}]` : text;
  const port = /^(?:\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(written)?.[1];
  if (written === '' || !URL.canParse(`http://${written}/`)) return [];
  const host = new URL(`http://${written}/`).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return host === '' ? [] : [{ host, port: port === undefined ? null : Number(port) }];
}
