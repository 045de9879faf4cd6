/**
 * Remembers which groups of tests have passed, so that `npm run check` after `npm test` does not repeat them. Stored in the
 * packages' cache, and valid while no file of the repository, no setting of the tests and no version of Node changes.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build.mjs';

const FOLDER = join(ROOT, 'node_modules', '.cache', 'waypost', 'passed');

/** A hash of all files that are, or could be, in git; undefined without git or when a file cannot be read. */
export function stateOfFiles() {
  try {
    const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const names = execFileSync('git', args, {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const hash = createHash('sha256').update(process.version);
    const settings = Object.entries(process.env).filter(
      ([name]) => name.startsWith('TEST_') || ['CI', 'FAULTS', 'PROPERTY_SEED'].includes(name),
    );
    hash.update(JSON.stringify(settings.sort()));
    for (const name of names.split('\0').filter((name) => name !== '' && existsSync(join(ROOT, name))))
      hash.update(`\0${name}\0`).update(readFileSync(join(ROOT, name)));
    return hash.digest('hex');
  } catch {
    return undefined;
  }
}

/** The counts of a group that has passed as a whole with the files as they are; undefined where it has not. */
export function passedBefore(group, state) {
  try {
    const { state: then, counts } = JSON.parse(readFileSync(join(FOLDER, `${group}.json`), 'utf8'));
    return state !== undefined && then === state ? counts : undefined;
  } catch {
    return undefined;
  }
}

export function keepPassed(group, state, counts) {
  if (state === undefined) return;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${group}.json`), JSON.stringify({ state, counts }));
}
