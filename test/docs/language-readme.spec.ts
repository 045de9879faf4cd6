/**
 * Runs the examples of src/language/README.md against the public entry point and compares the results with the
 * values after their arrows. Each block is a separate program; `expression; // → value` is a comparison.
 */
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import ts from 'typescript';
import * as language from '../../src/language/language.js';

const page = readFileSync(new URL('../../src/language/README.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/^## (.+)$|^```ts\n([\s\S]*?)^```$/gm)].reduce<
  { title: string; code: string }[]
>((found, [, title, code]) => {
  if (title !== undefined) return [...found, { title, code: '' }];
  return [...found, { title: found.at(-1)?.title ?? '', code: code ?? '' }];
}, []);
const programs = examples.filter(({ code }) => code !== '');

/** The statements of a block, with each arrow rewritten as a comparison. */
function compared(code: string): { program: string; arrows: number } {
  const source = ts.createSourceFile('example.ts', code, ts.ScriptTarget.ES2022, true);
  let arrows = 0;
  const statements = source.statements.map((statement) => {
    const behind = code.slice(statement.end, code.indexOf('\n', statement.end));
    const expected = /^ \/\/ → (.+)$/.exec(behind)?.[1];
    if (expected === undefined || !ts.isExpressionStatement(statement)) return statement.getText(source);
    arrows++;
    return `compare(${statement.expression.getText(source)}, ${expected});`;
  });
  return { program: ts.transpile(statements.join('\n'), { target: ts.ScriptTarget.ES2022 }), arrows };
}

/** Runs a program; returns the number of successful comparisons. */
function run(program: string): number {
  let count = 0;
  const compare = (actual: unknown, expected: unknown): void => {
    // The values come from another realm, so their prototypes differ.
    expect(JSON.parse(JSON.stringify(actual))).toEqual(JSON.parse(JSON.stringify(expected)));
    count++;
  };
  runInNewContext(program, { ...language, Date, compare });
  return count;
}

test.each(programs)('$title: $code', ({ code }) => {
  const { program, arrows } = compared(code);
  expect(arrows).toBeGreaterThan(0);
  expect(arrows).toBe(code.split('// →').length - 1);
  expect(run(program)).toBe(arrows);
});

test('every way in is shown', () => {
  expect(new Set(programs.map(({ title }) => title))).toEqual(
    new Set(['Render', 'Check', 'Convert', 'Plain text']),
  );
});

test('a page that is wrong is noticed', () => {
  expect(() => run(compared("detectLanguage('{{ x }}').language; // → 'nlt'").program)).toThrow();
});
