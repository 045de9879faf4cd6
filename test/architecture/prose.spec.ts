/** The prose check finds unidiomatic words in pages, API descriptions and comments, and ignores code. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { tmpdir } from 'node:os';

const CASES: [what: string, name: string, text: string, lines: number[]][] = [
  ['a page', 'page.md', '# Mail\n\nYour first email stands in the mailbox.\n', [3]],
  ['a page without its code', 'code.md', 'Run `whoever`.\n\n```sh\nwhoever goes on\n```\n', []],
  ['a long line of a page', 'long.md', `${'many words '.repeat(12)}\n`, [1]],
  ['a word that is fine', 'fine.md', 'NLT stands for natural language templates.\n', []],
  ['a comment', 'code.ts', '/** Whoever is refused hears why. */\nconst whoever = 1;\n', [1, 1]],
  ['a line comment behind code', 'line.ts', 'const a = 1; // dear\nconst b = "dear";\n', [1]],
  ['a long comment', 'wide.ts', `// ${'many words '.repeat(12)}\n`, [1]],
  ['a description in GraphQL', 'one.gql', '"""\nSends it so many times.\n"""\ntype Whoever\n', [2]],
  ['a description in OpenAPI', 'one.json', '{\n  "description": "The word of a provider."\n}\n', [2]],
];

/** Line numbers of the findings in each file. */
const found = new Map<string, number[]>();

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-prose-'));
  for (const [, name, text] of CASES) writeFileSync(join(folder, name), text);
  const files = CASES.map(([, name]) => relative(resolve('.'), join(folder, name)));
  const { status, stdout } = spawnSync(process.execPath, ['bin/prose.mjs', ...files], { encoding: 'utf8' });
  rmSync(folder, { recursive: true, force: true });
  expect(status).toBe(1);
  for (const [, name, line] of stdout.matchAll(/^\S*\/([^/\s]+):(\d+) /gm))
    found.set(name ?? '', [...(found.get(name ?? '') ?? []), Number(line)]);
});

test.each(CASES)('%s', (_what, name, _text, lines) => {
  expect(found.get(name) ?? []).toEqual(lines);
});
