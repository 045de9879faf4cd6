/**
 * Detects opens and clicks by machines: privacy proxies that fetch images whether or not a person reads, and scanners
 * that follow links before the person does. Bursts of clicks are detected from all clicks of a message together
 * (delivery/domain/engagement). A request that is not known to be a machine's counts as a person's.
 */

export interface TrackedRequest {
  readonly kind: 'opened' | 'clicked';
  /** Null if unknown. */
  readonly userAgent: string | null;
  /** Of HTTP; null if unknown. */
  readonly method: string | null;
  /** Whether the browser says that it prefetches without a person's action. */
  readonly isPrefetch: boolean;
  /** Milliseconds since the message was sent; null if unknown. */
  readonly sinceSent: number | null;
}

/** Names of scanners, link previews and programs in user agents. */
const PROGRAMS =
  /(?<!cu)bot\b|crawler|spider|scanner|preview|headlesschrome|phantomjs|python-requests|python-urllib|aiohttp|\bcurl\/|\bwget\/|go-http-client|java\/|okhttp|axios|node-fetch|libwww-perl|apache-httpclient|barracuda|proofpoint|mimecast|symantec|fireeye|trendmicro|trend micro|sophos|forcepoint|zscaler|checkpoint|cloudmark|messagelabs|safelinks|urldefense/i;
/** The complete user agent of Apple's Mail Privacy Protection. */
const APPLE_PRIVACY = /^Mozilla\/5\.0$/;
/** Proxies that fetch images when they are read, but also in advance, when the message arrives. */
const IMAGE_PROXIES = /GoogleImageProxy|ggpht\.com|YahooMailProxy/i;
const PREFETCH_WINDOW_MS = 10_000;

export function isMachineMade({ kind, userAgent, method, isPrefetch, sinceSent }: TrackedRequest): boolean {
  if (isPrefetch || (method !== null && method.toUpperCase() === 'HEAD')) return true;
  const agent = (userAgent ?? '').trim();
  if (PROGRAMS.test(agent)) return true;
  if (kind === 'clicked') return false;
  return (
    APPLE_PRIVACY.test(agent) ||
    (IMAGE_PROXIES.test(agent) && sinceSent !== null && sinceSent < PREFETCH_WINDOW_MS)
  );
}
