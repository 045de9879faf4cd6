/** Graphs of flows: the drawing of a flow that has run, and of a draft, in GraphQL and on the command line. */
import { PlainText, type CliContext } from '../../src/processes/cli/command.js';
import { runCommand } from '../../src/processes/cli/commands.js';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';

let app: TestApp;
let workspace: TestWorkspace;

beforeAll(async () => {
  app = await bootApp();
});
afterAll(async () => {
  await app.close();
});
beforeEach(async () => {
  workspace = await app.workspace();
});

const isVip = { source: 'contact', field: 'tags', operator: 'contains', value: 'vip' };
const FLOW = {
  name: 'Tour',
  trigger_event: 'signed_up',
  content_type: 'transactional',
  steps: [
    { type: 'condition', check: isVip, on_true: 'skip_to_end' },
    { type: 'wait', duration: '1d' },
  ],
};
const QUERY = `query($flowId: ID, $draft: CreateFlowInput) { previewFlowGraph(flowId: $flowId, draft: $draft) {
  nodes { id kind stepId title detail taken standing isMore } edges { from to label way taken } svg mermaid } }`;

interface Graph {
  readonly nodes: readonly object[];
  readonly edges: readonly object[];
  readonly svg: string;
  readonly mermaid: string;
}

async function graphOf(of: TestWorkspace, variables: object): Promise<Graph> {
  const { body } = await of.graphql(QUERY, variables);
  expect(body.errors).toBeUndefined();
  return body.data.previewFlowGraph as Graph;
}

/** The flow, with two trips that ran to the end immediately and one that waits. */
async function flowThatRan(): Promise<string> {
  const { body } = await workspace.call('POST', '/v1/flows', FLOW);
  const id = body.id as string;
  expect((await workspace.call('POST', `/v1/flows/${id}/activate`)).status).toBe(200);
  for (const [external_id, tags] of [
    ['a', ['vip']],
    ['b', ['vip']],
    ['c', []],
  ] as const)
    await workspace.call('POST', '/v1/events', { external_id, event_name: 'signed_up', contact: { tags } });
  await until('three trips have gone as far as they can', async () => {
    const { body: list } = await workspace.call('GET', `/v1/flows/${id}/trips`);
    return list.total === 3;
  });
  return id;
}

test('a flow that has run shows how often each step was taken, which way, and who stands there', async () => {
  const flowId = await flowThatRan();
  const graph = await graphOf(workspace, { flowId });
  const step = { standing: 0, isMore: false };
  const none = { stepId: null, taken: null, standing: null, isMore: false };
  expect(graph.nodes).toEqual([
    { id: 'trigger', kind: 'trigger', title: 'Trigger', detail: 'signed_up', ...none },
    {
      id: 'step-1',
      kind: 'condition',
      stepId: 1,
      title: 'Condition',
      detail: 'contact tags contains vip',
      ...step,
      taken: 3,
    },
    { id: 'step-2', kind: 'wait', stepId: 2, title: 'Wait', detail: '1d', ...step, taken: 1, standing: 1 },
    { id: 'end_', kind: 'end', title: 'End', detail: '', ...none },
  ]);
  expect(graph.edges).toEqual([
    { from: 'trigger', to: 'step-1', label: null, way: null, taken: null },
    { from: 'step-1', to: 'step-2', label: 'no', way: 'false', taken: 1 },
    { from: 'step-1', to: 'end_', label: 'yes', way: 'true', taken: 2 },
    { from: 'step-2', to: 'end_', label: null, way: null, taken: null },
  ]);
  expect(graph.svg).toContain('1 taken · 1 standing');
  expect(graph.mermaid).toContain('yes · 2');
});

test('a draft is drawn without figures, and nothing is stored of it', async () => {
  const draft = { name: 'Tour', triggerEvent: 'signed_up', contentType: 'transactional' };
  const graph = await graphOf(workspace, {
    draft: { ...draft, steps: [{ type: 'wait', duration: '2h' }] },
  });
  expect(graph.nodes).toHaveLength(3);
  expect(graph.nodes[1]).toMatchObject({ id: 'step-1', detail: '2h', taken: null, standing: null });
  expect((await workspace.call('GET', '/v1/flows')).body.total).toBe(0);
});

test.each([
  ['neither', {}],
  [
    'both',
    {
      flowId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface',
      draft: { name: 'x', triggerEvent: 'x', contentType: 'promotional' },
    },
  ],
])('a flow or a draft is asked for, not %s', async (_name, variables) => {
  const { body } = await workspace.graphql(QUERY, variables);
  expect(body.errors[0].extensions.code).toBe('invalid_field');
});

test("another workspace's flow is not found", async () => {
  const { body } = await workspace.call('POST', '/v1/flows', FLOW);
  const answer = await (await app.workspace()).graphql(QUERY, { flowId: body.id });
  expect(answer.body.errors[0].extensions.code).toBe('flow_not_found');
});

test('the command line prints the drawing as it is', async () => {
  const { body } = await workspace.call('POST', '/v1/flows', FLOW);
  const world = {
    withServices: (work: (services: unknown) => Promise<unknown>) => work(app.app),
  } as unknown as CliContext;
  const draw = (...more: string[]): Promise<unknown> =>
    runCommand(['flow:draw', '--workspace', workspace.id, '--flow', body.id as string, ...more], world);
  const { svg, mermaid } = await graphOf(workspace, { flowId: body.id });
  expect(await draw()).toEqual(new PlainText(svg));
  expect(await draw('--format', 'mermaid', '--environment', 'test')).toEqual(new PlainText(mermaid));
  await expect(draw('--format', 'png')).rejects.toThrow('--format must be one of svg, mermaid.');
});
