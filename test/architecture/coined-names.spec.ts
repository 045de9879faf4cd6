/** ESLint rejects names that were coined where the field has a word; docs/architecture.md, "Names". */
import { resolve } from 'node:path';
import { ESLint, type Linter } from 'eslint';
import tseslint from 'typescript-eslint';

const config: string = resolve('eslint.config.mjs');
const { NO_COINED_NAMES } = (await import(config)) as { readonly NO_COINED_NAMES: Linter.RuleEntry };

const eslint = new ESLint({
  overrideConfigFile: true,
  overrideConfig: [
    {
      files: ['**/*.ts'],
      languageOptions: { parser: tseslint.parser },
      plugins: { '@typescript-eslint': tseslint.plugin },
      rules: { '@typescript-eslint/naming-convention': NO_COINED_NAMES },
    },
  ],
});

async function rejected(code: string): Promise<number> {
  const [result] = await eslint.lintText(code, { filePath: 'src/thing.ts' });
  return result?.errorCount ?? 0;
}

test.each([
  'const bell = 1;',
  'const TRIPS_BELL = 1;',
  'class SendLanes {}',
  'interface TripCourse {}',
  'type Place = { readonly a: 1 }; function ask(wish: Place) {}',
  'function untoldOf() {}',
  'class A { goOn() {} }',
  'const { state: wishes } = thing;',
])('rejects %s', async (code) => {
  expect(await rejected(code)).toBe(1);
});

test.each([
  'const wakeUp = 1;',
  'const label = 1;',
  'const planets = 1;',
  'class Turnstile {}',
  'const hearing = 1;',
  'interface Row { readonly standing: string; tally: number }',
])('accepts %s', async (code) => {
  expect(await rejected(code)).toBe(0);
});
