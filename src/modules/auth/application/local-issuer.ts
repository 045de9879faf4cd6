/**
 * The identity provider of an installation that has none (never in production): one ES256 key stored in DATA_DIR, its
 * public part as a key set, and tokens signed with it for the command line.
 */
import { createHash, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { KeySet, selectKey, type TokenClaims } from './key-set.port.js';
import { publicKeysOf } from './published-keys.js';

const KEY_FILE = 'identity-key.json';
const CLAIMS: TokenClaims = { issuer: 'waypost-local', audience: 'waypost' };

export interface Person {
  readonly email: string;
  readonly name?: string | undefined;
}

export interface IssuedToken {
  readonly token: string;
  readonly subject: string;
  readonly expiresAt: Date;
}

export class LocalIssuer extends KeySet {
  readonly claims = CLAIMS;

  private constructor(
    private readonly key: JWK,
    private readonly publicKeys: ReadonlyMap<string, string>,
  ) {
    super();
  }

  /** Opens the issuer of a data directory. Its key is created on first use; concurrent callers get the same one. */
  static async open(dataDir: string): Promise<LocalIssuer> {
    const file = join(dataDir, KEY_FILE);
    const key = read(file) ?? (await create(dataDir, file));
    return new LocalIssuer(key, await publicKeysOf([key]));
  }

  /** The published key set, without the private part. */
  get document(): { readonly keys: readonly JWK[] } {
    const { d: _private, ...publicKey } = this.key;
    return { keys: [publicKey] };
  }

  override async keyOf(keyId: string | undefined): Promise<string | undefined> {
    return Promise.resolve(this.cachedKeyOf(keyId));
  }

  override cachedKeyOf(keyId: string | undefined): string | undefined {
    return selectKey(this.publicKeys, keyId);
  }

  /**
   * A token for a person whose email counts as verified. The same email always has the same subject.
   * @param now real time.
   */
  async issue(person: Person, hours: number, now: Date): Promise<IssuedToken> {
    const issuedAt = Math.floor(now.getTime() / 1_000);
    const expires = issuedAt + Math.round(hours * 3_600);
    const subject = subjectOf(person.email);
    const token = await new SignJWT({
      email: person.email,
      email_verified: true,
      ...(person.name === undefined ? {} : { name: person.name }),
    })
      .setProtectedHeader({ alg: 'ES256', kid: this.key.kid ?? '', typ: 'JWT' })
      .setSubject(subject)
      .setIssuer(CLAIMS.issuer)
      .setAudience(CLAIMS.audience)
      .setIssuedAt(issuedAt)
      .setNotBefore(issuedAt)
      .setExpirationTime(expires)
      .sign(await importJWK(this.key, 'ES256'));
    return { token, subject, expiresAt: new Date(expires * 1_000) };
  }
}

function subjectOf(email: string): string {
  return `local-${createHash('sha256').update(email.trim().toLowerCase()).digest('hex').slice(0, 32)}`;
}

function read(file: string): JWK | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as JWK;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`The key of the local issuer, ${file}, cannot be read: delete it to create a new one.`, {
      cause: error,
    });
  }
}

async function create(dataDir: string, file: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const exported = await exportJWK(privateKey);
  const key: JWK = { ...exported, kid: await calculateJwkThumbprint(exported), alg: 'ES256', use: 'sig' };
  mkdirSync(dataDir, { recursive: true });
  const temporaryFile = `${file}.${randomUUID()}`;
  writeFileSync(temporaryFile, `${JSON.stringify(key)}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(temporaryFile, file);
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Another process created its key first, so that key is used.
    const existing = read(file);
    if (!existing) throw error;
    return existing;
  } finally {
    rmSync(temporaryFile, { force: true });
  }
}
