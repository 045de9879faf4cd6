/**
 * Compiles `src` into the folder that is given, file by file, as `.swcrc` says. A process of its own, so that the compiler
 * stays out of the memory of what starts next. Types are checked by `npm run typecheck`.
 */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const [output] = process.argv.slice(2);

const sources = (await readdir(join(ROOT, 'src'), { recursive: true })).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'),
);
const results = await Promise.allSettled(sources.map(compile));
const failures = results.filter(({ status }) => status === 'rejected');
// Behind the place and the code, the compiler tells of its own stack.
for (const { reason } of failures) console.error(reason.message.split('\n\nCaused by:')[0]);
if (failures.length > 0) process.exitCode = 1;

async function compile(source) {
  const script = source.replace(/\.ts$/, '.js');
  const { code, map } = await transformFile(join(ROOT, 'src', source), {
    root: ROOT,
    sourceFileName: relative(join(ROOT, 'dist', dirname(source)), join(ROOT, 'src', source)),
  });
  const file = join(output, script);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${code}\n//# sourceMappingURL=${basename(script)}.map`);
  await writeFile(`${file}.map`, map);
}
