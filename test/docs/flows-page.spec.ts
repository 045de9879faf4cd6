/** docs/flows.md: its flow can be saved, its checks exist, and its drawing is the product's drawing of the flow. */
import { readFileSync, writeFileSync } from 'node:fs';
import { flowSvg } from '../../src/modules/flows/domain/flow-svg.js';
import type { Flow } from '../../src/modules/flows/domain/flow.js';
import { assignStepIds } from '../../src/modules/flows/domain/step-identity.js';
import { readFlow } from '../../src/modules/flows/input/flow.input.js';
import { STEPS } from '../../src/modules/flows/input/step.input.js';
import { OPERATORS } from '../../src/modules/segments/domain/operators.js';

const PAGE = readFileSync('docs/flows.md', 'utf8');
const DRAWING = 'docs/images/flow.svg';

function example(): Pick<Flow, 'name' | 'triggerEvent' | 'steps'> {
  const [, json = ''] = /^```json\n([^]*?)^```/m.exec(PAGE) ?? [];
  const flow = readFlow(JSON.parse(json));
  return { ...flow, steps: assignStepIds(flow.steps) };
}

test('the flow can be saved', () => {
  expect(example().steps).toHaveLength(6);
});

/** UPDATE_DRAWING=1 regenerates it. */
test('the drawing is the one that the product makes of it', () => {
  const svg = flowSvg(example(), new Map());
  if (process.env['UPDATE_DRAWING'] === '1') writeFileSync(DRAWING, svg);
  expect(readFileSync(DRAWING, 'utf8')).toBe(svg);
});

test('every type of step is explained', () => {
  for (const type of Object.keys(STEPS.classes)) expect(PAGE).toMatch(new RegExp(`^\\| \`${type}\` `, 'm'));
});

test('every example of a check is one', () => {
  const checks = [...PAGE.matchAll(/`(\{"source".*?\})` *\|$/gm)].map(([, json = '']) => json);
  expect(checks).toHaveLength(4);
  for (const check of checks) {
    const steps = [{ type: 'condition', check: JSON.parse(check) as unknown }];
    const flow = { name: 'x', trigger_event: 'x', content_type: 'transactional', steps };
    expect(() => readFlow(flow)).not.toThrow();
  }
});

test.each(['docs/flows.md', 'docs/data-plane.md'])('%s names every short name of an operator', (page) => {
  const text = readFileSync(page, 'utf8');
  const short = Object.values(OPERATORS).flatMap((operator) =>
    'aliases' in operator ? operator.aliases : [],
  );
  expect(short.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});
