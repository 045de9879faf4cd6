/**
 * File names show what a file is and where it belongs. Markers of unfinished work and directives that disable
 * checks are not allowed.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { filesOf } from './sources.js';

const SOURCES = filesOf('src', 'test', 'bench', 'bin');
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const MIGRATION = /^\d{14}-[a-z0-9-]+\.ts$/;

/** Roles of files, by the end of the name; a file without a role is named after its main export. */
const ROLES = [
  'api.module',
  'bodies',
  'controller',
  'decorator',
  'entity',
  'filter',
  'guard',
  'input',
  'interceptor',
  'listener',
  'main',
  'module',
  'output',
  'pipe',
  'port',
  'processor',
  'provider',
  'repository',
  'resolver',
  'scalar',
  'service',
  'transport',
  'work',
  'spec',
  'e2e-spec',
  'image-spec',
  'fault-spec',
];

/** The folder of a module in which files of a role belong. */
const ROOMS: Readonly<Record<string, string>> = {
  controller: 'http',
  input: 'input',
  bodies: 'http',
  output: 'output',
  resolver: 'graphql',
  work: 'queue',
  entity: 'persistence',
  repository: 'persistence',
  service: 'application',
  port: 'application',
  listener: 'application',
  transport: 'transport',
  provider: 'providers',
};
/** `transport` contains the outgoing transports, one per file; `providers` one email provider per file. */
const ALL_ROOMS = [
  'domain',
  'application',
  'input',
  'output',
  'http',
  'graphql',
  'queue',
  'persistence',
  'transport',
  'providers',
];

const typescript = SOURCES.filter((file) => file.endsWith('.ts'));
const nameOf = (file: string): [string, string] => {
  const [idea = '', ...role] = basename(file, '.ts').split('.');
  return [idea, role.join('.')];
};

test('names are kebab-case, with a known role', () => {
  const odd = typescript.filter((file) => {
    const [idea, role] = nameOf(file);
    return !KEBAB_CASE.test(idea) || !(role === '' || ROLES.includes(role.replace(/\.spec$/, '')));
  });
  expect(odd).toEqual([]);
});

test('folders are kebab-case, and say what they hold', () => {
  const folders = new Set(SOURCES.flatMap((file) => dirname(file).split('/')));
  const odd = [...folders].filter(
    (folder) => !KEBAB_CASE.test(folder) || ['common', 'shared', 'utils', 'helpers'].includes(folder),
  );
  expect(odd).toEqual([]);
});

test('there is no barrel', () => {
  expect(typescript.filter((file) => basename(file) === 'index.ts')).toEqual([]);
});

test('migrations are dated and named by intent', () => {
  const files = filesOf('src/migrations').filter((file) => file !== 'src/migrations/landed.sha256');
  const odd = files.filter((file) => !MIGRATION.test(basename(file)));
  expect(odd).toEqual([]);
});

test('modules have the known rooms, and every role is in its own', () => {
  const odd = filesOf('src/modules').filter((file) => {
    const [, , , room = '', ...rest] = file.split('/');
    const [, role] = nameOf(file);
    const atTheDoor = rest.length === 0;
    if (!atTheDoor && !ALL_ROOMS.includes(room)) return true;
    if (room === 'domain') return role !== '' && role !== 'spec';
    // The input folder contains nothing but input tables.
    if (room === 'input' && role.replace(/\.?spec$/, '') !== 'input') return true;
    // The queue folder contains nothing but definitions of queues.
    if (room === 'queue' && role !== 'work') return true;
    return ROOMS[role] !== undefined && (atTheDoor || ROOMS[role] !== room);
  });
  expect(odd).toEqual([]);
});

test('a domain file bears no role', () => {
  const odd = filesOf('src/kernel').filter((file) => !['', 'spec'].includes(nameOf(file)[1]));
  expect(odd).toEqual([]);
});

test('nothing is put off, and no rule is switched off in passing', () => {
  const words = ['TO' + 'DO', 'FIX' + 'ME', '@ts-' + 'ignore', '@ts-' + 'nocheck', 'eslint-' + 'disable'];
  const search = new RegExp(words.map((word) => `(?<![A-Za-z])${word}(?![A-Z])`).join('|'));
  expect(SOURCES.filter((file) => search.test(readFileSync(file, 'utf8')))).toEqual([]);
});

test('every file says at its head why it exists', () => {
  // Unit specs need no head comment, because the unit has one.
  const heads = typescript.filter((file) => !/^src\/.*\.spec\.ts$/.test(file));
  const silent = heads.filter((file) => !/^(#!.*\n)?\/\*\*/.test(readFileSync(file, 'utf8')));
  expect(silent).toEqual([]);
});
