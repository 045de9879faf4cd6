/** The module hooks of typescript.mjs. swc's output is cached with the packages, keyed by the file's content. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const { version } = createRequire(import.meta.url)('@swc/core/package.json');
const SETTINGS = JSON.parse(readFileSync(new URL('../../../.swcrc', import.meta.url), 'utf8'));
const CACHE = new URL('../../../node_modules/.cache/waypost/typescript/', import.meta.url);
const SALT = version + JSON.stringify(SETTINGS);
mkdirSync(CACHE, { recursive: true });

/** Resolves an import of `x.js` to `x.ts` if that file exists. */
export function resolve(specifier, context, next) {
  const url = specifier.startsWith('.')
    ? new URL(specifier, context.parentURL)
    : specifier.startsWith('file:')
      ? new URL(specifier)
      : undefined;
  if (url?.pathname.endsWith('.js') && !url.pathname.includes('/node_modules/')) {
    const source = new URL(url.href.replace(/\.js$/, '.ts'));
    if (existsSync(source)) return { url: source.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

export function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(url);
  const source = readFileSync(filename, 'utf8');
  const key = createHash('sha256').update(SALT).update(filename).update('\0').update(source).digest('hex');
  const kept = new URL(`${key}.js`, CACHE);
  if (existsSync(kept)) return { format: 'module', source: readFileSync(kept), shortCircuit: true };
  const { code } = transformSync(source, { ...SETTINGS, filename, swcrc: false, sourceMaps: 'inline' });
  const draft = new URL(`${key}.${process.pid}.draft`, CACHE);
  writeFileSync(draft, code);
  renameSync(draft, kept);
  return { format: 'module', source: code, shortCircuit: true };
}
