/** The project's source files, for tests that check names and words. */
import { readdirSync } from 'node:fs';

/** Paths of all files beneath the folders, as `src/kernel/clock.ts`. */
export function filesOf(...folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => `${entry.parentPath}/${entry.name}`),
    )
    .sort();
}
