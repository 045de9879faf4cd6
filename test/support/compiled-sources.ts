/**
 * Programs that tests run as processes of their own (to kill them, to run them elsewhere) need JavaScript: this
 * compiles a part of the sources, as the build does, into a folder beside which the packages are found.
 */
import { mkdirSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { transformFile } from '@swc/core';

export interface CompiledSources {
  /** The folder that stands for the checkout; `dist` within it for `src`. */
  readonly root: string;
  remove(): void;
}

/**
 * @param parts folders of `src`, such as `platform/embedded`.
 * @param parent where the folder is made; it must exist.
 */
export async function compileSources(parts: readonly string[], parent = tmpdir()): Promise<CompiledSources> {
  const root = mkdtempSync(join(realpathSync(parent), 'waypost-compiled-'));
  for (const part of parts) {
    for (const name of readdirSync(join('src', part), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts') || name.endsWith('.spec.ts')) continue;
      const { code } = await transformFile(join('src', part, name), { swcrc: true, sourceMaps: false });
      const target = join(root, 'dist', part, name.replace(/\.ts$/, '.js'));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, code);
    }
  }
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
