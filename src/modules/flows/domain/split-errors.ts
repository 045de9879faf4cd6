/** Validates the branches or variants of a split as a whole, section 2.3. */
import type { FieldError } from '../../../kernel/domain-error.js';
import { fieldError } from './field-error.js';
import type { Branch, NewStep, Variant } from './step.js';

/** Percentages are added in hundredths, so that two decimals are exact. */
const HUNDREDTHS = 100;

/** @param field name of the list in errors, such as `steps[0].branches`. */
export function branchErrors(branches: readonly Branch<NewStep>[], field: string): FieldError[] {
  return branches.flatMap(({ check }, index) =>
    check || index === branches.length - 1
      ? []
      : [fieldError(`${field}[${index}].check`, 'is required: only the last branch can omit it')],
  );
}

/** @param field name of the list in errors, such as `steps[0].variants`. */
export function variantErrors(variants: readonly Variant<NewStep>[], field: string): FieldError[] {
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
