/** Finds imports between the folders of `src` that lead to a higher layer or form a cycle. */
import type { Verdict } from './cruise.js';

/** Lowest layer first. Migrations are above all others. */
const LAYERS = ['kernel', 'language', 'platform', 'modules', 'processes', 'migrations'];

const layerOf = (file: string): string => file.split('/')[1] ?? '';

/** `src/modules/trips`, `src/platform/queue`; a file directly in a layer is its own folder. */
function folderOf(file: string): string {
  const [src, layer, folder, ...rest] = file.split('/');
  return rest.length > 0 ? [src, layer, folder].join('/') : file;
}

/** @returns the imports between folders that lead up, then those that are part of a cycle, as `from > to`. */
export function wrongWays(imports: Verdict['imports']): string[] {
  const inside = imports.filter(
    ({ from, to }) => from.startsWith('src/') && to.startsWith('src/') && !from.endsWith('.spec.ts'),
  );
  const up = inside.filter(
    ({ from, to }) =>
      layerOf(from) !== 'processes' && LAYERS.indexOf(layerOf(to)) > LAYERS.indexOf(layerOf(from)),
  );
  const below = new Map<string, Set<string>>();
  for (const { from, to } of inside) {
    const [start, end] = [folderOf(from), folderOf(to)];
    if (start !== end) below.set(start, (below.get(start) ?? new Set()).add(end));
  }
  const reaches = (from: string, to: string, seen = new Set([from])): boolean =>
    [...(below.get(from) ?? [])].some(
      (next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))),
    );
  const circles = [...below].flatMap(([from, ends]) =>
    [...ends].filter((to) => reaches(to, from)).map((to) => `${from} > ${to}`),
  );
  return [
    ...new Set([...up.map(({ from, to }) => `${folderOf(from)} > ${folderOf(to)}`), ...circles.sort()]),
  ];
}
