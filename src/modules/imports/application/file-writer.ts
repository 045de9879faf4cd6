/** Writes a file in pieces of 1 MB, each in its own transaction, and checks on the way whether it is UTF-8. */
import { isUtf8 } from 'node:buffer';
import type { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { MINUTE, SECOND } from '../../../kernel/duration.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { endOfCharacters } from '../domain/files/text-encoding.js';
import { type ImportFileRepository, PIECE_BYTES } from '../persistence/import-file.repository.js';

/** Milliseconds without any data after which an upload is considered abandoned. */
export const UPLOAD_TIMEOUT_MS = 2 * MINUTE;
/** Milliseconds after which data that do not fill a piece extend the file's expiry. */
const EXPIRY_EXTENSION_MS = 30 * SECOND;

/** The number of pieces after which free space is checked again. */
const SPACE_CHECK_PIECES = 16;

export interface WrittenFile {
  /** The first piece. */
  readonly head: Buffer;
  readonly size: number;
  readonly isUtf8: boolean;
}

export class FileWriter {
  private readonly utf8 = new Utf8Check();
  private piece = Buffer.allocUnsafe(PIECE_BYTES);
  private filled = 0;
  private pieces = 0;
  private size = 0;
  private head: Buffer = Buffer.alloc(0);
  private expiryExtendedAt: Date;

  constructor(
    private readonly database: Database,
    private readonly files: ImportFileRepository,
    private readonly scope: TenantScope,
    private readonly fileId: string,
    /** Maximum size of the file, in bytes. */
    private readonly maxBytes: number,
    private readonly clock: Clock,
    /** Throws if there is no space for more. */
    private readonly assertSpace: () => Promise<void>,
  ) {
    this.expiryExtendedAt = clock.now();
  }

  /** @throws DomainError payload_too_large, as soon as it is known; any error of `assertSpace` and `bytes`. */
  async writeAll(bytes: AsyncIterable<Buffer>): Promise<WrittenFile> {
    for await (const chunk of bytes) await this.write(chunk);
    if (this.filled > 0) await this.store();
    return { head: this.head, size: this.size, isUtf8: this.utf8.end() };
  }

  private async write(chunk: Buffer): Promise<void> {
    this.size += chunk.length;
    if (this.size > this.maxBytes)
      throw new DomainError('payload_too_large', `The file must be at most ${this.maxBytes} bytes.`);
    this.utf8.add(chunk);
    for (let offset = 0; offset < chunk.length;) {
      const copied = chunk.copy(this.piece, this.filled, offset);
      this.filled += copied;
      offset += copied;
      if (this.filled === PIECE_BYTES) await this.store();
    }
    if (this.clock.now().getTime() - this.expiryExtendedAt.getTime() >= EXPIRY_EXTENSION_MS)
      await this.extendExpiry((tx, expiresAt) =>
        this.files.extendUpload(tx, this.scope, this.fileId, expiresAt),
      );
  }

  private async store(): Promise<void> {
    if (this.pieces > 0 && this.pieces % SPACE_CHECK_PIECES === 0) await this.assertSpace();
    const bytes = this.piece.subarray(0, this.filled);
    await this.extendExpiry((tx, expiresAt) =>
      this.files.addPiece(tx, this.scope, this.fileId, { number: this.pieces, bytes, expiresAt }),
    );
    if (this.pieces++ === 0) this.head = Buffer.from(bytes);
    this.filled = 0;
  }

  private async extendExpiry(change: (tx: Transaction, expiresAt: Date) => Promise<boolean>): Promise<void> {
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + UPLOAD_TIMEOUT_MS);
    if (!(await this.database.inScope(this.scope, (tx) => change(tx, expiresAt))))
      throw new DomainError('conflict', 'The file was removed during the upload.');
    this.expiryExtendedAt = now;
  }
}

/** Checks whether a stream of chunks is UTF-8, wherever the chunks are cut. */
export class Utf8Check {
  private isValid = true;
  /** The first bytes of a character whose rest is still to come. */
  private rest: Buffer = Buffer.alloc(0);

  add(chunk: Buffer): void {
    if (!this.isValid || chunk.length === 0) return;
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const end = endOfCharacters(bytes);
    this.isValid = isUtf8(bytes.subarray(0, end));
    this.rest = Buffer.from(bytes.subarray(end));
  }

  /** Whether all data were UTF-8, with nothing cut off at the end. */
  end(): boolean {
    return this.isValid && this.rest.length === 0;
  }
}
