/**
 * Formats GraphQL errors: the codes of section 7 under `extensions`, GraphQL's own messages for invalid queries, and no
 * internals for errors that are our fault.
 */
import type { ApolloServerPlugin } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import type { Logger } from 'pino';
import { internalSpelling } from '../../kernel/letter-case.js';
import { answerOf } from '../answers/error-answer.js';
import { currentRequestId } from './graphql-route.js';
import type { GraphqlContext } from './loaders.js';

/** Apollo's code for every error that is not a known query error. */
const UNKNOWN = 'INTERNAL_SERVER_ERROR';

/** Formats one error of a response, including errors that no resolver has seen. */
export function formatError(formatted: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError {
  const request_id = currentRequestId();
  const code = formatted.extensions?.['code'];
  if (code !== UNKNOWN) return { ...formatted, extensions: { code, request_id } };
  const { status, error } = answerOf(unwrapResolverError(thrown));
  const extensions = { code: error.code, status, ...error.fieldsAs(internalSpelling), request_id };
  return { ...formatted, message: error.detailAs(internalSpelling), extensions };
}

/** The name of an operation or field, if it is safe to log. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const MAX_PATH_STEPS = 16;

/** Where a resolver failed: the operation's name and the path of the field, without overlong names. */
export function errorLocation(
  { path = [] }: Partial<Pick<GraphQLError, 'path'>>,
  operationName: string | null | undefined,
): { readonly operation?: string; readonly path: string } {
  const steps = path.slice(0, MAX_PATH_STEPS).map((step) => (isLoggable(step) ? String(step) : '…'));
  const operation =
    typeof operationName === 'string' && isLoggable(operationName) ? { operation: operationName } : {};
  return { ...operation, path: steps.join('.') };
}

function isLoggable(step: string | number): boolean {
  return typeof step === 'number' || NAME.test(step);
}

/** Logs errors that are our fault, and sets the Retry-After header. */
export function errorReports(logger: Logger): ApolloServerPlugin<GraphqlContext> {
  return {
    requestDidStart: () =>
      Promise.resolve({
        didEncounterErrors: ({ errors, contextValue, operationName }) => {
          for (const error of errors) {
            const cause = unwrapResolverError(error);
            if (error.extensions['code'] !== undefined && error.extensions['code'] !== UNKNOWN) continue;
            if (!answerOf(cause).fault) continue;
            const location = errorLocation(error, operationName);
            logger.error({ err: cause, request_id: contextValue.req.id, ...location }, 'A resolver failed');
          }
          return Promise.resolve();
        },
        willSendResponse: ({ response }) => {
          if (response.body.kind !== 'single') return Promise.resolve();
          for (const { extensions } of response.body.singleResult.errors ?? []) {
            const retryAfter = extensions?.['retry_after'];
            if (typeof retryAfter === 'number')
              response.http.headers.set('retry-after', String(Math.ceil(retryAfter)));
          }
          return Promise.resolve();
        },
      }),
  };
}
