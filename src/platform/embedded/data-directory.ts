/**
 * Owns DATA_DIR: creates it, keeps the secrets generated into it, and sees that two starts never use it at once.
 * Whatever is wrong with the folder is one line that names DATA_DIR.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from '../config/config.js';
import { LockHeldError, takeProcessLock, type ProcessLock } from './process-lock.js';

/** Made once per data directory; whoever loses them loses the database's password and the stored credentials. */
export interface GeneratedSecrets {
  /** Password of the embedded PostgreSQL's superuser. */
  readonly databasePassword: string;
  /** Signs links, where TOKEN_SECRET is not given. */
  readonly tokenSecret: string;
  /** 64 hexadecimal digits; encrypts stored credentials, where ENCRYPTION_KEY is not given. */
  readonly encryptionKey: string;
}

export class DataDirectory {
  private constructor(
    /** Absolute, without symbolic links. */
    readonly path: string,
  ) {}

  /**
   * Creates the directory when there is none, and proves that it can be written.
   * @throws ConfigError naming DATA_DIR.
   */
  static open(path: string): DataDirectory {
    try {
      makeFolder(path);
      const proof = join(path, `.proof-${randomUUID()}`);
      writeFileSync(proof, '');
      rmSync(proof);
      return new DataDirectory(realpathSync(path));
    } catch (error) {
      throw unusable(path, error);
    }
  }

  /** The PostgreSQL data folder. */
  get postgresFolder(): string {
    return join(this.path, 'postgres');
  }

  /** The local mailbox's folder. */
  get mailboxFolder(): string {
    return join(this.path, 'mailbox');
  }

  /**
   * Claims the directory for this process until the lock is released or the process ends, however it ends.
   * @param name what is claimed: 'start' for the whole service.
   * @param waitMs how long to wait for another holder to end.
   * @throws ConfigError naming the process that holds it.
   */
  async claim(name: string, waitMs = 0): Promise<ProcessLock> {
    try {
      return await takeProcessLock(join(this.path, `${name}.lock`), waitMs);
    } catch (error) {
      if (!(error instanceof LockHeldError)) throw unusable(this.path, error);
      throw new ConfigError(
        `DATA_DIR "${this.path}" is in use by process ${error.holderPid}: stop it, or use another folder.`,
      );
    }
  }

  /** Whether its secrets were made before: whether asking for them makes none. */
  get has(): { readonly secrets: boolean; readonly apiKeySecret: boolean } {
    return { secrets: existsSync(this.secretsFile), apiKeySecret: existsSync(this.apiKeySecretFile) };
  }

  /**
   * The secrets of this directory, made on first use; two processes that ask at once get the same.
   * @throws ConfigError when they cannot be read, or are gone while the database they open is still there.
   */
  secrets(): GeneratedSecrets {
    const file = this.secretsFile;
    try {
      if (!existsSync(file)) this.createSecrets(file);
      const secrets = JSON.parse(readFileSync(file, 'utf8')) as Partial<GeneratedSecrets> | null;
      const { databasePassword, tokenSecret, encryptionKey } = secrets ?? {};
      if (databasePassword && tokenSecret && encryptionKey)
        return { databasePassword, tokenSecret, encryptionKey };
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      if (!(error instanceof SyntaxError)) throw unusable(this.path, error);
    }
    throw new ConfigError(`DATA_DIR "${this.path}": secrets.json is damaged: restore it from a backup.`);
  }

  /**
   * Keys the hashes of API keys, where API_KEY_SECRET is not given. It has a file of its own, since directories made
   * before it have a secrets.json without it.
   * @throws ConfigError when it cannot be read.
   */
  apiKeySecret(): string {
    const file = this.apiKeySecretFile;
    try {
      if (!existsSync(file)) createOnce(file, { apiKeySecret: randomBytes(48).toString('base64url') });
      const { apiKeySecret } = JSON.parse(readFileSync(file, 'utf8')) as { apiKeySecret?: string };
      if (apiKeySecret) return apiKeySecret;
    } catch (error) {
      if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw unusable(this.path, error);
    }
    throw new ConfigError(
      `DATA_DIR "${this.path}": api-key-secret.json is damaged: restore it from a backup.`,
    );
  }

  private get secretsFile(): string {
    return join(this.path, 'secrets.json');
  }

  private get apiKeySecretFile(): string {
    return join(this.path, 'api-key-secret.json');
  }

  private createSecrets(file: string): void {
    if (existsSync(this.postgresFolder))
      throw new ConfigError(
        `DATA_DIR "${this.path}": secrets.json, which unlocks the database in the same folder, is missing: ` +
          'restore it from a backup, or use another folder.',
      );
    const secrets: GeneratedSecrets = {
      databasePassword: randomBytes(24).toString('base64url'),
      tokenSecret: randomBytes(48).toString('base64url'),
      encryptionKey: randomBytes(32).toString('hex'),
    };
    createOnce(file, secrets);
  }
}

/** Writes a file that only this user reads; where another process was first, its content counts. */
function createOnce(file: string, content: object): void {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Makes it and those above it one by one: Node's own recursion never ends in file systems like /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another start may have been first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function unusable(path: string, error: unknown): ConfigError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new ConfigError(
    `DATA_DIR "${path}" is not writable (${code ?? message}): use a folder that this user can write to.`,
  );
}
