/** `cli migrate`: migrates the database to the current schema. */
import { parseArgs } from 'node:util';
import type { CliContext } from './command.js';

export async function migrate(args: string[], world: CliContext): Promise<unknown> {
  parseArgs({ args });
  return { applied: await world.migrate() };
}
