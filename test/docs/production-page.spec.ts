/** The production page: its commands and variables exist. */
import { readFileSync } from 'node:fs';
import { runCommand } from '../../src/processes/cli/commands.js';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const PAGE = read('docs/production.md');

test('every variable of the page stands in .env.example', () => {
  const known = read('.env.example');
  const variables = [...PAGE.matchAll(/^ *([A-Z][A-Z_]+)=/gm)].map(([, name = '']) => name);
  expect(variables.length).toBeGreaterThan(10);
  expect(variables.filter((name) => !known.includes(`${name}=`))).toEqual(['NODE_ENV']);
});

test('every command of the page is one, with its options', async () => {
  const { commands } = (await runCommand([], {} as never)) as { commands: string[] };
  const calls = [...PAGE.matchAll(/cli -- ([a-z:-]+)([^`\n]*)/g)];
  expect(calls.length).toBeGreaterThan(2);
  for (const [, name = '', rest = ''] of calls) {
    const usage = commands.find((known) => known.split(' ')[0] === name) ?? '';
    for (const [option] of rest.matchAll(/--[a-z-]+/g)) expect(`${name}: ${usage}`).toContain(option);
    expect(usage).not.toBe('');
  }
});
