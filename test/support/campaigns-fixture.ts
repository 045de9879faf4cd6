/** The fixture of tests of campaigns over HTTP: a service, a new workspace for each test, and campaigns in it. */
import type { Answer, BootOptions, TestWorkspace } from './app.js';
import { useFixture, type Fixture } from './fixture.js';

interface CampaignsMethods {
  /** Calls a path below /v1/campaigns as the owner, in the live environment unless `headers` say otherwise. */
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer>;
  /** Requests a campaign with a name and these members. */
  readonly create: (more?: object) => Promise<Answer>;
  readonly get: (id: string) => Promise<Answer>;
  readonly patch: (id: string, body: unknown) => Promise<Answer>;
  /** Creates a campaign in the workspace. */
  readonly campaign: (more?: object) => Promise<any>;
  /** Sets a campaign's status directly, without the transitions that lead to it. */
  readonly put: (id: string, status: string) => Promise<void>;
  /** Creates a template and returns its id. */
  readonly template: (bodyHtml?: string, more?: object, of?: TestWorkspace) => Promise<string>;
  /** Creates a segment and returns its id. Without conditions it contains every contact. */
  readonly segment: (conditions?: readonly object[], of?: TestWorkspace) => Promise<string>;
}

export type CampaignsFixture = Fixture & CampaignsMethods;

/** Boots the service before the tests of the calling file, and closes it after them. */
export function campaignsFixture(options: BootOptions = {}): CampaignsFixture {
  let serial = 0;
  const fixture: CampaignsFixture = useFixture<CampaignsMethods>(options, {
    call: (method, path, body, headers = {}) =>
      fixture.app.request(method, `/v1/campaigns${path}`, body, {
        authorization: `Bearer ${fixture.workspace.ownerToken}`,
        'x-workspace-id': fixture.workspace.id,
        ...headers,
      }),
    create: (more = {}) => fixture.call('POST', '', { name: 'Spring sale', ...more }),
    get: (id) => fixture.call('GET', `/${id}`),
    patch: (id, body) => fixture.call('PATCH', `/${id}`, body),
    campaign: async (more = {}) => {
      const { status, body } = await fixture.create(more);
      expect([status, body.detail]).toEqual([201, undefined]);
      return body;
    },
    put: async (id, status) => {
      await fixture.admin.query('UPDATE campaigns SET status = $2 WHERE id = $1', [id, status]);
    },
    template: async (bodyHtml = '<p>Hello</p>', more = {}, of = fixture.workspace) => {
      const slug = `template-${++serial}`;
      const template = { name: slug, slug, subject: 'News', body_html: bodyHtml, ...more };
      const { status } = await of.call('POST', '/v1/templates', template);
      expect(status).toBe(201);
      const { body } = await of.graphql(`{ template(slug: "${slug}") { id } }`);
      return body.data.template.id as string;
    },
    segment: async (conditions = [], of = fixture.workspace) => {
      const { body } = await of.graphql(
        `mutation ($input: CreateSegmentInput!) { createSegment(input: $input) { id } }`,
        { input: { name: `Segment ${++serial}`, match: 'all', conditions } },
      );
      return body.data.createSegment.id as string;
    },
  });
  return fixture;
}
