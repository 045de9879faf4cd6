/**
 * How much one GraphQL query may ask for. Each limit is checked before any resolver runs; the library counts what
 * the text of a query shows, and the cost is judged with its variables known.
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

const DEEPEST = 8;
const MOST_ALIASES = 15;
const MOST_DIRECTIVES = 20;
export const MOST_TOKENS = 1_000;
export const HIGHEST_COST = 5_000;

/** How long a list counts as, when no argument says it. */
const USUAL_LENGTH = 10;

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
  // A fragment is no level of its own: what counts is how deep the answer nests.
  maxDepthRule({ n: DEEPEST, flattenFragments: true, ...asValidationErrors }),
  maxAliasesRule({ n: MOST_ALIASES, ...asValidationErrors }),
  maxDirectivesRule({ n: MOST_DIRECTIVES, ...asValidationErrors }),
];

/**
 * Refuses an operation whose cost, with its variables, is too high. A field that asks the database or computes says what
 * that costs by its `complexity`, a number (see costs.ts); what is inside of it is added here.
 */
export const costLimit: ApolloServerPlugin<GraphqlContext> = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation: ({ schema, document, operation, request: { operationName, variables } }) => {
        // Called all the same where there is none, or more than one and no name; Apollo answers that with 500.
        const known: OperationDefinitionNode | undefined = operation;
        if (!known)
          throw refusal(
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
        if (cost <= HIGHEST_COST) return Promise.resolve();
        throw refusal('query_too_costly', `The query costs ${cost}; the maximum is ${HIGHEST_COST}.`);
      },
    }),
};

function costOf(options: Parameters<typeof getComplexity>[0]): number {
  try {
    return getComplexity(options);
  } catch (error) {
    // Variables of the wrong type, or fragments that unfold without end.
    if (error instanceof GraphQLError) throw refusal(ApolloServerErrorCode.BAD_USER_INPUT, error.message);
    throw error;
  }
}

function refusal(code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status: 400 } } });
}

/** A field costs what it says, or one, and what is inside it as often as its list is long. */
const costOfField: ComplexityEstimator = ({ type, field, args, childComplexity }) => {
  // Introspection reads memory, and has a depth limit of its own.
  if (type.name.startsWith('__') || field.name.startsWith('__')) return 1;
  const own = ownCostOf(field) ?? 1;
  if (!isCompositeType(getNamedType(field.type))) return own;
  return own + lengthOf(args, type.name, isListType(getNullableType(field.type))) * childComplexity;
};

/** What a field says that it costs by itself; undefined where it says nothing. */
export function ownCostOf({
  extensions,
}: Pick<GraphQLField<unknown, unknown>, 'extensions'>): number | undefined {
  const { complexity } = extensions;
  return typeof complexity === 'number' ? complexity : undefined;
}

function lengthOf(args: Readonly<Record<string, unknown>>, parent: string, isList: boolean): number {
  const { first } = args;
  if (typeof first === 'number') return Math.max(first, 1);
  // The field that gave the connection has counted its length already.
  return isList && !parent.endsWith('Connection') ? USUAL_LENGTH : 1;
}
