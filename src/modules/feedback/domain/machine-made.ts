/**
 * Whether an open or a click was made by a machine: a privacy proxy that fetches images whether anybody reads or not, or
 * a scanner that follows links before anybody does. Bursts of clicks are told by the clicks of a message together
 * (delivery/domain/engagement). What is not known for a machine counts as a person's.
 */

export interface Request {
  readonly kind: 'opened' | 'clicked';
  /** Null where nobody told. */
  readonly userAgent: string | null;
  /** Of HTTP; null where nobody told. */
  readonly method: string | null;
  /** Whether the browser says that it asks ahead of a person's wish. */
  readonly isAhead: boolean;
  /** Milliseconds since the message left; null where that is not known. */
  readonly sinceSent: number | null;
}

/** Names of scanners, link previews and programs in user agents. */
const PROGRAMS =
  /(?<!cu)bot\b|crawler|spider|scanner|preview|headlesschrome|phantomjs|python-requests|python-urllib|aiohttp|\bcurl\/|\bwget\/|go-http-client|java\/|okhttp|axios|node-fetch|libwww-perl|apache-httpclient|barracuda|proofpoint|mimecast|symantec|fireeye|trendmicro|trend micro|sophos|forcepoint|zscaler|checkpoint|cloudmark|messagelabs|safelinks|urldefense/i;
/** Apple's Mail Privacy Protection says this and nothing more. */
const APPLE_PRIVACY = /^Mozilla\/5\.0$/;
/** Proxies that fetch images as they are read, but ahead of that too, as the message comes in. */
const IMAGE_PROXIES = /GoogleImageProxy|ggpht\.com|YahooMailProxy/i;
const AHEAD = 10_000;

export function isMachineMade({ kind, userAgent, method, isAhead, sinceSent }: Request): boolean {
  if (isAhead || (method !== null && method.toUpperCase() === 'HEAD')) return true;
  const agent = (userAgent ?? '').trim();
  if (PROGRAMS.test(agent)) return true;
  if (kind === 'clicked') return false;
  return APPLE_PRIVACY.test(agent) || (IMAGE_PROXIES.test(agent) && sinceSent !== null && sinceSent < AHEAD);
}
