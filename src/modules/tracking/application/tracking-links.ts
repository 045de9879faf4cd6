/** The addresses by which a message's opens and clicks become known. */
import { Inject, Injectable } from '@nestjs/common';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { deriveKey } from '../../../platform/crypto/derived-key.js';
import { withLinks } from '../domain/rewritten-links.js';
import {
  readTracked,
  signTracked,
  trackingKey,
  type Tracked,
  type TrackedMessage,
  type TrackingKey,
} from '../domain/tracking-token.js';

/** Where the endpoints are, below the service's base address. */
export const CLICK_PATH = '/t/c';
export const OPEN_PATH = '/t/o';
/** What of ours is no link to a page of the workspace's, and stays as it is. */
const OWN_PATHS = ['/v1/public/', '/t/'];

@Injectable()
export class TrackingLinks {
  /** The first signs. */
  private readonly keys: readonly TrackingKey[];

  constructor(@Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig) {
    this.keys = config.tokenSecrets.map((secret) => trackingKey(deriveKey(secret, 'tracking')));
  }

  /** The message's HTML with its links leading here first; see `withLinks`. */
  rewrite(html: string, message: TrackedMessage): Generator<void, string> {
    const own = OWN_PATHS.map((path) => new URL(`${this.config.baseUrl}${path}`).href);
    return withLinks(html, (target) =>
      own.some((start) => target.startsWith(start))
        ? undefined
        : this.urlOf(CLICK_PATH, { ...message, kind: 'click', target }),
    );
  }

  /** An image that nobody sees, as HTML. */
  pixel(message: TrackedMessage): string {
    const url = this.urlOf(OPEN_PATH, { ...message, kind: 'open' });
    return `<img src="${url}" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0">`;
  }

  /** What a token is of; undefined when it is not one of ours. */
  read(token: string): Tracked | undefined {
    return readTracked(token, this.keys);
  }

  private urlOf(path: string, tracked: Tracked): string {
    return `${this.config.baseUrl}${path}?t=${signTracked(tracked, this.keys)}`;
  }
}
