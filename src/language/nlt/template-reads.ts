/**
 * Lists the names that a template reads and how it uses them. A rendering without a recipient generates sample values
 * from this list. A loop variable is a name within the items of its list.
 */
import { foldName } from './name-lookup.js';
import { operandsOf } from './template-walk.js';
import type { Comparison, Condition, Modifier, PipedValue, Reference, TemplateNode, Value } from './tree.js';

/** In a path, represents each item of a list. */
export const EACH_ITEM: unique symbol = Symbol('each item');
export type NamePath = readonly (string | typeof EACH_ITEM)[];

/** The type that a name is used as; `text` if nothing is more specific. */
export type NameSense = 'text' | 'number' | 'date' | 'list';

export interface NameRead {
  /** `trigger` also for short names, which are first looked up in the trigger event. */
  readonly source: 'contact' | 'trigger' | 'event';
  /** The name of the event, for `event`. */
  readonly event: string | null;
  readonly path: NamePath;
  readonly sense: NameSense;
  /** A value that makes the first condition comparing this name true; null if there is none. */
  readonly wanted: string | number | boolean | null;
}

/** The names in an expression that shows a value; `offset` is the position of the expression. */
export interface ValueRead {
  readonly offset: number;
  readonly names: readonly NameRead[];
}

export interface TemplateReads {
  /** All names, including those of conditions and loops, in the order of the source. */
  readonly names: readonly NameRead[];
  /** Every expression that shows a value. */
  readonly values: readonly ValueRead[];
}

/** Lists what a template reads; its nodes must come from parsing without errors. */
export function readsOf(nodes: readonly TemplateNode[]): TemplateReads {
  const walk = new ReadCollector();
  walk.nodes(nodes, []);
  return walk;
}

type Prefix = Pick<NameRead, 'source' | 'event' | 'path'>;
/** Variables in scope, outermost first; null for a variable whose list is not a name. */
type ScopeVariables = readonly { readonly folded: string; readonly items: Prefix | null }[];
type Hint = Pick<NameRead, 'sense' | 'wanted'>;

const UNKNOWN: Hint = { sense: 'text', wanted: null };

class ReadCollector implements TemplateReads {
  readonly names: NameRead[] = [];
  readonly values: ValueRead[] = [];

  nodes(nodes: readonly TemplateNode[], variables: ScopeVariables): void {
    for (const node of nodes) {
      switch (node.kind) {
        case 'text':
          break;
        case 'output': {
          const from = this.names.length;
          this.piped(node.value, variables, UNKNOWN);
          this.values.push({ offset: node.position.offset, names: this.names.slice(from) });
          break;
        }
        case 'for':
          this.nodes(node.body, [...variables, this.loop(node.variable, node.list, variables)]);
          break;
        case 'if':
          for (const { condition, body } of node.branches) {
            this.condition(condition, variables);
            this.nodes(body, variables);
          }
          this.nodes(node.otherwise ?? [], variables);
      }
    }
  }

  private loop(variable: string, list: PipedValue, variables: ScopeVariables): ScopeVariables[number] {
    this.piped(list, variables, { sense: 'list', wanted: null });
    const resolved = list.value.kind === 'reference' ? resolve(list.value, variables) : null;
    const path: NamePath = [...(resolved?.path ?? []), EACH_ITEM];
    return { folded: foldName(variable), items: resolved && { ...resolved, path } };
  }

  private condition(condition: Condition, variables: ScopeVariables): void {
    if (condition.kind === 'any' || condition.kind === 'all')
      for (const part of condition.conditions) this.condition(part, variables);
    else this.comparison(condition, variables);
  }

  private comparison(comparison: Comparison, variables: ScopeVariables): void {
    this.piped(comparison.left, variables, hintOfComparison(comparison));
    if (comparison.kind === 'binary') this.piped(comparison.right, variables, UNKNOWN);
    if (comparison.kind === 'one of')
      for (const item of comparison.items) this.value(item, variables, UNKNOWN);
  }

  private piped({ value, modifiers }: PipedValue, variables: ScopeVariables, hint: Hint): void {
    const modifierSense = modifiers.map(senseOf).find((sense) => sense !== null);
    this.value(value, variables, modifierSense ? { sense: modifierSense, wanted: null } : hint);
    for (const modifier of modifiers)
      if (modifier.kind === 'or') this.value(modifier.fallback, variables, UNKNOWN);
  }

  private value(value: Value, variables: ScopeVariables, hint: Hint): void {
    const isComputed = value.kind === 'sum' || value.kind === 'product';
    for (const operand of operandsOf(value)) {
      const resolved = operand.kind === 'reference' ? resolve(operand, variables) : null;
      if (resolved)
        this.names.push({ ...resolved, ...(isComputed ? { sense: 'number', wanted: null } : hint) });
    }
  }
}

function resolve({ source, event, path }: Reference, variables: ScopeVariables): Prefix | null {
  if (source !== 'short') return { source, event, path };
  const [first = '', ...rest] = path;
  const variable = variables.findLast(({ folded }) => folded === foldName(first));
  if (!variable) return { source: 'trigger', event: null, path };
  return variable.items && { ...variable.items, path: [...variable.items.path, ...rest] };
}

function senseOf(modifier: Modifier): NameSense | null {
  switch (modifier.kind) {
    case 'as':
      if (modifier.format === 'html') return null;
      return /^(currency|number|percent)/.test(modifier.format) ? 'number' : 'date';
    case 'rounded':
      return 'number';
    case 'count':
    case 'first':
    case 'last':
    case 'joined':
      return 'list';
    default:
      return null;
  }
}

/** What a value would have to be to make a comparison true. */
function hintOfComparison(comparison: Comparison): Hint {
  if (comparison.negated || comparison.kind === 'unary') return UNKNOWN;
  const other = comparison.kind === 'one of' ? comparison.items[0] : comparison.right.value;
  if (other?.kind === 'moment') return { sense: 'date', wanted: null };
  if (other?.kind === 'boolean') return { sense: 'text', wanted: other.value };
  if (other?.kind === 'text') {
    const isNegated = comparison.kind === 'binary' && /\bnot\b/.test(comparison.operator);
    return { sense: 'text', wanted: isNegated ? null : other.text };
  }
  if (other?.kind !== 'number') return UNKNOWN;
  return { sense: 'number', wanted: numberFor(comparison, Number(other.digits)) };
}

function numberFor(comparison: Comparison, other: number): number {
  if (comparison.kind !== 'binary') return other;
  if (comparison.operator === 'is greater than' || comparison.operator === 'is not') return other + 1;
  return comparison.operator === 'is less than' ? other - 1 : other;
}
