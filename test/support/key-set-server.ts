/** Serves an identity provider's key set over real HTTP. A test can stop it, slow it down, and rotate its keys. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

export const ISSUER = 'https://identity.example';
export const AUDIENCE = 'waypost-dashboard';

type CryptoKeyLike = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

/** A signing key and its public part. */
export interface ProviderKey {
  readonly kid: string;
  readonly privateKey: CryptoKeyLike;
  readonly publicJwk: JWK;
}

/** Generates a key pair for the algorithm; ES256 by default. */
export async function providerKey(kid: string, alg = 'ES256'): Promise<ProviderKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** Unix time in seconds, in real time, plus `offset` seconds. */
export const at = (offset: number): number => Math.floor(Date.now() / 1_000) + offset;

/** Signs a token that the service accepts, unless an override breaks it. */
export async function sign(key: ProviderKey, claims: JWTPayload = {}, header: object = {}): Promise<string> {
  return new SignJWT({
    iss: ISSUER,
    aud: AUDIENCE,
    sub: 'person-1',
    exp: at(600),
    email_verified: true,
    ...claims,
  })
    .setProtectedHeader({ alg: key.publicJwk.alg ?? 'ES256', kid: key.kid, ...header })
    .sign(key.privateKey);
}

export class KeySetServer {
  keys: readonly ProviderKey[] = [];
  /** How often the key set was requested. */
  fetches = 0;
  /** The status to answer instead of the key set. */
  failure: number | undefined;
  private server: Server | undefined;
  private port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.port}/jwks.json`;
  }

  /** Starts listening, on the previous port if there was one. */
  async start(): Promise<this> {
    const server = createServer((_request, response) => {
      this.fetches++;
      response.statusCode = this.failure ?? 200;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ keys: this.keys.map(({ publicJwk }) => publicJwk) }));
    });
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(this.port, '127.0.0.1', resolve),
    );
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
    return this;
  }

  /** Stops; connections are refused from now on. */
  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
