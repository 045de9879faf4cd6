/**
 * A released migration must not change, because installations have applied it and will not apply it again. Each
 * migration and each frozen file that it uses has a checksum in src/migrations/landed.sha256, written by `(cd
 * src/migrations && sha256sum *.ts frozen/*.ts > landed.sha256)`. An existing line may change only where the new
 * file produces the same schemas as the old one (test/contract/upgrade.spec.ts).
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { SCHEMA } from '../../src/processes/schema.js';
import { filesOf } from './sources.js';

const FOLDER = 'src/migrations';
const LANDED = `${FOLDER}/landed.sha256`;
const files = filesOf(FOLDER).filter((file) => file !== LANDED);

/** Checksum by path, in the format of sha256sum. */
function landed(): Record<string, string> {
  const lines = readFileSync(LANDED, 'utf8').trimEnd().split('\n');
  return Object.fromEntries(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}

test('every migration is the one that landed', () => {
  const present = files.map((file) => [
    relative(FOLDER, file),
    createHash('sha256').update(readFileSync(file)).digest('hex'),
  ]);
  expect(Object.fromEntries(present)).toEqual(landed());
});

test('every migration is listed, in the order of the dates', () => {
  const dated = files
    .map((file) => basename(file, '.ts').split('-'))
    .filter((_, i) => !files[i]!.includes('/frozen/'));
  const names = dated.map(
    ([date = '', ...words]) =>
      words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('') + date,
  );
  expect(SCHEMA.migrations.map(({ name }) => name)).toEqual(names);
});
