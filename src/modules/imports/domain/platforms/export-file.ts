/**
 * Gives access to the files in a downloaded export: a plain file, a gzipped one, or those of a zip archive, detected
 * by the first bytes. All is read in constant memory, whatever the decompressed size. An export that decompresses to
 * far more than contacts can need is refused.
 */
import { Readable, type Transform } from 'node:stream';
import { crc32, createGunzip, createInflateRaw } from 'node:zlib';
import { type Entry, fromRandomAccessReader, RandomAccessReader, type ZipFile } from 'yauzl';
import { type SourceCalls, SourceFailure } from '../import-source.js';

/** Decompressed bytes that any export may have. */
const MIN_DECOMPRESSED_LIMIT_BYTES = 64 * 1_024 * 1_024;
/** Maximum compression ratio of a larger export. Even identical records hardly reach 100. */
const MAX_COMPRESSION_RATIO = 250;
/** Maximum number of files of an archive; one for each 5,000 people is usual. */
const MAX_FILES = 100_000;
/** Bytes of an archive's directory, and of the starts of its files, that are read at a time. */
const BLOCK_BYTES = 65_536;
/** Blocks that are held: one of the directory, one of a file. */
const MAX_CACHED_BLOCKS = 2;
/** Maximum size of a decompressed chunk, in bytes. */
const DECOMPRESSED_CHUNK_BYTES = 65_536;
/** Bytes that determine the format. */
const MAGIC_BYTES = 4;
/** The compression method of zip archives for uncompressed files. */
const STORED = 0;

/** One file of an export. */
export interface ExportPart {
  readonly name: string;
  /** Whether it is in an archive, or gzipped. */
  readonly isCompressed: boolean;
  /** From this byte offset on. */
  bytes(from: number): AsyncIterable<Buffer>;
}

/** The download is not a complete export; it may have been truncated. */
export class DamagedExport extends Error {
  override readonly name = 'DamagedExport';
}

/** A download that is read from beginning to end. */
export class ExportFile {
  /** How many bytes of the download itself have been read. */
  position = 0;
  private failure: unknown;

  private constructor(
    private readonly calls: SourceCalls,
    private readonly fileId: string,
    readonly size: number,
  ) {}

  static async open(calls: SourceCalls, fileId: string): Promise<ExportFile> {
    return new ExportFile(calls, fileId, await calls.sizeOf(fileId));
  }

  /**
   * The files in it. Each must be read before the next is requested.
   * @throws DamagedExport
   * @throws SourceFailure file_unreadable if it decompresses to too much.
   */
  async *parts(): AsyncGenerator<ExportPart> {
    const kind = kindOf(await this.beginning());
    if (kind === 'zip') yield* this.partsOfZip();
    else if (kind === 'gzip')
      yield { name: 'export', isCompressed: true, bytes: (from) => this.gunzipped(from) };
    else yield { name: 'export', isCompressed: false, bytes: (from) => this.contents(from, this.size) };
  }

