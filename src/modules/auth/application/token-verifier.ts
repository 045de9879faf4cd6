/** Verifies dashboard tokens, section 5: ES256 with passport-jwt, against the key set. Uses real time. */
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { decodeProtectedHeader } from 'jose';
import passport from 'passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { DomainError } from '../../../kernel/domain-error.js';
import { isStorableText } from '../../../kernel/json.js';
import type { Identity } from '../../../kernel/principal.js';
import { KeySet } from './key-set.port.js';

const STRATEGY = 'dashboard-token';
const ALGORITHM = 'ES256';
/** Tolerated clock difference in seconds. */
const CLOCK_TOLERANCE_SECONDS = 30;

/** What passport receives instead of a request. */
interface TokenRequest {
  readonly headers: { readonly authorization: string };
  /** Finds the key, either among the cached keys or with a fetch. */
  readonly keyOf: (keyId: string | undefined) => Promise<string | undefined>;
}

@Injectable()
export class TokenVerifier extends PassportStrategy(Strategy, STRATEGY) {
  /** A separate instance, since passport's default one is global to the process. */
  private authenticator: passport.Authenticator;

  constructor(private readonly keySet: KeySet) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      secretOrKeyProvider: (
        { keyOf }: TokenRequest,
        token: string,
        done: (error: unknown, key?: string) => void,
      ) => {
        keyFor(keyOf, token).then(
          (key) => done(null, key),
          (error: unknown) => done(error),
        );
      },
      algorithms: [ALGORITHM],
      issuer: keySet.claims.issuer,
      audience: keySet.claims.audience,
      jsonWebTokenOptions: { clockTolerance: CLOCK_TOLERANCE_SECONDS },
    });
  }

  /**
   * The person that a token names.
   * @throws DomainError token_expired, invalid_token, auth_unavailable.
   */
  verify(token: string): Promise<Identity> {
    return this.verifyWith(token, (keyId) => this.keySet.keyOf(keyId));
  }

  /** The person that a token names, if the cached keys show that it is valid. */
  async verifyWithCachedKeys(token: string): Promise<Identity | undefined> {
    const verified = this.verifyWith(token, (keyId) => Promise.resolve(this.keySet.cachedKeyOf(keyId)));
    return verified.catch(() => undefined);
  }

  private verifyWith(token: string, keyOf: TokenRequest['keyOf']): Promise<Identity> {
    const request: TokenRequest = { headers: { authorization: `Bearer ${token}` }, keyOf };
    return new Promise((resolve, reject) => {
      const rejectWith = (cause: unknown): void => reject(tokenError(cause));
      const onResult = (error: unknown, identity: Identity | false | undefined, info: unknown): void =>
        error || !identity ? rejectWith(error ?? info) : resolve(identity);
      const handler = this.authenticator.authenticate(STRATEGY, { session: false }, onResult) as (
        request: object,
        response: object,
        next: (error?: unknown) => void,
      ) => void;
      handler(request, {}, rejectWith);
    });
  }

  /** Passport calls this with claims whose signature, issuer, audience and times are valid. */
  validate(claims: Readonly<Record<string, unknown>>): Identity {
    const { sub, exp, email, email_verified: verified, name } = claims;
    if (typeof sub !== 'string' || sub === '')
      throw new DomainError('invalid_token', 'The token has no subject.');
    if (typeof exp !== 'number') throw new DomainError('invalid_token', 'The token has no expiry.');
    const address = typeof email === 'string' ? email.trim() : '';
    return {
      subject: sub,
      name: typeof name === 'string' && isStorableText(name) ? name.trim() : '',
      email: address,
      verifiedEmail: verified === true && address !== '' ? address : undefined,
    };
  }

  /** The instance in which @nestjs/passport registers this strategy. */
  protected getPassportInstance(): passport.Authenticator {
    return (this.authenticator ??= new passport.Passport());
  }
}

async function keyFor(keyOf: TokenRequest['keyOf'], token: string): Promise<string> {
  const { alg, kid } = headerOf(token);
  // Rejected before the key set is queried, so that garbage causes no fetch.
  if (alg !== ALGORITHM) throw new DomainError('invalid_token', `The token is not signed with ${ALGORITHM}.`);
  const key = await keyOf(kid);
  if (key === undefined) throw new DomainError('invalid_token', 'The key that signed the token is unknown.');
  return key;
}

function headerOf(token: string): { readonly alg?: string | undefined; readonly kid?: string | undefined } {
  try {
    const { alg, kid } = decodeProtectedHeader(token);
    return { alg, kid };
  } catch (error) {
    const malformed = new DomainError('invalid_token', 'The token is malformed.');
    malformed.cause = error;
    throw malformed;
  }
}

function tokenError(cause: unknown): DomainError {
  if (cause instanceof DomainError) return cause;
  const expired = cause instanceof Error && cause.name === 'TokenExpiredError';
  return expired
    ? new DomainError('token_expired', 'The token has expired: sign in again.')
    : new DomainError('invalid_token', 'The token is not valid.');
}
