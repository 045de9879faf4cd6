/** Compiles conditions into closures; `and` and `or` short-circuit. */
import { comparatorOf, isOneOf } from './comparisons.js';
import { WORK_COST } from './limits.js';
import type { RenderState } from './render-context.js';
import type { Comparison, Condition, UnaryOperator } from './tree.js';
import { compilePipedValue, compileValue, type Scope } from './value-compiler.js';
import { holds, isEmptyIn, isMissing } from './value-text.js';

export type CompiledCondition = (state: RenderState) => boolean;

const unaryTests: Record<UnaryOperator, (value: unknown, state: RenderState) => boolean> = {
  exists: (value) => !isMissing(value),
  'does not exist': isMissing,
  'is null': (value) => value === null,
  'is not null': (value) => value !== null,
  'is empty': isEmptyIn,
  'is not empty': (value, state) => !isEmptyIn(value, state),
  holds,
};

/** Compiles a condition. */
export function compileCondition(condition: Condition, scope: Scope): CompiledCondition {
  switch (condition.kind) {
    case 'any': {
      const tests = condition.conditions.map((part) => compileCondition(part, scope));
      return (state) => tests.some((test) => test(state));
    }
    case 'all': {
      const tests = condition.conditions.map((part) => compileCondition(part, scope));
      return (state) => tests.every((test) => test(state));
    }
    default: {
      const test = compileComparison(condition, scope);
      return condition.negated ? (state) => !test(state) : test;
    }
  }
}

function compileComparison(comparison: Comparison, scope: Scope): CompiledCondition {
  const left = compilePipedValue(comparison.left, scope);
  switch (comparison.kind) {
    case 'unary': {
      const test = unaryTests[comparison.operator];
      return (state) => {
        state.spend(WORK_COST.step);
        return test(left(state), state);
      };
    }
    case 'binary': {
      const right = compilePipedValue(comparison.right, scope);
      const compare = comparatorOf(comparison.operator);
      return (state) => {
        state.spend(WORK_COST.step);
        return compare(left(state), right(state), state);
      };
    }
    case 'one of': {
      const items = comparison.items.map((item) => compileValue(item, scope));
      return (state) => {
        const value = left(state);
        state.spend(items.length * WORK_COST.step);
        return items.some((item) => isOneOf(value, item(state), state));
      };
    }
  }
}
