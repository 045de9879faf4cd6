/** The page of the GraphQL playground. This service serves its files, so that it works without the internet. */
import type { ApolloServerPlugin } from '@apollo/server';
import type { GraphqlContext } from './loaders.js';
import { PLAYGROUND_PATH } from './playground-assets.js';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Waypost GraphQL</title>
    <link rel="stylesheet" href="${PLAYGROUND_PATH}/graphiql.css">
    <link rel="stylesheet" href="${PLAYGROUND_PATH}/playground.css">
    <script defer src="${PLAYGROUND_PATH}/react.js"></script>
    <script defer src="${PLAYGROUND_PATH}/react-dom.js"></script>
    <script defer src="${PLAYGROUND_PATH}/graphiql.js"></script>
    <script defer src="${PLAYGROUND_PATH}/playground.js"></script>
  </head>
  <body>
    <div id="playground">Loading the playground…</div>
    <noscript>The playground needs JavaScript; the GraphQL endpoint itself does not.</noscript>
  </body>
</html>
`;

/** Responds to GET /graphql with the page if the client accepts HTML. */
export const playgroundPage: ApolloServerPlugin<GraphqlContext> = {
  serverWillStart: () => Promise.resolve({ renderLandingPage: () => Promise.resolve({ html: PAGE }) }),
};
