/**
 * Errors of GraphQL answers: the codes of section 7 under `extensions`, words of GraphQL itself for queries that
 * are wrong, and nothing of the inside for what is our fault.
 */
import type { ApolloServerPlugin } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import type { GraphQLFormattedError } from 'graphql';
import type { Logger } from 'pino';
import { answerOf } from '../http/error-answer.js';
import type { GraphqlContext } from './loaders.js';

/** What Apollo calls every error that it does not know to be the query's. */
const UNKNOWN = 'INTERNAL_SERVER_ERROR';

/** Renders one error of an answer. */
export function formatError(formatted: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError {
  const code = formatted.extensions?.['code'];
  if (code !== UNKNOWN) return { ...formatted, extensions: { code } };
  const { status, error } = answerOf(unwrapResolverError(thrown));
  return { ...formatted, message: error.detail, extensions: { code: error.code, status, ...error.fields } };
}

/** Logs what is our fault, and puts the request id into every error. */
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
        willSendResponse: ({ response, contextValue }) => {
          if (response.body.kind !== 'single') return Promise.resolve();
          const { singleResult } = response.body;
          if (!singleResult.errors) return Promise.resolve();
          const requestId = contextValue.req.id;
          singleResult.errors = singleResult.errors.map((error) => {
            const retryAfter = error.extensions?.['retry_after'];
            if (typeof retryAfter === 'number')
              response.http.headers.set('retry-after', String(Math.ceil(retryAfter)));
            return { ...error, extensions: { ...error.extensions, request_id: requestId } };
          });
          return Promise.resolve();
        },
      }),
  };
}
