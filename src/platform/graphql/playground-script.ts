/** What the playground starts with: a header editor for each kind of credentials, and queries to begin from. */

const SAMPLES = `# Fill in "Headers" below: either an API key with
# its workspace, or "Bearer " and a token of yours.
# The book on the left shows all there is to ask.

query Workspace {
  workspace {
    id
    name
  }
}

query Contacts {
  contacts(first: 10) {
    totalCount
    edges {
      node {
        id
        externalId
        email
      }
    }
  }
}
`;

const HEADERS = JSON.stringify({ 'X-WORKSPACE-ID': '', 'X-API-KEY': '', Authorization: '' }, undefined, 2);

/** The script of the page: starts GraphiQL, and sends only the headers that have a value. */
export const PLAYGROUND_SCRIPT = `'use strict';
const fetcher = GraphiQL.createFetcher({
  url: '/graphql',
  fetch: (url, options) => {
    const headers = Object.entries(options.headers || {}).filter(([, value]) => value !== '');
    return fetch(url, { ...options, headers: Object.fromEntries(headers) });
  },
});
ReactDOM.createRoot(document.getElementById('playground')).render(
  React.createElement(GraphiQL, {
    fetcher,
    defaultQuery: ${JSON.stringify(SAMPLES)},
    defaultHeaders: ${JSON.stringify(HEADERS)},
    headers: ${JSON.stringify(HEADERS)},
    isHeadersEditorEnabled: true,
    defaultEditorToolsVisibility: 'headers',
    shouldPersistHeaders: false,
  }),
);
`;

export const PLAYGROUND_STYLE = `html, body, #playground { height: 100%; margin: 0; }
`;
