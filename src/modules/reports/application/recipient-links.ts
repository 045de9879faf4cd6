/** The signed links with which a recipient of a scheduled report stops or confirms it. */
import { Inject, Injectable } from '@nestjs/common';
import { bytesOfUuid, readClaims, signClaims, UUID_BYTES, uuidAt } from '../../../kernel/signed-claims.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { deriveKey } from '../../../platform/crypto/derived-key.js';

/** The paths of the links, relative to the service's base URL. */
export const STOP_PATH = '/v1/public/reports/stop';
export const CONFIRM_PATH = '/v1/public/reports/confirm';

export type LinkKind = 'stop' | 'confirm';

export interface LinkedRecipient extends WorkspaceScope {
  readonly recipientId: string;
}

const PATHS: Readonly<Record<LinkKind, string>> = { stop: STOP_PATH, confirm: CONFIRM_PATH };
const PURPOSES: Readonly<Record<LinkKind, string>> = { stop: 'report stop', confirm: 'report confirmation' };
const CLAIMS_BYTES = 2 * UUID_BYTES;

@Injectable()
export class RecipientLinks {
  constructor(@Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig) {}

  /** Returns the absolute URL of a link. */
  urlFor(kind: LinkKind, scope: WorkspaceScope, recipientId: string): string {
    return `${this.config.baseUrl}${PATHS[kind]}${this.queryFor(kind, scope, recipientId)}`;
  }

  /** Returns the query string of a link. */
  queryFor(kind: LinkKind, { workspaceId }: WorkspaceScope, recipientId: string): string {
    const [key] = this.keysOf(kind);
    if (!key) throw new TypeError('No key is configured for report links.');
    const claims = Buffer.concat([bytesOfUuid(workspaceId), bytesOfUuid(recipientId)]);
    return `?token=${signClaims(claims, key)}`;
  }

  /** Returns the recipient of a token; undefined if the token is invalid or belongs to the other kind of link. */
  read(kind: LinkKind, token: string): LinkedRecipient | undefined {
    const claims = readClaims(token, CLAIMS_BYTES, () => this.keysOf(kind));
    if (claims?.length !== CLAIMS_BYTES) return undefined;
    return { workspaceId: uuidAt(claims, 0), recipientId: uuidAt(claims, UUID_BYTES) };
  }

  /** The first key signs; all keys verify. */
  private keysOf(kind: LinkKind): Buffer[] {
    return this.config.tokenSecrets.map((secret) => deriveKey(secret, PURPOSES[kind]));
  }
}
