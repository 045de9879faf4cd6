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
