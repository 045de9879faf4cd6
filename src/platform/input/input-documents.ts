/**
 * What input is in the two documents of the API, openapi.json and schema.gql. Input classes say it here. A process that
 * serves the API has it declared by `api-documents.ts`; any other process loads neither of the libraries.
 */
import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { GraphqlTypes, InputClass, InputNames } from './input-table.js';

/** A property of the OpenAPI document; a function where it refers to other schemas by their addresses. */
type ApiProperties =
  ApiPropertyOptions | ((addressOf: (schema: string | InputClass) => string) => ApiPropertyOptions);

export interface DocumentedField {
  readonly api: ApiProperties;
  readonly graphql: GraphqlTypes;
  readonly description: string | undefined;
  readonly isRequired: boolean;
  readonly nullable: boolean;
  readonly fallback: unknown;
  /** More of the property in OpenAPI. */
  readonly more: ApiPropertyOptions;
  readonly only: 'rest' | 'graphql' | undefined;
}

interface InputDocuments {
  field(prototype: object, member: string, field: DocumentedField): void;
  input(target: InputClass, names: InputNames): void;
  arguments(target: InputClass): void;
  enumeration(values: object, name: string, description: string | undefined): void;
  /** Schemas that a property of the class refers to. */
  schemas(target: object, classes: readonly InputClass[]): void;
}

let documents: InputDocuments | undefined;
const undeclared: ((documents: InputDocuments) => void)[] = [];

/** Declares something in the documents, at once or as soon as the process has them. */
export function inDocuments(declare: (documents: InputDocuments) => void): void {
  if (documents) declare(documents);
  else undeclared.push(declare);
}

/** Takes all that was and will be declared. */
export function openDocuments(opened: InputDocuments): void {
  documents = opened;
  for (const declare of undeclared.splice(0)) declare(opened);
}
