/** What each process loads at start: follows the static imports of the built files from its entry point. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { QUEUES, WAKE_UPS } from '../../src/platform/queue/wake-ups.js';
import { WORKER_CATALOGUE } from '../../src/processes/worker-catalogue.js';
import { filesOf } from './sources.js';

const STATIC_IMPORT = /(?:^|\*\/|[};])\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]/gm;

/** The packages that the files of `dist` load, directly and through their imports. */
function packagesOf(...entries: readonly string[]): string[] {
  const files = new Set(entries.map((entry) => join('dist', entry)));
  const packages = new Set<string>();
  for (const file of files)
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(STATIC_IMPORT)) {
      if (specifier.startsWith('.')) files.add(join(dirname(file), specifier));
      else if (!specifier.startsWith('node:'))
        packages.add(
          specifier
            .split('/')
            .slice(0, specifier.startsWith('@') ? 2 : 1)
            .join('/'),
        );
    }
  return [...packages].sort();
}

const API = [
  '@apollo/server',
  '@nestjs/apollo',
  '@nestjs/graphql',
  '@nestjs/platform-fastify',
  '@nestjs/swagger',
  'graphql',
];
/** Packages that analyse and render messages. */
const INSPECTION = ['caniemail', 'css-tree', 'handlebars', 'parse5', 'puppeteer-core'];
const WORKS = filesOf('src/modules')
  .filter((file) => file.endsWith('.work.ts'))
  .map((file) => file.replace(/^src\//, '').replace(/\.ts$/, '.js'));

test('imports are found where they are', () => {
  expect(packagesOf('processes/api.main.js')).toEqual(expect.arrayContaining(API));
  expect(WORKS.length).toBeGreaterThan(10);
});

test('the service of one command loads neither modules nor database before its settings are read', () => {
  const loaded = packagesOf('processes/up.main.js');
  expect(
    loaded.filter((name) => [...API, ...INSPECTION, '@nestjs/core', 'bullmq', 'typeorm'].includes(name)),
  ).toEqual([]);
});

test('a worker loads nothing of the API and nothing that examines messages before it knows its queues', () => {
  const loaded = packagesOf('processes/worker.main.js');
  expect(loaded).toEqual(expect.arrayContaining(['@nestjs/core', 'bullmq', 'typeorm']));
  expect(loaded.filter((name) => INSPECTION.includes(name))).toEqual([]);
  expect(loaded.filter((name) => API.includes(name))).toEqual([]);
});

test.each(WORKS)('%s loads nothing of the API, and no browser', (work) => {
  const loaded = packagesOf(work);
  expect(loaded.filter((name) => [...API, 'puppeteer-core'].includes(name))).toEqual([]);
});

test('every queue has its own work', async () => {
  expect(Object.keys(WORKER_CATALOGUE)).toEqual(QUEUES);
  for (const queue of QUEUES) {
    const { WORK } = await WORKER_CATALOGUE[queue]();
    expect(WORK.wakeUp).toBe(WAKE_UPS[queue]);
    expect(WORK.module).toBeInstanceOf(Function);
  }
});

test('the command line loads no framework until a command needs one', () => {
  expect(packagesOf('processes/cli.main.js')).toEqual(['pino']);
  expect(packagesOf('processes/cli/token.js')).toEqual(['jose']);
  expect(packagesOf('processes/cli/permissions.js')).toEqual([]);
});
