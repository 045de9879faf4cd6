/** Builds and reads the URLs that track a message's opens and clicks. */
import { Inject, Injectable } from '@nestjs/common';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { deriveKey } from '../../../platform/crypto/derived-key.js';
import { openPixel, withTrackedLinks, type TrackingSigner } from '../domain/tracked-html.js';
import {
  readTracked,
  trackingKey,
  type Tracked,
  type TrackedMessage,
  type TrackingKey,
} from '../domain/tracking-token.js';

@Injectable()
export class TrackingLinks {
  /** The first key signs. */
  private readonly keys: readonly TrackingKey[];

  constructor(@Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig) {
    this.keys = config.tokenSecrets.map((secret) => trackingKey(deriveKey(secret, 'tracking')));
  }

  /** The message's HTML with its links redirected through tracking; see `rewriteLinks`. */
  rewrite(html: string, message: TrackedMessage): Generator<void, string> {
    return withTrackedLinks(html, message, this.signer);
  }

  /** An invisible image, as HTML. */
  pixel(message: TrackedMessage): string {
    return openPixel(message, this.signer);
  }

  /** The content of a token; undefined if the token is not valid. */
  read(token: string): Tracked | undefined {
    return readTracked(token, this.keys);
  }

  private get signer(): TrackingSigner {
    return { baseUrl: this.config.baseUrl, keys: this.keys };
  }
}
