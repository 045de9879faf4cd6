/** Modules export services and other use cases to each other, never their storage. */
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

test('no module exports a repository', async () => {
  const files = filesOf('src/modules').filter((file) => file.endsWith('.module.ts'));
  const offers: Offer[] = [];
  for (const file of files) offers.push(...(await offersOf(file)));
  expect(offers.flatMap(({ offered }) => offered).length).toBeGreaterThan(30);
  expect(offers.filter(({ offered }) => offered.some((name) => name.endsWith('Repository')))).toEqual([]);
});
