/** The files that operators name. */
import { type CliWorld, UsageError } from './command.js';

/** The text of a file. @throws UsageError where it cannot be read. */
export async function readFrom(file: string, world: CliWorld): Promise<string> {
  try {
    return await world.readText(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`${file} cannot be read (${code ?? message}).`, { cause: error });
  }
}
