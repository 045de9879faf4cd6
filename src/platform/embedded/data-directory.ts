/**
 * Manages DATA_DIR: creates it, stores the generated secrets, and prevents two processes from using it concurrently.
 * Every problem with the directory is reported in one line that names DATA_DIR.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from '../config/config.js';
import { LockHeldError, takeProcessLock, type ProcessLock } from './process-lock.js';

/** Generated once per data directory. Losing them means losing the database's password and the stored credentials. */
export interface GeneratedSecrets {
  /** Password of the embedded PostgreSQL's superuser. */
  readonly databasePassword: string;
  /** Signs links if TOKEN_SECRET is not set. */
  readonly tokenSecret: string;
  /** 64 hexadecimal digits; encrypts stored credentials if ENCRYPTION_KEY is not set. */
  readonly encryptionKey: string;
}

export class DataDirectory {
  private constructor(
    /** Absolute, without symbolic links. */
    readonly path: string,
  ) {}

  /**
   * Creates the directory if it does not exist, and verifies that it is writable.
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
   * Locks the directory for this process until the lock is released or the process ends in any way.
   * @param name what to lock: 'start' for the whole service.
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

  /** Which secrets exist already, so that reading them generates none. */
  get has(): { readonly secrets: boolean; readonly apiKeySecret: boolean } {
    return { secrets: existsSync(this.secretsFile), apiKeySecret: existsSync(this.apiKeySecretFile) };
  }

  /**
   * The secrets of this directory, generated on first use. Concurrent processes get the same secrets.
   * @throws ConfigError if they cannot be read, or are missing while the database that they belong to still exists.
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
   * The key for the hashes of API keys if API_KEY_SECRET is not set. It has its own file, because older directories
   * have a secrets.json without it.
   * @throws ConfigError if it cannot be read.
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

/** Writes a file that only this user can read. If another process has created it first, that content is used. */
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

/**
 * Creates the folder and its parents one by one, because Node's recursive mkdir never returns in file systems like
 * /proc.
 */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have created it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function unusable(path: string, error: unknown): ConfigError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new ConfigError(
    `DATA_DIR "${path}" is not writable (${code ?? message}): use a folder that this user can write to.`,
  );
}
