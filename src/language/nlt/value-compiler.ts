/**
 * Compiles values of the tree into closures. Names are prepared once; a rendering only looks them up.
 *
 * Edge cases:
 * - Lookup order in the contact: the usual spellings first, then `properties`, then both with folded names.
 * - A key with dots takes precedence over a path: `utm.source` is first one key, then `source` in `utm`.
 * - An event that is missing from the contact's latest events is the trigger event if that has the same name.
 * - `required` applies after all other modifiers, wherever it is written. For `required` and `or` an empty value is
 *   missing, and so is a group of values (an object), which has no text to show.
 * - A missing or non-numeric operand makes the result of arithmetic missing.
 */
import { add, divide, modulo, multiply, subtract, type Decimal } from './decimal.js';
import { keyPathsOf } from '../../kernel/key-path.js';
import { compileModifier } from './modifiers.js';
import { WORK_COST } from './limits.js';
import { dayOf, Moment } from './moment.js';
import {
  foldName,
  isData,
  isPresent,
  nameKey,
  type NameKey,
  nullIfAnyNull,
  readField,
  readByFoldedName,
  readBySpelling,
} from './name-lookup.js';
import { type Numeric, numberOfLiteral, numericOf, normalizeNumeric, toDecimal } from './numeric.js';
import { RenderAbortedError, type RenderState } from './render-context.js';
import type { Operand, PipedValue, Product, Reference, Sum, Value } from './tree.js';
import { holds, isEmptyIn, isGroup, isMissing } from './value-text.js';

/** Reads a value in one rendering; a missing value may be undefined, null or anything else that isMissing accepts. */
export type Reader = (state: RenderState) => unknown;

/** The loop variables in scope, outermost first; the index is the one in `RenderState.locals`. */
export type Scope = readonly string[];

/** Compiles a value with its modifiers (the caller handles `as "html"`). */
export function compilePipedValue(piped: PipedValue, scope: Scope): Reader {
  let read = compileValue(piped.value, scope);
  for (const modifier of piped.modifiers) {
    if (modifier.kind === 'or')
      read = withFallback(read, compileValue(modifier.fallback, scope), modifier.isFalsy === true);
    const transform = compileModifier(modifier);
    if (transform === null) continue;
    const inner = read;
    read = (state) => {
      const value = inner(state);
      return isMissing(value) ? undefined : transform(value, state);
    };
  }
  if (piped.modifiers.some((modifier) => modifier.kind === 'required'))
    return required(read, fieldNameOf(piped.value));
  return read;
}

function withFallback(read: Reader, fallback: Reader, isFalsy: boolean): Reader {
  const isUsable = isFalsy ? holds : (value: unknown, state: RenderState) => !isEmptyIn(value, state);
  return (state) => {
    const value = read(state);
    return isUsable(value, state) && !isGroup(value) ? value : fallback(state);
  };
}

function required(read: Reader, field: string): Reader {
  return (state) => {
    const value = read(state);
    if (isEmptyIn(value, state) || isGroup(value))
      throw new RenderAbortedError({ kind: 'suppressed', field });
    return value;
  };
}

/** The field that a suppressed message reports: the path of the first name in the value. */
function fieldNameOf(value: Value): string {
  switch (value.kind) {
    case 'reference':
      return value.path.join('.');
    case 'sum':
    case 'product': {
      const operands = [value.first, ...value.rest.map((part) => part.value)];
      return operands.map(fieldNameOf).find((name) => name !== '') ?? '';
    }
    default:
      return '';
  }
}

/** Compiles a value without modifiers. */
export function compileValue(value: Value, scope: Scope): Reader {
  switch (value.kind) {
    case 'sum':
    case 'product':
      return compileArithmetic(value, scope);
    case 'reference':
      return compileReference(value, scope);
    case 'moment':
      return value.name === 'now' ? readNow : readToday;
    default:
      return literalReader(value);
  }
}

function readNow(state: RenderState): Moment {
  return new Moment(state.now, 'instant');
}

function readToday(state: RenderState): Moment {
  state.spend(WORK_COST.fields);
  return dayOf(readNow(state), state.setting.timeZone);
}

function literalReader(literal: Exclude<Operand, { kind: 'reference' | 'moment' }>): Reader {
  const value =
    literal.kind === 'text'
      ? literal.text
      : literal.kind === 'boolean'
        ? literal.value
        : numberOfLiteral(literal.digits);
  return () => value;
}

function compileReference({ source, event, path }: Reference, scope: Scope): Reader {
  if (source === 'contact') return firstFound(path, contactReader);
  if (source === 'trigger') return firstFound(path, triggerReader);
  if (source === 'event') return firstFound(path, (key) => readEvent(event ?? '', key));
  const [first = '', ...rest] = path;
  const variable = readVariable(nameKey(first), scope);
  if (variable === undefined) return readShort(path);
  return rest.length === 0
    ? variable
    : firstFound(rest, (key) => (state) => readField(variable(state), key, state));
}

