/** Configuration of quality analysis: a spam filter, a browser, and private hosts that it may fetch from. */
import { accessSync, constants, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { ConfigError } from './config-error.js';

/** The address of SpamAssassin's spamd. */
export interface SpamdServer {
  readonly host: string;
  readonly port: number;
}

const SPAMD_PORT = 783;

/** Parses `spamd://host:port`; the port is optional. @throws ConfigError naming SPAMD_URL. */
export function spamdOf(text: string | undefined): SpamdServer | undefined {
  if (text === undefined) return undefined;
  const [, six, name, port] =
    /^spamd:\/\/(?:\[([\da-f:.]+)\]|([a-z\d.-]+))(?::(\d{1,5}))?\/?$/i.exec(text) ?? [];
  const host = six ?? name;
  const number = port === undefined ? SPAMD_PORT : Number(port);
  const isHost = six === undefined ? isHostName(name ?? '') : isIP(six) === 6;
  if (host === undefined || !isHost || number < 1 || number > 65_535)
    throw new ConfigError('SPAMD_URL is not a valid URL: use the form spamd://host:783.');
  return { host: host.toLowerCase(), port: number };
}

/** The absolute path of an executable file. @throws ConfigError naming BROWSER_PATH. */
export function browserPathOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!isAbsolute(text) || !isExecutableFile(text))
    throw new ConfigError(
      `BROWSER_PATH must be the absolute path of an executable file, such as /usr/bin/chromium, not "${text}".`,
    );
  return text;
}

function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Parses host names and addresses to lower case, IPv6 without brackets unless a port follows: `assets.lan`,
 * `assets.lan:8080`, `::1`, `[::1]:8080`. @throws ConfigError naming INSPECT_ALLOW_HOSTS.
 */
export function allowedHostsOf(parts: readonly string[]): readonly string[] {
  return parts.map((part) => {
    const host = allowedHost(part);
    if (host === undefined)
      throw new ConfigError(
        `INSPECT_ALLOW_HOSTS contains "${part}": use comma-separated host names and addresses, such as ` +
          'assets.lan or 10.0.0.7:8080.',
      );
    return host;
  });
}

function allowedHost(part: string): string | undefined {
  const text = part.toLowerCase();
  if (isIP(text) === 6) return canonicalSix(text);
  const [, six, name = '', port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (six === undefined ? isIP(name) === 0 && !isHostName(name) : isIP(six) !== 6) return undefined;
  if (port === undefined) return six === undefined ? name : canonicalSix(six);
  const number = Number(port);
  if (number < 1 || number > 65_535) return undefined;
  return `${six === undefined ? name : `[${canonicalSix(six)}]`}:${number}`;
}

/** An IPv6 address as browsers write it. */
function canonicalSix(address: string): string {
  const url = `http://[${address}]/`;
  return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : address;
}

function isHostName(text: string): boolean {
  return text.length <= 253 && /^[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*$/i.test(text);
}