  private async beginning(): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.range(0, Math.min(MAGIC_BYTES, this.size))) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** Bytes of the download itself. */
  private async *range(start: number, end: number): AsyncGenerator<Buffer> {
    if (start >= end) return;
    let at = start;
    try {
      for await (const piece of this.calls.read(this.fileId, start)) {
        const slice = at + piece.length > end ? piece.subarray(0, end - at) : piece;
        at += slice.length;
        yield slice;
        if (at >= end) return;
      }
    } catch (error) {
      this.failure = error;
      throw error;
    }
    throw new DamagedExport('The download is truncated.');
  }

  /** As `range`, for the bytes that contain records. Updates the position. */
  private async *contents(start: number, end: number): AsyncGenerator<Buffer> {
    let at = start;
    for await (const piece of this.range(start, end)) {
      at += piece.length;
      this.position = at;
      yield piece;
    }
  }

  private async *gunzipped(from: number): AsyncGenerator<Buffer> {
    yield* since(
      from,
      this.decompressed(
        0,
        this.size,
        createGunzip({ chunkSize: DECOMPRESSED_CHUNK_BYTES }),
        decompressedLimit(this.size),
      ),
    );
  }

  private async *partsOfZip(): AsyncGenerator<ExportPart> {
    const archive = await this.archive();
    const bound = decompressedLimit(this.size);
    let files = 0;
    let decompressedBytes = 0;
    try {
      for await (const entry of archive.eachEntry()) {
        if (++files > MAX_FILES) throw decompressesTooLarge();
        if (entry.fileName.endsWith('/')) continue;
        // The entry's declared size is verified when it is read.
        decompressedBytes += entry.uncompressedSize;
        if (decompressedBytes > bound) throw decompressesTooLarge();
        if (!entry.canDecodeFileData()) throw unknownArchive();
        yield {
          name: entry.fileName,
          isCompressed: true,
          bytes: (from) => since(from, this.unzipped(archive, entry)),
        };
      }
    } catch (error) {
      throw this.causeOf(error);
    } finally {
      archive.close();
    }
  }

  private async archive(): Promise<ZipFile> {
    const reader = new DownloadReader((start, end) => this.range(start, end));
    try {
      return await new Promise((resolve, reject) => {
        fromRandomAccessReader(
          reader,
          this.size,
          { lazyEntries: true, autoClose: false },
          (error: Error | null, archive) => {
            if (error) reject(error);
            else resolve(archive);
          },
        );
      });
    } catch (error) {
      throw this.causeOf(error);
    }
  }

  private async *unzipped(archive: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
    let decompressedBytes = 0;
    let checksum = 0;
    for await (const piece of await this.contentsOf(archive, entry)) {
      decompressedBytes += piece.length;
      checksum = crc32(piece, checksum);
      yield piece;
    }
    if (decompressedBytes !== entry.uncompressedSize || checksum !== entry.crc32)
      throw new DamagedExport("A file in the archive does not match the archive's directory.");
  }

  private async contentsOf(archive: ZipFile, entry: Entry): Promise<AsyncIterable<Buffer>> {
    const start = await new Promise<number>((resolve, reject) => {
      archive.readLocalFileHeader(entry, { minimal: true }, (error, header) => {
        if (error) reject(error);
        else resolve(header.fileDataStart);
      });
    }).catch((error: unknown) => {
      throw this.causeOf(error);
    });
    const end = start + entry.compressedSize;
    return entry.compressionMethod === STORED
      ? this.contents(start, end)
      : this.decompressed(
          start,
          end,
          createInflateRaw({ chunkSize: DECOMPRESSED_CHUNK_BYTES }),
          entry.uncompressedSize,
        );
  }

  /** @throws SourceFailure file_unreadable if it exceeds the limit, before the excess is read. */
  private async *decompressed(
    start: number,
    end: number,
    through: Transform,
    bound: number,
  ): AsyncGenerator<Buffer> {
    const source = Readable.from(this.contents(start, end));
    source.on('error', (error) => through.destroy(error));
    let decompressedBytes = 0;
    try {
      for await (const piece of source.pipe(through) as AsyncIterable<Buffer>) {
        decompressedBytes += piece.length;
        if (decompressedBytes > bound) throw decompressesTooLarge();
        yield piece;
      }
    } catch (error) {
      throw this.causeOf(error);
    } finally {
      source.destroy();
      through.destroy();
    }
  }

  /**
   * The cause of a failure: the error of reading the download itself, if there was one; otherwise the content is
   * damaged.
   */
  private causeOf(error: unknown): unknown {
    if (this.failure !== undefined) return this.failure;
    return error instanceof SourceFailure ? error : new DamagedExport('The download cannot be decompressed.');
  }
}

/** The bytes from an offset on. */
export async function* since(from: number, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let end = 0;
  for await (const piece of bytes) {
    end += piece.length;
    if (end > from) yield piece.subarray(Math.max(0, piece.length - (end - from)));
  }
}

function decompressedLimit(size: number): number {
  return MIN_DECOMPRESSED_LIMIT_BYTES + size * MAX_COMPRESSION_RATIO;
}

function decompressesTooLarge(): SourceFailure {
  return new SourceFailure(
    'file_unreadable',
    'The export decompresses to more data than an export of contacts can contain.',
  );
}

function unknownArchive(): SourceFailure {
  return new SourceFailure('file_unreadable', 'The export is an archive of an unknown type.');
}

function kindOf(beginning: Buffer): 'zip' | 'gzip' | 'plain' {
  if (beginning[0] === 0x1f && beginning[1] === 0x8b) return 'gzip';
  // The second is an archive without files.
  const magic = beginning.toString('latin1');
  return magic === 'PK\x03\x04' || magic === 'PK\x05\x06' ? 'zip' : 'plain';
}

/** Lets the zip reader read the download. Its many small reads of the directory cost one read per block. */
class DownloadReader extends RandomAccessReader {
  private blocks: readonly { readonly start: number; readonly bytes: Buffer }[] = [];

  constructor(private readonly range: (start: number, end: number) => AsyncIterable<Buffer>) {
    super();
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.range(start, end), { objectMode: false });
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    this.bytes(position, length).then(
      (bytes) => {
        bytes.copy(buffer, offset);
        done(null);
      },
      (error: unknown) => {
        done(error instanceof Error ? error : new Error('Nothing could be read.'));
      },
    );
  }

  private async bytes(position: number, length: number): Promise<Buffer> {
    const cached = this.blocks.find(
      ({ start, bytes }) => position >= start && position + length <= start + bytes.length,
    );
    const block = cached ?? { start: position, bytes: await this.blockAt(position, length) };
    // The most recently used block comes first.
    this.blocks = [block, ...this.blocks.filter((one) => one !== block)].slice(0, MAX_CACHED_BLOCKS);
    return block.bytes.subarray(position - block.start, position - block.start + length);
  }

  private async blockAt(position: number, length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let read = 0;
    try {
      for await (const piece of this.range(position, position + Math.max(length, BLOCK_BYTES))) {
        pieces.push(piece);
        read += piece.length;
      }
    } catch (error) {
      // The download may end within the block.
      if (!(error instanceof DamagedExport) || read < length) throw error;
    }
    return Buffer.concat(pieces);
  }
}
