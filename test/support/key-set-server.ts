/** An identity provider's published key set on a real HTTP server, which a test can stop, slow down and rotate. */
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

/** A key pair of the algorithm; ES256 by default. */
export async function providerKey(kid: string, alg = 'ES256'): Promise<ProviderKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** Seconds since 1970, real time, moved by `offset` seconds. */
export const at = (offset: number): number => Math.floor(Date.now() / 1_000) + offset;

/** A token that the service accepts, save for what is overridden. */
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
  /** How often the set was asked for. */
  fetches = 0;
  /** What is answered in place of the set. */
  failure: number | undefined;
  private server: Server | undefined;
  private port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.port}/jwks.json`;
  }

  /** Listens, on the same port as before where there was one. */
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

  /** From now on connections are refused. */
  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
