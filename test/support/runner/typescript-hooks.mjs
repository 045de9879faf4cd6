/** The hooks of typescript-in-threads.mjs. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const SETTINGS = JSON.parse(readFileSync(new URL('../../../.swcrc', import.meta.url), 'utf8'));

/** The source in place of the compiled file, where only that is there. */
export function resolve(specifier, context, next) {
  const url = specifier.startsWith('.')
    ? new URL(specifier, context.parentURL)
    : specifier.startsWith('file:')
      ? new URL(specifier)
      : undefined;
  if (url?.pathname.endsWith('.js') && !existsSync(fileURLToPath(url))) {
    const source = new URL(url.href.replace(/\.js$/, '.ts'));
    if (existsSync(fileURLToPath(source))) return { url: source.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

export function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    ...SETTINGS,
    filename,
    swcrc: false,
    sourceMaps: false,
  });
  return { format: 'module', source: code, shortCircuit: true };
}
