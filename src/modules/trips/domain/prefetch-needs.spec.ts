import { assignStepIds } from '../../flows/domain/step-identity.js';
import type { Check } from '../../flows/domain/check.js';
import type { NewStep } from '../../flows/domain/step.js';
import { prefetchNeedsOf } from './prefetch-needs.js';

const ordered: Check = { source: 'latest_event', eventName: 'order_placed', exists: true };
const opened: Check = { ...ordered, eventName: 'app_opened', attributes: { os: 'ios' } };
const member: Check = { source: 'segment', segmentId: 'S', member: true };
const total: Check = { source: 'trigger_event', attribute: 'total', operator: 'exists' };
const plan: Check = { source: 'contact', field: 'properties.plan', operator: 'exists' };
const wait: NewStep = { type: 'wait', duration: '1h' };
const set: NewStep = { type: 'update_contact', set: { plan: 'pro' } };
const condition = (check: Check): NewStep => ({ type: 'condition', check });
const split = (...steps: (readonly NewStep[])[]): NewStep => ({
  type: 'conditional_split',
  branches: steps.map((inner, index) => ({ check: index === 0 ? opened : member, steps: inner })),
});

const NOTHING = { changesContact: false, asksContact: false, asksTrigger: false, events: [], segments: [] };

test.each<[string, readonly NewStep[], number, object]>([
  ['a wait hides what is behind it', [wait, set, condition(plan)], 0, NOTHING],
  [
    'once it is over',
    [wait, set, condition(plan)],
    1,
    { ...NOTHING, changesContact: true, asksContact: true },
  ],
  [
    'every branch that may be taken, and what follows the split',
    [split([set], [condition(ordered), wait]), condition(total)],
    0,
    {
      changesContact: true,
      asksContact: true,
      asksTrigger: true,
      events: ['app_opened', 'order_placed'],
      segments: ['s'],
    },
  ],
  [
    'from within a branch, nothing of the others',
    [split([wait, condition(ordered)], [set]), condition(total)],
    2,
    { ...NOTHING, asksTrigger: true, events: ['order_placed'] },
  ],
])('%s', (_, steps, lastStep, needs) => {
  const {
    changesContact,
    readsContact: readsContact,
    readsTriggerEvent: readsTriggerEvent,
    ...sets
  } = prefetchNeedsOf(assignStepIds(steps), lastStep);
  expect({
    changesContact,
    asksContact: readsContact,
    asksTrigger: readsTriggerEvent,
    events: [...sets.eventNames].sort(),
    segments: [...sets.segmentIds],
  }).toEqual(needs);
});

test('attributes are read of the events alone whose attributes are asked', () => {
  const needs = prefetchNeedsOf(assignStepIds([condition(ordered), condition(opened)]), 0);
  expect([...needs.attributeEventNames]).toEqual(['app_opened']);
});

test('a wait in every branch does not hide what follows the split', () => {
  const steps = [split([wait], [split([wait, set], [set])]), condition(ordered), wait, condition(plan)];
  const { changesContact, readsContact: readsContact, eventNames } = prefetchNeedsOf(assignStepIds(steps), 0);
  expect([changesContact, readsContact, eventNames.has('order_placed')]).toEqual([true, true, true]);
  expect(prefetchNeedsOf(assignStepIds([split([wait])]), 0)).toMatchObject({ changesContact: false });
});

test('many splits one behind the other are explored once each', () => {
  const steps = Array.from({ length: 60 }, () => split([set], [set]));
  expect(prefetchNeedsOf(assignStepIds(steps), 0).changesContact).toBe(true);
});

test('a flow that cannot be read needs nothing', () => {
  expect(prefetchNeedsOf([null as never], 0).readsContact).toBe(false);
});
