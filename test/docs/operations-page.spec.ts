/** The operators' page: its seed file is valid, and its list of dead letters is complete. */
import { readFileSync } from 'node:fs';
import { DEAD_LETTER_REASONS, WORK_KINDS } from '../../src/modules/dead-letters/domain/dead-letter.js';
import { readSeedFile } from '../../src/processes/cli/seed-file.js';

const PAGE = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');

function sectionOf(title: string): string {
  const [, section = ''] = PAGE.split(`\n## ${title}\n`);
  return section.split('\n## ')[0] ?? '';
}

test('the seed file of the page is read as it stands, with every part', () => {
  const [, json = ''] = /```json\n(.*?)```/s.exec(sectionOf('The seed file')) ?? [];
  const [workspace] = readSeedFile(JSON.parse(json));
  for (const part of ['members', 'apiKeys', 'segments', 'templates', 'contacts'] as const)
    expect([part, workspace?.[part].length]).not.toEqual([part, 0]);
});

test('the page names every kind of set-aside work and every code', () => {
  const section = sectionOf('Work that is set aside');
  const named = new Set([...section.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  for (const name of [...WORK_KINDS, ...Object.keys(DEAD_LETTER_REASONS)]) expect(named).toContain(name);
});