/** The value of the first split of a path into keys that leads to one. */
function firstFound(path: readonly string[], readFirst: (key: NameKey) => Reader): Reader {
  if (path.length === 1) return readFirst(nameKey(path[0] ?? ''));
  // Created on first use, since there are many: compiling has no budget, so the rendering pays for them.
  let readers: readonly Reader[] | undefined;
  return (state) => {
    readers ??= readersOf(path, readFirst);
    state.spend(readers.length * WORK_COST.name);
    let absent: unknown;
    for (const read of readers) {
      const value = read(state);
      if (isPresent(value)) return value;
      absent = nullIfAnyNull(absent, value);
    }
    return absent;
  };
}

function readersOf(path: readonly string[], readFirst: (key: NameKey) => Reader): Reader[] {
  const keys = new Map<string, NameKey>();
  const keyOf = (name: string): NameKey => {
    const key = keys.get(name) ?? nameKey(name);
    keys.set(name, key);
    return key;
  };
  return keyPathsOf(path).map(([first = '', ...rest]) =>
    rest.reduce<Reader>(
      (inner, name) => {
        const key = keyOf(name);
        return (state) => readField(inner(state), key, state);
      },
      readFirst(keyOf(first)),
    ),
  );
}

function triggerReader(key: NameKey): Reader {
  return (state) => readField(state.trigger, key, state);
}

function contactReader(key: NameKey): Reader {
  return (state) => readContact(state, key);
}

function readContact(state: RenderState, key: NameKey): unknown {
  state.spend(WORK_COST.name);
  const standardValue = readBySpelling(state.contact, key);
  if (isPresent(standardValue)) return standardValue;
  const property = readBySpelling(state.properties, key);
  if (isPresent(property)) return property;
  const foldedStandardValue = readByFoldedName(state.contact, key, state);
  if (isPresent(foldedStandardValue)) return foldedStandardValue;
  const propertyFolded = readByFoldedName(state.properties, key, state);
  if (isPresent(propertyFolded)) return propertyFolded;
  return nullIfAnyNull(standardValue, property, foldedStandardValue, propertyFolded);
}

function readEvent(event: string, key: NameKey): Reader {
  const eventKey = nameKey(event);
  return (state) => {
    const found = readField(state.events, eventKey, state);
    if (isData(found)) return readField(found['attributes'], key, state);
    return foldName(state.triggerName) === eventKey.folded ? readField(state.trigger, key, state) : undefined;
  };
}

function readVariable(key: NameKey, scope: Scope): Reader | undefined {
  const slot = scope.findLastIndex((variable) => foldName(variable) === key.folded);
  return slot >= 0 ? (state) => state.locals[slot] : undefined;
}

function readShort(path: readonly string[]): Reader {
  const readTrigger = firstFound(path, triggerReader);
  const readContactPath = firstFound(path, contactReader);
  return (state) => {
    const trigger = readTrigger(state);
    if (isPresent(trigger)) return trigger;
    const contact = readContactPath(state);
    return isPresent(contact) ? contact : nullIfAnyNull(trigger, contact);
  };
}

type Operation = (a: Decimal, b: Decimal) => Decimal | undefined;
type FastOperation = (a: number, b: number) => number;

const operations: Record<string, readonly [Operation, FastOperation | null]> = {
  plus: [add, (a, b) => a + b],
  minus: [subtract, (a, b) => a - b],
  times: [multiply, (a, b) => a * b],
  'divided by': [divide, null],
  modulo: [modulo, null],
};

function compileArithmetic(value: Sum | Product, scope: Scope): Reader {
  const first = compileValue(value.first, scope);
  const rest = value.rest.map((part) => {
    const [exact, fast] = operations[part.operator] as readonly [Operation, FastOperation | null];
    return { read: compileValue(part.value, scope), exact, fast };
  });
  return (state) => {
    let result = numericOf(first(state), state);
    for (const { read, exact, fast } of rest) {
      state.spend(WORK_COST.step);
      const operand = numericOf(read(state), state);
      if (result === undefined || operand === undefined) return undefined;
      result = apply(result, operand, exact, fast, state);
    }
    return result;
  };
}

function apply(
  a: Numeric,
  b: Numeric,
  exact: Operation,
  fast: FastOperation | null,
  state: RenderState,
): Numeric | undefined {
  if (fast !== null && typeof a === 'number' && typeof b === 'number') {
    const result = fast(a, b);
    if (Number.isSafeInteger(result)) return result;
  }
  state.spend(WORK_COST.exact);
  return normalizeNumeric(exact(toDecimal(a), toDecimal(b)));
}
