/**
 * Limits of a GraphQL query, checked before any resolver runs. A library counts depth, aliases and directives in the
 * query's text; the cost is computed with its variables.
 */
import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerErrorCode } from '@apollo/server/errors';
import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { type MaxDepthOptions, maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives';
import {
  getNamedType,
  getNullableType,
  GraphQLError,
  type GraphQLField,
  isCompositeType,
  isListType,
  type OperationDefinitionNode,
  type ValidationRule,
} from 'graphql';
import { type ComplexityEstimator, getComplexity } from 'graphql-query-complexity';
import type { GraphqlContext } from './loaders.js';

const MAX_DEPTH = 8;
const MAX_ALIASES = 15;
const MAX_DIRECTIVES = 20;
export const MAX_TOKENS = 1_000;
export const MAX_COST = 5_000;

/** The assumed length of a list without an argument for it. */
const DEFAULT_LIST_LENGTH = 10;

const asValidationErrors: Pick<MaxDepthOptions, 'propagateOnRejection' | 'onReject'> = {
  propagateOnRejection: false,
  onReject: [
    (context, { message }) =>
      context?.reportError(
        new GraphQLError(message, { extensions: { code: ApolloServerErrorCode.BAD_USER_INPUT } }),
      ),
  ],
};

/** Validation rules for depth, aliases and directives. */
export const limitRules: ValidationRule[] = [
  // A fragment does not count as a level: the depth of the response counts.
  maxDepthRule({ n: MAX_DEPTH, flattenFragments: true, ...asValidationErrors }),
  maxAliasesRule({ n: MAX_ALIASES, ...asValidationErrors }),
  maxDirectivesRule({ n: MAX_DIRECTIVES, ...asValidationErrors }),
];

/**
 * Rejects an operation whose cost, with its variables, is too high. A field that queries the database or computes
 * declares its own cost as `complexity`, a number (see costs.ts); the cost of its nested fields is added here.
 */
export const costLimit: ApolloServerPlugin<GraphqlContext> = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation: ({ schema, document, operation, request: { operationName, variables } }) => {
        // Also called without an operation, or with several and no name; Apollo responds to that with 500.
        const known: OperationDefinitionNode | undefined = operation;
        if (!known)
          throw rejection(
            'OPERATION_RESOLUTION_FAILURE',
            'operationName must be the name of one of the operations.',
          );
        const cost = costOf({
          schema,
          query: document,
          ...(operationName === undefined ? {} : { operationName }),
          ...(variables === undefined ? {} : { variables }),
          estimators: [costOfField],
        });
        if (cost <= MAX_COST) return Promise.resolve();
        throw rejection('query_too_costly', `The query costs ${cost}; the maximum is ${MAX_COST}.`);
      },
    }),
};

function costOf(options: Parameters<typeof getComplexity>[0]): number {
  try {
    return getComplexity(options);
  } catch (error) {
    // Variables of the wrong type, or fragments that expand infinitely.
    if (error instanceof GraphQLError) throw rejection(ApolloServerErrorCode.BAD_USER_INPUT, error.message);
    throw error;
  }
}

function rejection(code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status: 400 } } });
}

/** A field costs its declared cost, or one, plus its nested fields multiplied by the length of its list. */
const costOfField: ComplexityEstimator = ({ type, field, args, childComplexity }) => {
  // Introspection reads memory, and has its own depth limit.
  if (type.name.startsWith('__') || field.name.startsWith('__')) return 1;
  const own = ownCostOf(field) ?? 1;
  if (!isCompositeType(getNamedType(field.type))) return own;
  return own + lengthOf(args, type.name, isListType(getNullableType(field.type))) * childComplexity;
};

/** The declared cost of a field; undefined if it has none. */
export function ownCostOf({
  extensions,
}: Pick<GraphQLField<unknown, unknown>, 'extensions'>): number | undefined {
  const { complexity } = extensions;
  return typeof complexity === 'number' ? complexity : undefined;
}

function lengthOf(args: Readonly<Record<string, unknown>>, parent: string, isList: boolean): number {
  const { first } = args;
  if (typeof first === 'number') return Math.max(first, 1);
  // The field that returned the connection has already counted its length.
  return isList && !parent.endsWith('Connection') ? DEFAULT_LIST_LENGTH : 1;
}
