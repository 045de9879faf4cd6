/**
 * Fixing findings in their template through GraphQL (section 4.7): which ones can be fixed, why others cannot, and that
 * a fixed one is gone.
 */
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { UNKNOWN_ID } from '../support/flows-fixture.js';
import { until } from '../support/until.js';

let app: TestApp;

beforeAll(async () => {
  app = await bootApp({ queues: ['inspections', 'full-inspections'] });
});
afterAll(() => app.close());

const TEXT = 'This is the news that you have been waiting for, with the plans and your dates from this week.';
/** Every fault that can be fixed, on a page rendered by Jinja2. */
const FAULTY = `<html>
<head></head>
<body>
{# A note #}<p style="font-family:'Open Sans'">${TEXT}</p>
<p>Hello {{ contact.first_name }}</p>
<p style="font-family:Georgia,Times">More</p>
<a href="http://acme.com/plans">Our plans</a>
<img src="https://acme.com/summer-sale.png" width="200" height="100">
<table><tr><td><div><span>Offer</td></tr></table></em>
{% if contact.city %}<div>In {{ contact.city }}</div>{% endif %}
<div>The end
</body>
</html>
`;
const CODES = ['HT013', 'HT014', 'HT015', 'CS013', 'CS014'];
/** Suggested fixes that are guesses; the author decides. */
const SUGGESTED = ['LK006', 'AC001'];
const RULES_OF_FRAME = ['doctype', 'character encoding', 'language', 'title', 'preheader'];

interface Found {
  readonly id: string;
  readonly code: string;
  readonly message: string;
  readonly fixable: boolean;
  readonly edits: readonly Edit[];
  readonly suggestedEdits: readonly Edit[];
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

class Fixture {
  constructor(private readonly workspace: TestWorkspace) {}

  static async open(bodyHtml: string): Promise<Fixture> {
    const fixture = new Fixture(await app.workspace());
    const input = { name: 'Welcome', slug: 'welcome', subject: 'Hello', body_html: bodyHtml };
    expect((await fixture.call('POST', '/v1/templates', input)).status).toBe(201);
    return fixture;
  }

  call(method: string, path: string, body?: unknown): Promise<Answer> {
    const { ownerToken, id } = this.workspace;
    return app.request(method, path, body, { authorization: `Bearer ${ownerToken}`, 'x-workspace-id': id });
  }

  async findings(): Promise<Found[]> {
    const run = await this.call('POST', '/v1/inspect', { template_slug: 'welcome', mode: 'quick' });
    const jobId = run.body.job_id as string;
    await until('the run has ended', async () => {
      const { body } = await this.call('GET', `/v1/inspect/${jobId}`);
      return ['completed', 'failed'].includes(body.status as string);
    });
    const [found, suggestions] = await Promise.all([
      this.nodes(jobId, 'id code message fixable edits { start end text }'),
      this.nodes(jobId, 'suggestedEdits { start end text }'),
    ]);
    return found.map((node, index) => ({ ...node, ...suggestions[index] }));
  }

  private async nodes(jobId: string, fields: string): Promise<any[]> {
    const { body } = await this.call('POST', '/graphql', {
      query: `{ inspectFindings(jobId: "${jobId}", first: 100) { edges { node { ${fields} } } } }`,
    });
    return (body.data.inspectFindings.edges as { node: any }[]).map(({ node }) => node);
  }

  async apply(findingIds: readonly string[]): Promise<any> {
    const { body } = await this.call('POST', '/graphql', {
      query: `mutation($input: ApplyFixesInput!) { applyFixes(input: $input) {
        templateVersion applied appliedFindingIds skipped { findingId reason } } }`,
      variables: { input: { templateSlug: 'welcome', findingIds } },
    });
    return body.data?.applyFixes ?? body.errors[0].extensions.code;
  }

  async body(): Promise<string> {
    return (await this.call('GET', '/v1/templates/welcome')).body.body_html as string;
  }
}

test('all that is mechanical is mended at once, in a new version in which none of it is found', async () => {
  const fixture = await Fixture.open(FAULTY);
  const before = await fixture.findings();
  const fixable = before.filter((finding) => finding.fixable);
  expect(fixable.map(({ code }) => code)).toEqual(expect.arrayContaining(CODES));
  for (const word of RULES_OF_FRAME) {
    expect(fixable.map(({ message }) => message).join()).toContain(word);
  }
  const rest = before.filter((finding) => !finding.fixable);
  expect(rest.flatMap(({ edits }) => edits)).toEqual([]);
  const suggested = before.filter(({ suggestedEdits }) => suggestedEdits.length > 0);
  expect(suggested.map(({ code }) => code).sort()).toEqual([...SUGGESTED].sort());
  expect(suggested.flatMap(({ suggestedEdits }) => suggestedEdits.map(({ text }) => text)).sort()).toEqual([
    ' alt="Summer sale"',
    'https://',
  ]);
  expect(suggested.filter(({ fixable }) => fixable)).toEqual([]);
  const answer = await fixture.apply(before.map(({ id }) => id));
  expect(answer.templateVersion).toBe(2);
  expect(answer.applied).toBe(fixable.length);
  expect([...answer.appliedFindingIds].sort()).toEqual(fixable.map(({ id }) => id).sort());
  expect(answer.skipped).toEqual(rest.map(({ id }) => ({ findingId: id, reason: 'not_mechanical' })));
  const after = await fixture.findings();
  const mended = new Set(fixable.map(({ code }) => code));
  expect(after.filter(({ code }) => mended.has(code))).toEqual([]);
  const known = new Set(before.map(({ code }) => code));
  expect(after.map(({ code }) => code).filter((code) => !known.has(code))).toEqual([]);
  const body = await fixture.body();
  expect(body).toContain('<div>The end\n</div></body>');
  expect(body).toContain('<a href="http://acme.com/plans">');
  expect(body).toContain('<img src="https://acme.com/summer-sale.png"');
});

test('what is of an earlier version is skipped and said to be, and changes nothing', async () => {
  const fixture = await Fixture.open(FAULTY);
  const findings = await fixture.findings();
  const tag = findings.find(({ code }) => code === 'HT013')?.id ?? '';
  const font = findings.find(({ code }) => code === 'CS013')?.id ?? '';
  expect(await fixture.apply([tag])).toEqual({
    ...{ templateVersion: 2, applied: 1, appliedFindingIds: [tag], skipped: [] },
  });
  expect(await fixture.apply([font, tag])).toEqual({
    ...{ templateVersion: 2, applied: 0, appliedFindingIds: [] },
    skipped: [font, tag].map((findingId) => ({ findingId, reason: 'other_version' })),
  });
  expect(await fixture.apply([UNKNOWN_ID])).toBe('finding_not_found');
});
