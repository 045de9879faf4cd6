/** `cli seed`: reads the seed file and applies it. */
import { parseArgs } from 'node:util';
import { parseJson } from '../../kernel/json-text.js';
import { UsageError } from '../operator-fault.js';
import type { CliContext } from './command.js';
import { readFrom } from './read-from.js';
import { seedFile } from './seed.js';

export async function seed(args: string[], context: CliContext): Promise<unknown> {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new UsageError('Specify one file: seed FILE.json, or - for standard input.');
  const content = parsed(file, await readFrom(file, context));
  return context.withServices((services) => seedFile(content, services));
}

function parsed(file: string, text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    // The parser's message quotes the input, which may contain a key.
    const [position = ''] = / at position \d+/.exec((error as Error).message) ?? [];
    throw new UsageError(`${file} is not valid JSON${position}.`, { cause: error });
  }
}
