/** A list of values as an enum of GraphQL, for inputs and for what is answered. */
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
