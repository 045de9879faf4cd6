/** `cli migrate`: brings the database to the present schema. */
import { parseArgs } from 'node:util';
import type { CliWorld } from './command.js';

export async function migrate(args: string[], world: CliWorld): Promise<unknown> {
  parseArgs({ args });
  return { applied: await world.migrate() };
}
