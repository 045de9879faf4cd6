/**
 * Errors of GraphQL answers: the codes of section 7 under `extensions`, words of GraphQL itself for queries that
 * are wrong, and nothing of the inside for what is our fault.
 */
import type { ApolloServerPlugin } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import type { GraphQLFormattedError } from 'graphql';
import type { Logger } from 'pino';
import { asInside } from '../../kernel/letter-case.js';
import { answerOf } from '../answers/error-answer.js';
import { currentRequestId } from './graphql-route.js';
import type { GraphqlContext } from './loaders.js';

/** What Apollo calls every error that it does not know to be the query's. */
const UNKNOWN = 'INTERNAL_SERVER_ERROR';

/** Renders one error of an answer, also of those that no resolver has seen. */
export function formatError(formatted: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError {
  const request_id = currentRequestId();
  const code = formatted.extensions?.['code'];
  if (code !== UNKNOWN) return { ...formatted, extensions: { code, request_id } };
  const { status, error } = answerOf(unwrapResolverError(thrown));
  const extensions = { code: error.code, status, ...error.fieldsAs(asInside), request_id };
  return { ...formatted, message: error.detail, extensions };
}

/** Logs what is our fault, and tells in a header when the call may succeed. */
export function errorReports(logger: Logger): ApolloServerPlugin<GraphqlContext> {
  return {
    requestDidStart: () =>
      Promise.resolve({
        didEncounterErrors: ({ errors, contextValue, operationName }) => {
          for (const error of errors) {
            const cause = unwrapResolverError(error);
            if (error.extensions['code'] !== undefined && error.extensions['code'] !== UNKNOWN) continue;
            if (!answerOf(cause).fault) continue;
            const { path } = error;
            logger.error(
              { err: cause, request_id: contextValue.req.id, operationName, path },
              'A resolver failed',
            );
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
