/** Takes one variant at random, by the percentages of the variants. */
import type { FieldError } from '../../../../kernel/domain-error.js';
import { fieldError } from '../field-error.js';
import { branchKeyOf } from './branch.js';
import type { InnerList, StepKind } from './step-kind.js';

export interface AbSplitStep<Inner> {
  readonly type: 'ab_split';
  readonly variants: readonly Variant<Inner>[];
}

export interface Variant<Inner> {
  readonly name: string;
  /** Percentage of all trips; the variants add up to 100. At most two decimals. */
  readonly percentage: number;
  readonly steps?: readonly Inner[];
}

export const abSplit: StepKind<AbSplitStep<unknown>> = {
  title: 'A/B split',
  colour: '#be185d',
  detail: ({ variants }) => `${variants.length} variants`,
  records: ['variants'],
  branches: (step) =>
    listsOf(step).map(({ index, steps, then }) => {
      const { name = '', percentage = 0 } = step.variants[index] ?? {};
      return { way: branchKeyOf(index), name, label: `${name} ${percentage}%`, steps, then };
    }),
  nested: {
    member: 'variants',
    lists: listsOf,
    mapLists: (step, change) => ({ ...step, variants: step.variants.map(change) }),
  },
};

function listsOf({ variants }: AbSplitStep<unknown>): InnerList<unknown>[] {
  return variants.map(({ steps = [] }, index) => ({ index, steps, then: 'continue' }));
}

/** Percentages are added in hundredths, so that two decimals are exact. */
const HUNDREDTHS = 100;

/**
 * Validates the variants as a whole, section 2.3.
 * @param field name of the list in errors, such as `steps[0].variants`.
 */
export function variantErrors(variants: readonly Variant<unknown>[], field: string): FieldError[] {
  const names = variants.map(({ name }) => name);
  const twice = variants.flatMap(({ name }, index) =>
    names.indexOf(name) === index
      ? []
      : [fieldError(`${field}[${index}].name`, 'is already the name of another variant')],
  );
  const sum = variants.reduce((all, { percentage }) => all + Math.round(percentage * HUNDREDTHS), 0);
  return sum === 100 * HUNDREDTHS
    ? twice
    : [...twice, fieldError(field, `must have percentages that add up to 100, not ${sum / HUNDREDTHS}`)];
}
