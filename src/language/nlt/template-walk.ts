/** Iterates over everything in a tree that reads a value, to determine what data a template needs before rendering. */
import { type NameKey, nameKey } from './name-lookup.js';
import type { Condition, Operand, PipedValue, Reference, Template, TemplateNode, Value } from './tree.js';

/**
 * The events whose latest occurrence a template reads, one entry per spelling of a name; excludes the trigger event. If
 * a name matches several events, rendering takes the first of its `spellings` that exists, else the first in the data
 * whose name folds to `folded`. The caller that loads events must load these.
 */
export function eventKeysOf(template: Template): readonly NameKey[] {
  const names = new Set<string>();
  for (const { event } of referencesIn(template.nodes)) if (event !== null) names.add(event);
  return [...names].map(nameKey);
}

/** The number of characters of a template that are not plain text. */
export function codeLengthOf({ source, nodes }: Template): number {
  return Math.max(0, source.length - textLengthOf(nodes));
}

function textLengthOf(nodes: readonly TemplateNode[]): number {
  let length = 0;
  for (const node of nodes) {
    if (node.kind === 'text') length += node.text.length;
    if (node.kind === 'for') length += textLengthOf(node.body);
    if (node.kind === 'if')
      for (const body of [...node.branches.map((branch) => branch.body), node.otherwise ?? []])
        length += textLengthOf(body);
  }
  return length;
}

/** Yields every reference in the nodes, in the order of the source. */
function* referencesIn(nodes: readonly TemplateNode[]): Generator<Reference> {
  for (const node of nodes) {
    if (node.kind === 'output') yield* referencesInPiped(node.value);
    if (node.kind === 'for') {
      yield* referencesInPiped(node.list);
      yield* referencesIn(node.body);
    }
    if (node.kind === 'if') {
      for (const branch of node.branches) {
        yield* referencesInCondition(branch.condition);
        yield* referencesIn(branch.body);
      }
      yield* referencesIn(node.otherwise ?? []);
    }
  }
}

function* referencesInCondition(condition: Condition): Generator<Reference> {
  if (condition.kind === 'any' || condition.kind === 'all') {
    for (const part of condition.conditions) yield* referencesInCondition(part);
    return;
  }
  yield* referencesInPiped(condition.left);
  if (condition.kind === 'binary') yield* referencesInPiped(condition.right);
  if (condition.kind === 'one of') for (const item of condition.items) yield* referencesInValue(item);
}

function* referencesInPiped(piped: PipedValue): Generator<Reference> {
  yield* referencesInValue(piped.value);
  for (const modifier of piped.modifiers)
    if (modifier.kind === 'or') yield* referencesInValue(modifier.fallback);
}

/** Yields every reference in a value, in the order of the source. */
function* referencesInValue(value: Value): Generator<Reference> {
  for (const operand of operandsOf(value)) if (operand.kind === 'reference') yield operand;
}

/** The operands of a value, in the order of the source. */
export function operandsOf(value: Value): Operand[] {
  if (value.kind !== 'sum' && value.kind !== 'product') return [value];
  return [value.first, ...value.rest.map((part) => part.value)].flatMap(operandsOf);
}
