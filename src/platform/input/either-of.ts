/** Mutually exclusive arguments: exactly one of two must be given. */
import { invalidFields } from '../../kernel/domain-error.js';

type Given<Input, Member extends keyof Input> = { readonly [One in Member]-?: NonNullable<Input[One]> };

/**
 * Returns the one of two arguments that is given. Only GraphQL has such arguments, so the error uses their GraphQL
 * names.
 * @throws DomainError invalid_field, naming the first, if none or both are given.
 */
export function eitherOf<
  Input extends object,
  First extends keyof Input & string,
  Second extends keyof Input & string,
>(input: Input, first: First, second: Second): Given<Input, First> | Given<Input, Second> {
  const [one, other] = [input[first] ?? undefined, input[second] ?? undefined];
  if (one !== undefined && other === undefined) return { [first]: one } as Given<Input, First>;
  if (other !== undefined && one === undefined) return { [second]: other } as Given<Input, Second>;
  throw invalidFields([
    { field: first, message: `is required unless ${second} is given; only one of the two is allowed` },
  ]);
}
