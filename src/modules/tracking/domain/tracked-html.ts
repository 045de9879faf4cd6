/** What tracking makes of a message's HTML: links that lead here first, and an image that nobody sees. */
import { withLinks } from './rewritten-links.js';
import { signTracked, type Tracked, type TrackedMessage, type TrackingKey } from './tracking-token.js';

/** Where the endpoints are, below the service's base address. */
export const CLICK_PATH = '/t/c';
export const OPEN_PATH = '/t/o';
/** What of ours is no link to a page of the workspace's, and stays as it is. */
const OWN_PATHS = ['/v1/public/', '/t/'];

/** Where tracked addresses lead, and what signs them: the first of the keys. */
export interface TrackingSigner {
  readonly baseUrl: string;
  readonly keys: readonly TrackingKey[];
}

/** The HTML with its links leading here first; see `withLinks`. */
export function withTrackedLinks(
  html: string,
  message: TrackedMessage,
  signer: TrackingSigner,
): Generator<void, string> {
  const own = OWN_PATHS.map((path) => new URL(`${signer.baseUrl}${path}`).href);
  return withLinks(html, (target) =>
    own.some((start) => target.startsWith(start))
      ? undefined
      : urlOf(CLICK_PATH, { ...message, kind: 'click', target }, signer),
  );
}

/** An image that nobody sees, as HTML. */
export function openPixel(message: TrackedMessage, signer: TrackingSigner): string {
  const url = urlOf(OPEN_PATH, { ...message, kind: 'open' }, signer);
  return `<img src="${url}" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0">`;
}

function urlOf(path: string, tracked: Tracked, { baseUrl, keys }: TrackingSigner): string {
  return `${baseUrl}${path}?t=${signTracked(tracked, keys)}`;
}
