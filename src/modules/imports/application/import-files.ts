/**
 * Files from which contacts are read (section 4.9): uploads, and downloads of jobs. They are stored in pieces in the
 * database, so that every process can read them, and are written and read in constant memory. A file is durable
 * before its upload is answered.
 */
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { DAY } from '../../../kernel/duration.js';
import { isUuid, type TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { Threads } from '../../../platform/threads/threads.js';
import { DESCRIBE, assertSupported } from '../domain/files/describe-file.js';
import {
  type DescribedFile,
  fileName,
  type ImportFile,
  MAX_UPLOAD_BYTES,
} from '../domain/files/import-file.js';
import { ImportFileRepository } from '../persistence/import-file.repository.js';
import { FileWriter, UPLOAD_TIMEOUT_MS } from './file-writer.js';

/** Milliseconds for which a file is stored after its upload, and after the last job that used it. */
export const FILE_TTL_MS = 7 * DAY;
/** Maximum number of concurrent uploads per environment. */
const MAX_CONCURRENT_UPLOADS = 3;
/** Maximum size of all stored uploads of an environment, in bytes: 5 GB. */
const MAX_STORED_UPLOAD_BYTES = 5_368_709_120;
/** Maximum size of a job's download, in bytes: 2 GB. */
const MAX_DOWNLOAD_BYTES = 2_147_483_648;
/** Maximum size of other jobs' downloads of an environment when one more starts, in bytes: 4 GB. */
const MAX_STORED_DOWNLOAD_BYTES = 4_294_967_296;
/** Seconds after which to retry a refused upload. */
const UPLOAD_RETRY_AFTER_SECONDS = 30;
/** Seconds after which there may be free space again. */
const SPACE_RETRY_AFTER_SECONDS = 600;
/** The most that one transaction removes. */
const REMOVAL_LIMITS = { files: 100, bytes: 536_870_912 } as const;

export interface NewUpload {
  readonly name: string;
  readonly createdBy: string;
}

export interface NewDownload extends NewUpload {
  readonly jobId: string;
}

@Injectable()
export class ImportFiles {
  constructor(
    private readonly database: Database,
    private readonly files: ImportFileRepository,
    private readonly clock: Clock,
    private readonly threads: Threads,
    @Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'migrationStorageBytes'>,
  ) {}

  /**
   * Receives an upload as a stream. Nothing remains of an upload that is interrupted, refused or too large.
   * @throws DomainError payload_too_large, invalid_field (the file cannot be read), conflict (too much is stored, or
   * the file was removed during the upload), rate_limit_exceeded (too many concurrent uploads), service_unavailable
   * (other workspaces use all space); errors of Threads.run; any error of `bytes`.
   */
  async receive(scope: TenantScope, given: NewUpload, bytes: AsyncIterable<Buffer>): Promise<ImportFile> {
    const upload = { ...given, name: fileName(given.name) };
    const now = this.clock.now();
    const id = uuidv7(now.getTime());
    await this.assertSpace(scope);
    await this.database.inScope(scope, async (tx) => {
      const { incomplete, storedBytes } = await this.files.uploadsOf(tx, scope, now);
      if (incomplete >= MAX_CONCURRENT_UPLOADS)
        throw new DomainError(
          'rate_limit_exceeded',
          `${MAX_CONCURRENT_UPLOADS} uploads are already in progress: try again when one has finished.`,
          {
            retry_after: UPLOAD_RETRY_AFTER_SECONDS,
          },
        );
      if (storedBytes >= MAX_STORED_UPLOAD_BYTES)
        throw new DomainError(
          'conflict',
          'The environment has reached its limit of stored files. Files are deleted 7 days after their last ' +
            'migration.',
        );
      await this.files.create(tx, scope, { ...upload, id, jobId: null }, now, after(now, UPLOAD_TIMEOUT_MS));
    });
    return this.removeOnFailure(scope, id, async () => {
      const writer = this.writerFor(scope, id, MAX_UPLOAD_BYTES);
      const { head, size, isUtf8 } = await writer.writeAll(bytes);
      const received = { head, size, isUtf8 };
      const description = assertSupported(
        await this.threads.run(scope.workspaceId, DESCRIBE, received, head.length),
      );
      const expiresAt = after(this.clock.now(), FILE_TTL_MS);
      await this.finish(scope, id, description, expiresAt);
      return { ...description, ...upload, id, size, createdAt: now, expiresAt };
    });
  }

  /**
   * Stores a job's download, in place of its earlier one, until the job no longer needs it.
   * @returns the file's id.
   * @throws DomainError payload_too_large above 2 GB, conflict if the job has ended or the file was removed,
   * service_unavailable (other workspaces use all space); any error of `bytes`.
   */
  async store(scope: TenantScope, download: NewDownload, bytes: AsyncIterable<Buffer>): Promise<string> {
    const now = this.clock.now();
    const id = uuidv7(now.getTime());
    await this.database.inScope(scope, async (tx) => {
      if (!(await this.files.evictDownloads(tx, scope, download.jobId, MAX_STORED_DOWNLOAD_BYTES)))
        throw new DomainError('conflict', 'The migration has ended.');
      await this.files.create(tx, scope, { ...download, id }, now, after(now, UPLOAD_TIMEOUT_MS));
    });
    return this.removeOnFailure(scope, id, async () => {
      // The job's earlier download is already removed here, in any case.
      await this.assertSpace(scope);
      await this.writerFor(scope, id, MAX_DOWNLOAD_BYTES).writeAll(bytes);
      const expiresAt = after(this.clock.now(), FILE_TTL_MS);
      await this.finish(scope, id, null, expiresAt);
      return id;
    });
  }

  /** The bytes of a complete file from an offset on, piece by piece; none if there is no such file. */
  async *read(scope: TenantScope, fileId: string, offset: number): AsyncIterable<Buffer> {
    for (let position = offset; ;) {
      const bytes = await this.database.inScope(scope, (tx) =>
        this.files.bytesAt(tx, scope, fileId, position),
      );
      if (!bytes || bytes.length === 0) return;
      yield bytes;
      position += bytes.length;
    }
  }

  /** The size of a complete file in bytes; 0 if there is no such file. */
  async sizeOf(scope: TenantScope, fileId: string): Promise<number> {
    return this.database.inScope(scope, (tx) => this.files.sizeOf(tx, scope, fileId));
  }

  /**
   * A complete upload of the environment.
   * @throws DomainError file_not_found.
   */
  async find(scope: TenantScope, fileId: string): Promise<ImportFile> {
    const file = isUuid(fileId)
      ? await this.database.inScope(scope, (tx) => this.files.find(tx, scope, fileId))
      : undefined;
    if (!file) throw new DomainError('file_not_found', 'No such file exists.');
    return file;
  }

  /** Stores a file at least until then. A file that an unfinished job uses stays in any case. */
  async retainUntil(tx: Transaction, scope: TenantScope, fileId: string, until: Date): Promise<void> {
    await this.files.retainUntil(tx, scope, fileId, until);
  }

  /** Removes a job's download, complete or not. */
  async removeOfJob(tx: Transaction, scope: TenantScope, jobId: string): Promise<void> {
    await this.files.removeOfJob(tx, scope, jobId);
  }

  /**
   * Removes expired files and abandoned uploads, a bounded number at a time.
   * @returns how many were removed; if it is not 0, there may be more.
   */
  async removeExpired(scope: TenantScope, now: Date): Promise<number> {
    return this.database.inScope(scope, (tx) => this.files.removeExpired(tx, scope, now, REMOVAL_LIMITS));
  }

  private writerFor(scope: TenantScope, id: string, maxBytes: number): FileWriter {
    const assertSpace = (): Promise<void> => this.assertSpace(scope);
    return new FileWriter(this.database, this.files, scope, id, maxBytes, this.clock, assertSpace);
  }

  /**
   * A workspace may store at most as much as it leaves free, so there is always space for a workspace that has no
   * files yet.
   * @throws DomainError service_unavailable.
   */
  private async assertSpace({ workspaceId }: TenantScope): Promise<void> {
    const { ofAll, ofWorkspace } = await this.files.stored(workspaceId);
    if (ofWorkspace < this.config.migrationStorageBytes - ofAll) return;
    throw new DomainError(
      'service_unavailable',
      'The workspace has no room for more migration files at the moment: try again later.',
      { retry_after: SPACE_RETRY_AFTER_SECONDS },
    );
  }

  /** @throws DomainError conflict for a file that was removed meanwhile. */
  private async finish(
    scope: TenantScope,
    id: string,
    description: DescribedFile | null,
    expiresAt: Date,
  ): Promise<void> {
    const exists = await this.database.inScope(scope, (tx) =>
      this.files.finish(tx, scope, id, description, expiresAt),
    );
    if (!exists) throw new DomainError('conflict', 'The file was removed during the upload.');
  }

  /** Removes what was written so far if writing fails. If the removal fails, too, the expiry removes it. */
  private async removeOnFailure<T>(scope: TenantScope, id: string, write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      await this.database.inScope(scope, (tx) => this.files.remove(tx, scope, [id])).catch(() => undefined);
      throw error;
    }
  }
}

function after(moment: Date, milliseconds: number): Date {
  return new Date(moment.getTime() + milliseconds);
}
