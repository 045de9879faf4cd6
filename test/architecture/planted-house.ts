/** A small project in a temporary folder, with planted imports, on which the import rules can be tested. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, resolve } from 'node:path';

/** File → its imports: project files by path, packages by name; `type ` marks a type import. */
export type Plan = Readonly<Record<string, readonly string[]>>;

export class PlantedHouse {
  readonly folder = mkdtempSync(join(realpathSync(tmpdir()), 'waypost-house-'));

  constructor(...plans: readonly Plan[]) {
    for (const name of ['package.json', 'tsconfig.json']) cpSync(name, join(this.folder, name));
    symlinkSync(resolve('node_modules'), join(this.folder, 'node_modules'));
    for (const [file, imports] of Object.entries(merge(plans))) this.write(file, imports);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private write(file: string, imports: readonly string[]): void {
    const target = join(this.folder, file);
    mkdirSync(dirname(target), { recursive: true });
    const lines = imports.map((wanted, index) => {
      const [, type = '', name = ''] = /^(type )?(.+)$/.exec(wanted) ?? [];
      return `import ${type}{ thing as thing${index} } from '${specifier(file, name)}';`;
    });
    const uses = imports.map((wanted, index) =>
      wanted.startsWith('type ')
        ? `export type Use${index} = typeof thing${index};`
        : `export const use${index} = thing${index};`,
    );
    writeFileSync(target, [...lines, ...uses, 'export const thing = 1;', ''].join('\n'));
  }
}

function merge(plans: readonly Plan[]): Plan {
  const whole: Record<string, string[]> = {};
  for (const [file, imports] of plans.flatMap((plan) => Object.entries(plan)))
    whole[file] = [...(whole[file] ?? []), ...imports];
  return whole;
}

function specifier(from: string, wanted: string): string {
  if (!wanted.endsWith('.ts')) return wanted;
  const path = posix.relative(posix.dirname(from), wanted).replace(/\.ts$/, '.js');
  return path.startsWith('.') ? path : `./${path}`;
}
