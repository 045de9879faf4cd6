/**
 * Resolves names at one position of a foreign template: loop variables, and values that the template itself assigns.
 */
import { LoopScope } from '../nlt/loop-scope.js';
import { MAX_DEPTH } from '../nlt/limits.js';
import { foldName } from '../nlt/name-lookup.js';
import { operandsOf } from '../nlt/template-walk.js';
import type { ShownValue } from './shown-value.js';
import { shortField } from './shown-value.js';
import { unsupported } from './unsupported.js';

export class ForeignScope {
  private readonly loops = new LoopScope(new Set());
  private readonly assigned = new Map<string, ShownValue>();

  /** @param hidden names whose assigned values cannot be tracked. */
  constructor(private readonly hidden: ReadonlySet<string>) {}

  get depth(): number {
    return this.loops.depth;
  }

  truncateTo(depth: number): void {
    this.loops.truncateTo(depth);
  }

  /** The NLT name of a loop variable. */
  nameFor(variable: string): string {
    return this.loops.nameFor(variable);
  }

  /** Adds a loop variable to the scope; `nltName` is null if the loop is not converted. */
  push(variable: string, nltName: string | null): void {
    if (this.loops.depth <= MAX_DEPTH) this.loops.push(variable, nltName);
  }

  /** From here on `name` refers to `shown`. @throws Unfit if it is assigned values that cannot be tracked. */
  assign(name: string, shown: ShownValue): void {
    if (this.hidden.has(name))
      unsupported('Waypost has no variables, and the value of this one depends on conditions.');
    this.assigned.set(name, shown);
  }

  /** What the template itself assigned to `path`; null if nothing. @throws Unfit if the value is unknown. */
  resolveAssigned(path: readonly string[]): ShownValue | readonly string[] | null {
    const [root = '', ...rest] = path;
    const resolved = this.loops.resolve(root);
    if (resolved === 'hidden') return unsupported(`“${root}” belongs to a loop that is not converted.`);
    if (resolved !== undefined) return [resolved.variable, ...rest];
    if (this.hidden.has(root))
      return unsupported(`“${root}” gets its value from a tag that is not converted.`);
    const assigned = this.assigned.get(root);
    if (assigned !== undefined) this.checkShadows(root, assigned);
    if (assigned === undefined || rest.length === 0) return assigned ?? null;
    const { value, modifiers, before, after } = assigned;
    const [modifier] = modifiers;
    const isFirst = modifiers.length === 1 && modifier?.kind === 'first';
    if (value.kind !== 'reference' || (modifiers.length > 0 && !isFirst) || before !== '' || after !== '')
      return unsupported(`Waypost cannot read a field of “${root}”.`);
    const whole = [...value.path, ...(isFirst ? ['0'] : []), ...rest];
    return { ...assigned, value: { ...value, path: whole }, modifiers: [] };
  }

  /** @throws Unfit if a name in `shown` is a loop variable here, but was not at the assignment. */
  private checkShadows(name: string, { value, modifiers }: ShownValue): void {
    const fallbacks = modifiers.flatMap((modifier) => (modifier.kind === 'or' ? [modifier.fallback] : []));
    const operands = [...operandsOf(value), ...fallbacks];
    const isShadowed = operands.some(
      (operand) =>
        operand.kind === 'reference' &&
        operand.source === 'short' &&
        this.loops.isShadowed(operand.path[0] ?? ''),
    );
    if (isShadowed) unsupported(`The value of “${name}” would refer to a loop variable here.`);
  }

  /**
   * A bare name: of the trigger event, else of the contact. @throws Unfit if NLT would resolve it to a loop variable.
   */
  resolveShort(path: readonly string[]): ReturnType<typeof shortField> {
    const [root = ''] = path;
    if (this.loops.isShadowed(root) || foldName(root) === '')
      unsupported(`“${root}” would refer to a loop variable here.`);
    return shortField(path);
  }
}
