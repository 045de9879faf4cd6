/** `cli migrate`: migrates the database to the current schema. */
import { parseArgs } from 'node:util';
import type { CliWorld } from './command.js';

export async function migrate(args: string[], world: CliWorld): Promise<unknown> {
  parseArgs({ args });
  return { applied: await world.migrate() };
}
