/** Modules export services and other use cases to each other, and of their storage only the listed repositories. */
import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { pathToFileURL } from 'node:url';
import { filesOf } from './sources.js';

interface Offer {
  readonly module: string;
  readonly offered: readonly string[];
}

async function offersOf(file: string): Promise<Offer[]> {
  const found = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  return Object.values(found)
    .filter((each): each is Type => typeof each === 'function')
    .map((type) => ({
      module: type.name,
      offered: ((Reflect.getMetadata('exports', type) as Type[] | undefined) ?? []).map(({ name }) => name),
    }));
}

/** A hand-written copy of SHARED_REPOSITORIES of .dependency-cruiser.mjs. */
const SHARED = ['FlowStatusRepository', 'LatestEventRepository', 'StepDeltaRepository'];

test('modules export no repository but those that are listed', async () => {
  const files = filesOf('src/modules').filter((file) => file.endsWith('.module.ts'));
  const offers: Offer[] = [];
  for (const file of files) offers.push(...(await offersOf(file)));
  const offered = offers.flatMap((offer) => offer.offered);
  expect(offered.length).toBeGreaterThan(30);
  expect(offered.filter((name) => name.endsWith('Repository')).sort()).toEqual(SHARED);
});
