/** The addresses by which a message's opens and clicks become known. */
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
  /** The first signs. */
  private readonly keys: readonly TrackingKey[];

  constructor(@Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig) {
    this.keys = config.tokenSecrets.map((secret) => trackingKey(deriveKey(secret, 'tracking')));
  }

  /** The message's HTML with its links leading here first; see `withLinks`. */
  rewrite(html: string, message: TrackedMessage): Generator<void, string> {
    return withTrackedLinks(html, message, this.signer);
  }

  /** An image that nobody sees, as HTML. */
  pixel(message: TrackedMessage): string {
    return openPixel(message, this.signer);
  }

  /** What a token is of; undefined when it is not one of ours. */
  read(token: string): Tracked | undefined {
    return readTracked(token, this.keys);
  }

  private get signer(): TrackingSigner {
    return { baseUrl: this.config.baseUrl, keys: this.keys };
  }
}
