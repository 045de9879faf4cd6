/**
 * What has landed stays as it landed: an installation has applied it and will not do so again. Each migration, and each
 * frozen file beneath it, has its checksum in src/migrations/landed.sha256, which
 * `(cd src/migrations && sha256sum *.ts frozen/*.ts > landed.sha256)` writes; a line that is there already may change
 * only where every schema that the old file made is the same as the new file's (test/contract/upgrade.spec.ts).
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { SCHEMA } from '../../src/processes/schema.js';
import { filesOf } from './sources.js';

const FOLDER = 'src/migrations';
const LANDED = `${FOLDER}/landed.sha256`;
const files = filesOf(FOLDER).filter((file) => file !== LANDED);

/** As sha256sum writes it: checksum by path. */
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
