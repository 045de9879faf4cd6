import {
  checkGates,
  type GatedMessage,
  type GateFindings,
  type GateQuery,
  type GateRules,
} from './gate-order.js';
import { NEVER_DUE, type StepSendSettings } from './send-gates.js';

const NOW = new Date('2026-06-01T12:00:00Z');
const AT_NIGHT: StepSendSettings = {
  sendWindowEnabled: true,
  sendWindowStart: '22:00',
  sendWindowEnd: '06:00',
};
const CAPPED: StepSendSettings = { ignoreFrequencyCapping: false, countForFrequencyCapping: true };
const CAP = { frequencyCap: { max: 1, periodHours: 24 } };

interface Asked extends GatedMessage {
  readonly settings: StepSendSettings;
}

const message = (settings: StepSendSettings, more: Partial<Asked> = {}): Asked => ({
  contactId: 'ada',
  contactTimezone: null,
  sourceId: 'flow',
  hasSlot: false,
  settings,
  ...more,
});
const rules = (workspace: GateRules<Asked>['workspace'] = {}): GateRules<Asked> => ({
  workspace,
  settingsOf: ({ settings }) => settings,
});

/** Drives the generator with these answers. Returns the questions asked, and the findings. */
function lead(
  messages: readonly Asked[],
  asked: GateRules<Asked>,
  answer: (question: GateQuery<Asked>) => void = () => undefined,
): { readonly about: string[]; readonly found: GateFindings<Asked> } {
  const about: string[] = [];
  const passage = checkGates(messages, asked, NOW);
  for (let step = passage.next(); ; step = passage.next()) {
    if (step.done === true) return { about, found: step.value };
    about.push(step.value.about);
    answer(step.value);
  }
}

const NOTHING = { held: new Map(), refused: new Map() };

test('what no gate is about is asked about nothing', () => {
  expect(lead([message(undefined, { sourceId: null })], rules(CAP))).toEqual({ about: [], found: NOTHING });
});

test('clocks come first, then the cap, then the throttle: who waits or is refused takes nothing from others', () => {
  const waits = message({ ...AT_NIGHT, ...CAPPED }, { contactId: 'cyd' });
  const [capped, goes] = [message(CAPPED), message(CAPPED, { contactId: 'bob' })];
  const { about, found } = lead([waits, capped, goes], rules(CAP), (question) => {
    if (question.about === 'counted') {
      expect([...question.contactIds]).toEqual(['ada', 'bob']);
      expect(question.since).toEqual(new Date('2026-05-31T12:00:00Z'));
      question.counted = new Map([['ada', { sent: 1, inHand: 0 }]]);
    }
    if (question.about === 'slots') expect(question.messages).toEqual([goes]);
  });
  expect(about).toEqual(['rules', 'counted', 'slots']);
  expect([...found.held]).toEqual([
    [waits, { gate: 'send_window', until: new Date('2026-06-01T22:00:00Z') }],
  ]);
  expect([...found.refused]).toEqual([[capped, 'frequency_cap']]);
});

test('rules that have changed meanwhile count before anybody is held back by the old ones', () => {
  const asked = message(AT_NIGHT);
  const changed: GateRules<Asked> = { ...rules(), settingsOf: () => ({}) };
  const { found } = lead([asked], rules(), (question) => {
    if (question.about === 'rules') question.rules = changed;
  });
  expect(found).toEqual(NOTHING);
});

test('those of one batch count for one another, and who has a slot needs none', () => {
  const [first, second] = [message(CAPPED, { hasSlot: true }), message(CAPPED, { hasSlot: true })];
  const { about, found } = lead([first, second], rules(CAP));
  expect(about).toEqual(['counted']);
  expect([...found.held]).toEqual([
    [second, { gate: 'frequency_cap', until: new Date(NOW.getTime() + 2_000) }],
  ]);
});

test('a message whose hours never come is refused', () => {
  const never = message({
    ...{ sendWindowEnabled: true, sendWindowStart: '23:00', sendWindowEnd: '06:00', ignoreDnd: false },
  });
  const { found } = lead([never], rules({ dnd: { start: '22:00', end: '07:00' } }));
  expect([...found.refused]).toEqual([[never, 'no_open_hours']]);
});

test('without a cap the counts are not read', () => {
  expect(lead([message(CAPPED, { sourceId: null })], rules())).toEqual({ about: [], found: NOTHING });
});

test('a message may count toward the cap and not heed it, or heed it and not count', () => {
  const counts: StepSendSettings = { ignoreFrequencyCapping: true, countForFrequencyCapping: true };
  const applies: StepSendSettings = { ignoreFrequencyCapping: false, countForFrequencyCapping: false };
  const heldOf = (...settings: StepSendSettings[]): number[] => {
    const messages = settings.map((one) => message(one, { hasSlot: true }));
    const { found } = lead(messages, rules(CAP));
    return messages.flatMap((one, index) => (found.held.has(one) ? [index] : []));
  };
  expect(heldOf(counts, applies)).toEqual([1]);
  expect(heldOf(applies, counts)).toEqual([]);
  expect(heldOf(applies, applies)).toEqual([]);
  expect(heldOf(counts, applies, counts)).toEqual([1]);
});

test('who finds no slot stands in line', () => {
  const [first, second] = [message(undefined), message(undefined)];
  const { found } = lead([first, second], rules(), (question) => {
    if (question.about === 'slots') question.waiting = new Set([second]);
  });
  expect([...found.held]).toEqual([[second, { gate: 'throttle', until: NEVER_DUE }]]);
});
