/**
 * GraphQL for the dashboard at /graphql: code first, on the same services and guards as REST, with limits that are
 * checked before a resolver runs. Playground and introspection are available outside of production.
 */
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { GraphQLModule, GraphQLSchemaHost } from '@nestjs/graphql';
import { GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import type { Logger } from 'pino';
import { jsonText } from '../../kernel/json-text.js';
import '../input/api-documents.js';
import { LOGGER } from '../logging/logger.js';
import { withStrictDateTime } from './date-time.js';
import { errorReports, formatError } from './graphql-errors.js';
import { GRAPHQL_PATH } from './graphql-route.js';
import { makeContext } from './loaders.js';
import { PlaygroundAssets } from './playground-assets.js';
import { playgroundPage } from './playground-page.js';
import { PlaygroundVisitor } from './playground-visitor.js';
import { costLimit, limitRules, MAX_TOKENS } from './query-limits.js';

@Module({})
export class GraphqlModule {
  static register({
    production,
    introspection,
  }: {
    readonly production: boolean;
    readonly introspection: boolean;
  }): DynamicModule {
    return {
      module: GraphqlModule,
      imports: [
        GraphQLModule.forRootAsync<ApolloDriverConfig>({
          driver: ApolloDriver,
          inject: [LOGGER],
          useFactory: (logger: Logger): ApolloDriverConfig => ({
            path: GRAPHQL_PATH,
            autoSchemaFile: true,
            sortSchema: true,
            // The check introspects the whole schema at each start; it is validated once, with schema.gql.
            buildSchemaOptions: { skipCheck: true },
            transformSchema: withStrictDateTime,
            context: makeContext,
            // Fields have their own rules: not every caller who may see a segment may see its contacts.
            fieldResolverEnhancers: ['guards'],
            formatError,
            autoTransformHttpErrors: false,
            includeStacktraceInErrorResponses: false,
            validationRules: limitRules,
            parseOptions: { maxTokens: MAX_TOKENS },
            plugins: [costLimit, errorReports(logger), ...(production ? [] : [playgroundPage])],
            introspection,
            hideSchemaDetailsFromClientErrors: !introspection,
            // Nest's own playground loads its files from another host.
            graphiql: false,
            csrfPrevention: true,
            allowBatchedHttpRequests: false,
            persistedQueries: false,
            cache: 'bounded',
            stringifyResult: (result) => `${jsonText(result)}\n`,
          }),
        }),
      ],
      providers: production ? [] : [PlaygroundAssets, PlaygroundVisitor],
    };
  }
}

/** The text of schema.gql: the types that a query or a mutation reaches. */
export function renderSchema(app: INestApplicationContext): string {
  const { schema } = app.get(GraphQLSchemaHost, { strict: false });
  const reached = new GraphQLSchema({ ...schema.toConfig(), types: [] });
  return `# Generated from the code by \`npm run generate\`: do not edit.\n\n${printSchema(lexicographicSortSchema(reached))}\n`;
}
