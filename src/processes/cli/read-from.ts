/** The files that operators name. */
import { createReadStream } from 'node:fs';
import { UsageError } from '../operator-fault.js';
import type { CliWorld } from './command.js';

/** The text of a file. @throws UsageError where it cannot be read. */
export async function readFrom(file: string, world: CliWorld): Promise<string> {
  try {
    return await world.readText(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`${file} cannot be read (${code ?? message}).`, { cause: error });
  }
}

/**
 * The bytes of a file as they come; `-` is the standard input. It is opened when they are asked for, so that whoever reads
 * has what is wrong with it.
 */
export async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  yield* (file === '-' ? process.stdin : createReadStream(file)) as AsyncIterable<Buffer>;
}
