/**
 * Runs the project's import rules on a folder, as `npm run lint` does, and returns the violations and all imports.
 */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

export interface Violation {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

export interface Verdict {
  readonly rules: readonly string[];
  /** Every import, as a pair of files. */
  readonly imports: readonly { readonly from: string; readonly to: string }[];
  readonly violations: readonly Violation[];
}

interface CruiseResult {
  readonly modules: readonly {
    readonly source: string;
    readonly dependencies: readonly { readonly resolved: string }[];
  }[];
  readonly summary: {
    readonly violations: readonly {
      readonly rule: { readonly name: string };
      readonly from: string;
      readonly to: string;
    }[];
    readonly ruleSetUsed: { readonly forbidden: readonly { readonly name: string }[] };
  };
}

const PROGRAM = resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const CONFIG = resolve('.dependency-cruiser.mjs');

/** Name → the names of the others that it may import. */
export type ImportTable = Readonly<Record<string, readonly string[]>>;

/** The tables of allowed imports: modules, imports planned for modules, folders of the language and the platform. */
export const TABLES = (await import(pathToFileURL(CONFIG).href)) as Readonly<
  Record<'MODULES' | 'PLANNED' | 'LANGUAGE' | 'PLATFORM', ImportTable>
>;

/** @param folder contains `src`, `ormconfig.ts`, `tsconfig.json` and `package.json`. */
export async function cruise(folder: string): Promise<Verdict> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [PROGRAM, '--config', CONFIG, '--output-type', 'json', 'src', 'ormconfig.ts'],
    { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
  );
  const { modules, summary } = JSON.parse(stdout) as CruiseResult;
  const { violations, ruleSetUsed } = summary;
  return {
    imports: modules.flatMap(({ source, dependencies }) =>
      dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
    ),
    rules: ruleSetUsed.forbidden.map(({ name }) => name),
    violations: violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
  };
}
