/** docs/preflight.md lists every code of preflight with its category and what to do, and no other. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RULES } from '../../src/modules/inspect/domain/rules.js';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/preflight.md'), 'utf8');
const HEADS = { error: 'Errors', warning: 'Warnings', info: 'Information' } as const;

test.each(Object.entries(HEADS))('%s', (severity, head) => {
  const [section = ''] = PAGE.split(`## ${head}\n`)[1]?.split('\n## ') ?? [];
  const listed = section.split('\n').flatMap((line) => {
    const [, code, category, advice] = /^\| `(\w+)`\s*\| (\w+)\s*\| (.*?)\s*\|$/.exec(line) ?? [];
    return code === undefined ? [] : [[code, category, advice?.replaceAll('\\|', '|')]];
  });
  const known = Object.entries(RULES).filter(([, rule]) => rule.severity === severity);
  expect(listed).toEqual(known.map(([code, { category, hint }]) => [code, category, hint]));
});
