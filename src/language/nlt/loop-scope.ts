/**
 * Resolves names at one position of a Jinja2 template: loop variables, and names that NLT cannot know because the
 * template itself assigns them (`set`, `macro`, a loop that stays as written).
 */
import { foldName } from './name-lookup.js';

/** A name in scope; `nltName` is null if NLT does not know it. */
interface ScopeEntry {
  readonly name: string;
  readonly folded: string;
  readonly nltName: string | null;
}

/** The meaning of a name: a loop variable of NLT, hidden from NLT, or free (undefined). */
export type ResolvedName = { readonly variable: string } | 'hidden' | undefined;

export class LoopScope {
  private readonly entries: ScopeEntry[] = [];

  constructor(private readonly assignedNames: ReadonlySet<string>) {}

  get depth(): number {
    return this.entries.length;
  }

  /**
   * The name that NLT uses for a loop variable here: its own, unless that is `user` (always the contact) or folds to
   * the name of another variable in scope.
   */
  nameFor(variable: string): string {
    let name = variable;
    for (let number = 2; this.isTaken(name, variable); number++) name = `${variable}_${number}`;
    return name;
  }

  private isTaken(name: string, variable: string): boolean {
    const folded = foldName(name);
    if (folded === 'user' || folded === '') return true;
    return this.entries.some(
      (entry) => entry.nltName !== null && entry.folded === folded && entry.name !== variable,
    );
  }

  /** Adds a variable; `nltName` is null for one of a loop that stays as written. */
  push(name: string, nltName: string | null): void {
    this.entries.push({ name, folded: foldName(nltName ?? name), nltName });
  }

  /** Removes every variable except the outermost `depth`. */
  truncateTo(depth: number): void {
    this.entries.length = Math.min(this.entries.length, depth);
  }

  resolve(name: string): ResolvedName {
    const entry = this.entries.findLast((candidate) => candidate.name === name);
    if (entry !== undefined) return entry.nltName === null ? 'hidden' : { variable: entry.nltName };
    return this.assignedNames.has(name) ? 'hidden' : undefined;
  }

  /** Whether NLT would take `name`, which is not a variable in Jinja2, for a loop variable. */
  isShadowed(name: string): boolean {
    const folded = foldName(name);
    return this.entries.some((entry) => entry.nltName !== null && entry.folded === folded);
  }
}
