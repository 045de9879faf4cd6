/** Adds tracking to a message's HTML: links that are redirected through the service, and an invisible image. */
import { rewriteLinks } from './rewritten-links.js';
import { signTracked, type Tracked, type TrackedMessage, type TrackingKey } from './tracking-token.js';

/** Paths of the endpoints, below the service's base URL. */
export const CLICK_PATH = '/t/c';
export const OPEN_PATH = '/t/o';
/** URLs of the service that are not pages of the workspace, and are not rewritten. */
const OWN_PATHS = ['/v1/public/', '/t/'];

/** The base URL of tracked links, and the keys; the first key signs. */
export interface TrackingSigner {
  readonly baseUrl: string;
  readonly keys: readonly TrackingKey[];
}

/** The HTML with its links redirected through tracking; see `rewriteLinks`. */
export function withTrackedLinks(
  html: string,
  message: TrackedMessage,
  signer: TrackingSigner,
): Generator<void, string> {
  const own = OWN_PATHS.map((path) => new URL(`${signer.baseUrl}${path}`).href);
  return rewriteLinks(html, (target) =>
    own.some((start) => target.startsWith(start))
      ? undefined
      : urlOf(CLICK_PATH, { ...message, kind: 'click', target }, signer),
  );
}

/** An invisible image, as HTML. */
export function openPixel(message: TrackedMessage, signer: TrackingSigner): string {
  const url = urlOf(OPEN_PATH, { ...message, kind: 'open' }, signer);
  return `<img src="${url}" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0">`;
}

function urlOf(path: string, tracked: Tracked, { baseUrl, keys }: TrackingSigner): string {
  return `${baseUrl}${path}?t=${signTracked(tracked, keys)}`;
}
