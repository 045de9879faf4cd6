/** Makes a GraphQL enum from a list of values, for input and output. */
import { inDocuments } from './input-documents.js';

/** The enum whose names are the values. */
export function graphqlEnum<Value extends string>(
  name: string,
  values: readonly Value[],
  description?: string,
): { readonly [One in Value]: One } {
  const named = Object.fromEntries(values.map((value) => [value, value])) as { readonly [One in Value]: One };
  inDocuments((documents) => documents.enumeration(named, name, description));
  return named;
}
