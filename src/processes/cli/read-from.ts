/** Reads the files that operators name. */
import { createReadStream } from 'node:fs';
import { UsageError } from '../operator-fault.js';
import type { CliContext } from './command.js';

/** Reads a file as text. @throws UsageError if it cannot be read. */
export async function readFrom(file: string, context: CliContext): Promise<string> {
  try {
    return await context.readText(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`${file} cannot be read (${code ?? message}).`, { cause: error });
  }
}

/**
 * Streams the bytes of a file; `-` is standard input. Opens the file on the first read, so that the reader gets the
 * error.
 */
export async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  yield* (file === '-' ? process.stdin : createReadStream(file)) as AsyncIterable<Buffer>;
}

/** Reads the first bytes of a stream and discards the rest, so that the writer does not get a broken pipe. */
export async function firstBytes(stream: AsyncIterable<Buffer | string>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Buffer).subarray(0, maxBytes - size);
    size += bytes.length;
    if (bytes.length > 0) chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
