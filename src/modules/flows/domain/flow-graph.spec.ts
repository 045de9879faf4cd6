import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';
import { flowGraph, type DrawnFlow, type StepCounts } from './flow-graph.js';
import { flowMermaid } from './flow-mermaid.js';
import { flowSvg } from './flow-svg.js';

const FLOW: DrawnFlow = {
  name: 'Welcome',
  triggerEvent: 'signed_up',
  steps: [
    { id: 1, type: 'send_email', templateSlug: 'welcome' },
    { id: 2, type: 'wait', duration: '1d' },
    {
      id: 3,
      type: 'condition',
      check: { source: 'latest_event', eventName: 'order_placed', exists: true },
      onTrue: 'skip_to_end',
    },
    {
      id: 4,
      type: 'conditional_split',
      branches: [
        {
          name: 'Pro',
          check: { source: 'contact', field: 'properties.plan', operator: 'eq', value: 'pro' },
          steps: [{ id: 5, type: 'send_email', templateSlug: 'pro_tips' }],
          onTrue: 'skip_to_end',
        },
        { steps: [{ id: 6, type: 'wait', duration: '2h' }] },
      ],
    },
    {
      id: 7,
      type: 'ab_split',
      variants: [
        { name: 'A', percentage: 50, steps: [{ id: 8, type: 'send_email', templateSlug: 'a' }] },
        { name: 'B', percentage: 50 },
      ],
    },
    { id: 9, type: 'update_contact', set: { onboarded: true } },
  ],
};

test('every step is a node, every way an edge', () => {
  const { nodes, edges } = flowGraph(FLOW);
  expect(nodes.map(({ id, title, detail }) => [id, title, detail])).toEqual([
    ['trigger', 'Trigger', 'signed_up'],
    ['step-1', 'Send email', 'welcome'],
    ['step-2', 'Wait', '1d'],
    ['step-3', 'Condition', 'has order_placed'],
    ['step-4', 'Conditional split', '2 branches'],
    ['step-5', 'Send email', 'pro_tips'],
    ['step-6', 'Wait', '2h'],
    ['step-7', 'A/B split', '2 variants'],
    ['step-8', 'Send email', 'a'],
    ['step-9', 'Update contact', 'onboarded'],
    ['end_', 'End', ''],
  ]);
  expect(edges.map(({ from, to, label }) => [from, to, label])).toEqual([
    ['trigger', 'step-1', null],
    ['step-1', 'step-2', null],
    ['step-2', 'step-3', null],
    ['step-3', 'step-4', 'no'],
    ['step-4', 'step-5', 'Pro'],
    ['step-4', 'step-6', 'others'],
    ['step-6', 'step-7', null],
    ['step-7', 'step-8', 'A 50%'],
    ['step-8', 'step-9', null],
    ['step-7', 'step-9', 'B 50%'],
    ['step-3', 'end_', 'yes'],
    ['step-5', 'end_', null],
    ['step-9', 'end_', null],
  ]);
});

test('a split without a default leads on where no branch is taken', () => {
  const steps: DrawnFlow['steps'] = [
    {
      id: 1,
      type: 'conditional_split',
      branches: [{ check: { source: 'segment', segmentId: 's', member: false }, onTrue: 'skip_to_end' }],
    },
  ];
  expect(flowGraph({ ...FLOW, steps }).edges).toEqual([
    { from: 'trigger', to: 'step-1', label: null, way: null },
    { from: 'step-1', to: 'end_', label: 'not in the segment', way: '0' },
    { from: 'step-1', to: 'end_', label: 'others', way: 'none' },
  ]);
});

test('a flow without steps leads from its trigger to its end', () => {
  expect(flowGraph({ ...FLOW, steps: [] }).edges).toEqual([
    { from: 'trigger', to: 'end_', label: null, way: null },
  ]);
});

const COUNTS = new Map<number, StepCounts>([
  [2, { taken: 1204, ways: new Map(), standing: 35, isMore: false }],
  [
    3,
    {
      taken: 1169,
      ways: new Map([
        ['true', 69],
        ['false', 1100],
      ]),
      standing: 0,
      isMore: false,
    },
  ],
]);

test('as Mermaid, with what is known of the steps', () => {
  const lines = flowMermaid(flowGraph(FLOW), COUNTS).split('\n');
  expect(lines[0]).toBe('flowchart TD');
  expect(lines).toContain('  trigger(["Trigger<br/>signed_up"])');
  expect(lines).toContain('  step-2["Wait<br/>1d<br/>1,204 taken · 35 standing"]');
  expect(lines).toContain('  step-3{"Condition<br/>has order_placed<br/>1,169 taken · 0 standing"}');
  expect(lines).toContain('  step-3 -->|"yes · 69"| end_');
});

const HOSTILE = `"><script>alert(1)</script>]-->x["#`;

test('names cannot leave their place in Mermaid', () => {
  const steps: DrawnFlow['steps'] = [{ id: 1, type: 'send_email', templateSlug: HOSTILE }];
  const [line] = flowMermaid(flowGraph({ ...FLOW, steps }), new Map())
    .split('\n')
    .filter((text) => text.includes('step-1['));
  expect(line).toMatch(/^ {2}step-1\["[^"\]]*"\]$/);
  expect(line).not.toMatch(/<script|<\/script/);
});

test('names cannot leave their place in SVG', () => {
  const hostile = { ...FLOW, name: HOSTILE, triggerEvent: HOSTILE };
  const elements = new Set<string>();
  const walk = (node: DefaultTreeAdapterTypes.Node): void => {
    elements.add(node.nodeName);
    if ('childNodes' in node) node.childNodes.forEach(walk);
  };
  parseFragment(flowSvg(hostile, COUNTS)).childNodes.forEach(walk);
  expect([...elements].toSorted()).toEqual(['#text', 'g', 'path', 'rect', 'style', 'svg', 'text', 'title']);
});

test('the drawing shows every step once, and the ends of the ways', () => {
  const svg = flowSvg(FLOW, COUNTS);
  expect(svg.match(/class="b"/g)).toHaveLength(1 + 9 + 3);
  expect(svg).toContain('1,204 taken · 35 standing');
  expect(svg).toContain('no · 1,100');
});

test('the most nested flow and the longest words are drawn within bounds', () => {
  const deep = (depth: number): DrawnFlow['steps'] => [
    {
      id: depth,
      type: 'ab_split',
      variants: [
        { name: 'x'.repeat(255), percentage: 50, steps: depth < 5 ? deep(depth + 1) : [] },
        { name: 'B', percentage: 50, steps: [] },
      ],
    },
  ];
  expect(flowSvg({ ...FLOW, steps: deep(1) }, new Map()).length).toBeLessThan(20_000);
});
