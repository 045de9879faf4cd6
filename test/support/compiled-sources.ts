/**
 * Tests that run programs as separate processes (to kill them, or to run them elsewhere) need JavaScript. This compiles
 * part of the sources, as the build does, into a folder from which the packages resolve.
 */
import { mkdirSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { transformFile } from '@swc/core';

export interface CompiledSources {
  /** The folder that plays the role of the checkout; its `dist` plays the role of `src`. */
  readonly root: string;
  remove(): void;
}

/**
 * @param parts folders of `src`, such as `platform/embedded`.
 * @param parent the existing folder in which the output folder is created.
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
