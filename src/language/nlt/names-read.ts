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
  const walk = new Walk();
  walk.nodes(nodes, []);
  return walk;
}

type Prefix = Pick<NameRead, 'source' | 'event' | 'path'>;
/** Variables in scope, outermost first; null for a variable whose list is not a name. */
type Sight = readonly { readonly folded: string; readonly items: Prefix | null }[];
type Hint = Pick<NameRead, 'sense' | 'wanted'>;

const UNKNOWN: Hint = { sense: 'text', wanted: null };

class Walk implements TemplateReads {
  readonly names: NameRead[] = [];
  readonly values: ValueRead[] = [];

  nodes(nodes: readonly TemplateNode[], sight: Sight): void {
    for (const node of nodes) {
      switch (node.kind) {
        case 'text':
          break;
        case 'output': {
          const from = this.names.length;
          this.piped(node.value, sight, UNKNOWN);
          this.values.push({ offset: node.position.offset, names: this.names.slice(from) });
          break;
        }
        case 'for':
          this.nodes(node.body, [...sight, this.loop(node.variable, node.list, sight)]);
          break;
        case 'if':
          for (const { condition, body } of node.branches) {
            this.condition(condition, sight);
            this.nodes(body, sight);
          }
          this.nodes(node.otherwise ?? [], sight);
      }
    }
  }

  private loop(variable: string, list: PipedValue, sight: Sight): Sight[number] {
    this.piped(list, sight, { sense: 'list', wanted: null });
    const place = list.value.kind === 'reference' ? placeOf(list.value, sight) : null;
    const path: NamePath = [...(place?.path ?? []), EACH_ITEM];
    return { folded: foldName(variable), items: place && { ...place, path } };
  }

  private condition(condition: Condition, sight: Sight): void {
    if (condition.kind === 'any' || condition.kind === 'all')
      for (const part of condition.conditions) this.condition(part, sight);
    else this.comparison(condition, sight);
  }

  private comparison(comparison: Comparison, sight: Sight): void {
    this.piped(comparison.left, sight, hintOfComparison(comparison));
    if (comparison.kind === 'binary') this.piped(comparison.right, sight, UNKNOWN);
    if (comparison.kind === 'one of') for (const item of comparison.items) this.value(item, sight, UNKNOWN);
  }

  private piped({ value, modifiers }: PipedValue, sight: Sight, hint: Hint): void {
    const said = modifiers.map(senseOf).find((sense) => sense !== null);
    this.value(value, sight, said ? { sense: said, wanted: null } : hint);
    for (const modifier of modifiers)
      if (modifier.kind === 'or') this.value(modifier.fallback, sight, UNKNOWN);
  }

  private value(value: Value, sight: Sight, hint: Hint): void {
    const isComputed = value.kind === 'sum' || value.kind === 'product';
    for (const operand of operandsOf(value)) {
      const place = operand.kind === 'reference' ? placeOf(operand, sight) : null;
      if (place) this.names.push({ ...place, ...(isComputed ? { sense: 'number', wanted: null } : hint) });
    }
  }
}

function placeOf({ source, event, path }: Reference, sight: Sight): Prefix | null {
  if (source !== 'short') return { source, event, path };
  const [first = '', ...rest] = path;
  const variable = sight.findLast(({ folded }) => folded === foldName(first));
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
    const isDenied = comparison.kind === 'binary' && /\bnot\b/.test(comparison.operator);
    return { sense: 'text', wanted: isDenied ? null : other.text };
  }
  if (other?.kind !== 'number') return UNKNOWN;
  return { sense: 'number', wanted: numberFor(comparison, Number(other.digits)) };
}

function numberFor(comparison: Comparison, other: number): number {
  if (comparison.kind !== 'binary') return other;
  if (comparison.operator === 'is greater than' || comparison.operator === 'is not') return other + 1;
  return comparison.operator === 'is less than' ? other - 1 : other;
}
