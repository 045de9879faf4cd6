/** docs/threat-model.md names tests: each of them exists, and each threat has at least one. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/threat-model.md'), 'utf8');
const THREATS = (PAGE.split('## Threats')[1] ?? '').split('## What is left to others')[0] ?? '';

test('every threat names tests, and each of them is there', () => {
  const rows = [...THREATS.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.split(' | '));
  const threats = rows.filter(([name = '']) => !/^(threat *|-+)$/.test(name.trim()));
  expect(threats.length).toBeGreaterThan(25);
  const wrong = threats.flatMap(([name = '', , tests = '']) => {
    const files = [...tests.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
    if (files.length === 0) return [`${name.trim()}: no test`];
    return files.filter((file) => !existsSync(join(ROOT, file))).map((file) => `${name.trim()}: ${file}`);
  });
  expect(wrong).toEqual([]);
});
