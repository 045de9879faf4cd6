/** The fixture of tests of flows over HTTP: a service, a new workspace for each test, and flows in it. */
import type { Answer, BootOptions, TestWorkspace } from './app.js';
import { useFixture, type Fixture } from './fixture.js';

/** The smallest valid flow. */
export const LEAST_FLOW = { name: 'Onboarding', trigger_event: 'signed_up', content_type: 'transactional' };
/** An id that no object has. */
export const UNKNOWN_ID = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface';

interface FlowsMethods {
  /** Calls a path below /v1/flows. */
  readonly call: (method: string, path: string, body?: unknown) => Promise<Answer>;
  /** Requests the smallest valid flow with these members added. */
  readonly create: (more?: object) => Promise<Answer>;
  readonly get: (id: string) => Promise<Answer>;
  readonly put: (id: string, body: unknown) => Promise<Answer>;
  readonly act: (id: string, action: string) => Promise<Answer>;
  /** Creates a flow, applies the actions to it, and returns its id. */
  readonly flow: (more?: object, ...actions: readonly string[]) => Promise<string>;
  readonly template: (slug: string, bodyHtml?: string, more?: object) => Promise<void>;
  /** Creates a segment of all contacts and returns its id. */
  readonly segment: (of?: TestWorkspace) => Promise<string>;
}

export type FlowsFixture = Fixture & FlowsMethods;

/** Boots the service before the tests of the calling file, and closes it after them. */
export function flowsFixture(options: BootOptions = {}): FlowsFixture {
  const fixture: FlowsFixture = useFixture<FlowsMethods>(options, {
    call: (method, path, body) => fixture.workspace.call(method, `/v1/flows${path}`, body),
    create: (more = {}) => fixture.call('POST', '', { ...LEAST_FLOW, ...more }),
    get: (id) => fixture.call('GET', `/${id}`),
    put: (id, body) => fixture.call('PUT', `/${id}`, body),
    act: (id, action) => fixture.call('POST', `/${id}/${action}`),
    flow: async (more = {}, ...actions) => {
      const { status, body } = await fixture.create(more);
      expect(status).toBe(201);
      for (const action of actions) expect((await fixture.act(body.id, action)).status).toBe(200);
      return body.id as string;
    },
    template: async (slug, bodyHtml = '<p>Hi</p>', more = {}) => {
      const template = { name: slug, slug, body_html: bodyHtml, ...more };
      expect((await fixture.workspace.call('POST', '/v1/templates', template)).status).toBe(201);
    },
    segment: async (of = fixture.workspace) => {
      const { body } = await of.graphql(
        `mutation ($input: CreateSegmentInput!) { createSegment(input: $input) { id } }`,
        { input: { name: 'Everybody', match: 'all', conditions: [] } },
      );
      return body.data.createSegment.id as string;
    },
  });
  return fixture;
}
