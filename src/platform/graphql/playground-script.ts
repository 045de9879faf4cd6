/** The initial state of the playground: a header editor with each kind of credentials, and a sample query. */
import { VISITOR_HEADER, VISITOR_PATH } from './playground-visitor.js';

/** A query that shows a bit of everything. */
export const SAMPLE = `# Run this query: the triangle, or Ctrl-Enter.
# The demo's credentials are filled in under
# "Headers" below. Otherwise, set "Bearer "
# and a token, or an API key and the ID of
# its workspace.

query Overview {
  workspace {
    name
    plan
    environment
  }
  contacts(first: 5) {
    totalCount
    edges {
      node {
        externalId
        email
        properties
        segments {
          edges {
            node {
              name
            }
          }
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
  templates(first: 10) {
    edges {
      node {
        slug
        subject
        validationStatus
      }
    }
  }
  flows(first: 10) {
    counts {
      all
      active
    }
    edges {
      tripsStarted
      node {
        name
        triggerEvent
        status
      }
    }
  }
  segments(first: 10) {
    edges {
      node {
        name
        memberCount
      }
    }
  }
}
`;

/** To be filled in if no credentials are offered. */
const HEADERS = { 'X-WORKSPACE-ID': '', 'X-API-KEY': '', Authorization: '' };
const NOTHING_OFFERED = JSON.stringify(HEADERS);

/** The script of the page: starts GraphiQL with the offered credentials, and sends only headers with a value. */
export const PLAYGROUND_SCRIPT = `'use strict';
const fetcher = GraphiQL.createFetcher({
  url: '/graphql',
  fetch: (url, options) => {
    const headers = Object.entries(options.headers || {}).filter(([, value]) => value !== '');
    return fetch(url, { ...options, headers: Object.fromEntries(headers) });
  },
});
async function offered() {
  try {
    const answer = await fetch(${JSON.stringify(VISITOR_PATH)}, { headers: { ${JSON.stringify(VISITOR_HEADER)}: '1' } });
    return answer.status === 200 ? await answer.json() : ${NOTHING_OFFERED};
  } catch {
    return ${NOTHING_OFFERED};
  }
}
async function start() {
  const headers = JSON.stringify(await offered(), undefined, 2);
  ReactDOM.createRoot(document.getElementById('playground')).render(
    React.createElement(GraphiQL, {
      fetcher,
      defaultQuery: ${JSON.stringify(SAMPLE)},
      defaultHeaders: headers,
      headers,
      isHeadersEditorEnabled: true,
      defaultEditorToolsVisibility: 'headers',
      shouldPersistHeaders: false,
    }),
  );
}
void start();
`;

export const PLAYGROUND_STYLE = `html, body, #playground { height: 100%; margin: 0; }
`;
