/**
 * Collects how input appears in the two API documents, openapi.json and schema.gql. Input classes declare it here. In a
 * process that serves the API, `api-documents.ts` passes it on; other processes load neither of the libraries.
 */
import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { GraphqlTypes, InputClass, InputNames } from './input-table.js';

/** A property of the OpenAPI document; a function if it references other schemas. */
type ApiProperties =
  ApiPropertyOptions | ((addressOf: (schema: string | InputClass) => string) => ApiPropertyOptions);

export interface DocumentedField {
  readonly api: ApiProperties;
  readonly graphql: GraphqlTypes;
  readonly description: string | undefined;
  readonly isRequired: boolean;
  readonly nullable: boolean;
  readonly fallback: unknown;
  /** Additional OpenAPI attributes of the property. */
  readonly more: ApiPropertyOptions;
  readonly only: 'rest' | 'graphql' | undefined;
  /** The name of the property in REST, in camelCase, if it is not the member's. */
  readonly restName?: string;
  /** Converts the value of an output field for GraphQL. */
  readonly convert?: ((value: unknown, record: unknown) => unknown) | undefined;
}

interface InputDocuments {
  field(prototype: object, member: string, field: DocumentedField): void;
  input(target: InputClass, names: InputNames): void;
  arguments(target: InputClass): void;
  output(target: object, names: InputNames): void;
  enumeration(values: object, name: string, description: string | undefined): void;
  /** Schemas that a property of the class references. */
  schemas(target: object, classes: readonly InputClass[]): void;
}

let documents: InputDocuments | undefined;
const undeclared: ((documents: InputDocuments) => void)[] = [];

/** Declares something in the documents, immediately or once the process has them. */
export function inDocuments(declare: (documents: InputDocuments) => void): void {
  if (documents) declare(documents);
  else undeclared.push(declare);
}

/** Accepts all declarations, past and future. */
export function openDocuments(opened: InputDocuments): void {
  documents = opened;
  for (const declare of undeclared.splice(0)) declare(opened);
}
