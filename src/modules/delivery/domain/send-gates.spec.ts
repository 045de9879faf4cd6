import { CONTACT_TIME_ZONE } from '../../workspaces/domain/workspace.js';
import {
  countsForCap,
  decideByCap,
  decideBySendHours,
  gatesOf,
  isCapped,
  type SendHoursInputs,
} from './send-gates.js';

const WINDOW = { sendWindowEnabled: true, sendWindowStart: '09:00', sendWindowEnd: '17:00' } as const;
const DND = { start: '22:00', end: '07:00' } as const;
const NOBODY: SendHoursInputs = { settings: undefined, workspace: {}, contactTimezone: null };

const at = (text: string) => new Date(`2026-06-01T${text}:00Z`);
const waitsFor = (gate: string, until: string) => ({ kind: 'wait', gate, until: new Date(until) });

describe('clocks', () => {
  test.each<[string, SendHoursInputs, string, unknown]>([
    ['nothing is set', NOBODY, '03:00', { kind: 'open' }],
    [
      'the workspace rests, and the step says nothing of it',
      { ...NOBODY, workspace: { dnd: DND } },
      '03:00',
      { kind: 'open' },
    ],
    [
      'a window that is not enabled',
      { ...NOBODY, settings: { ...WINDOW, sendWindowEnabled: false } },
      '03:00',
      { kind: 'open' },
    ],
    ['within the window', { ...NOBODY, settings: WINDOW }, '09:00', { kind: 'open' }],
    [
      'in UTC where nothing names a zone',
      { ...NOBODY, settings: WINDOW },
      '08:00',
      waitsFor('send_window', '2026-06-01T09:00:00Z'),
    ],
    [
      "in the contact's zone",
      { ...NOBODY, settings: WINDOW, contactTimezone: 'America/New_York' },
      '12:00',
      waitsFor('send_window', '2026-06-01T13:00:00Z'),
    ],
    [
      "in the workspace's zone where the contact has none",
      { settings: WINDOW, workspace: { timezone: 'Asia/Kathmandu' }, contactTimezone: null },
      '00:00',
      waitsFor('send_window', '2026-06-01T03:15:00Z'),
    ],
    [
      "in the workspace's zone where the contact's is none that is known",
      { settings: WINDOW, workspace: { timezone: 'Asia/Kathmandu' }, contactTimezone: 'Mars/Olympus' },
      '00:00',
      waitsFor('send_window', '2026-06-01T03:15:00Z'),
    ],
    [
      'in a named zone, wherever the contact is',
      {
        ...NOBODY,
        settings: { ...WINDOW, sendWindowTimezone: 'Europe/Berlin' },
        contactTimezone: 'America/New_York',
      },
      '05:00',
      waitsFor('send_window', '2026-06-01T07:00:00Z'),
    ],
    [
      "in the contact's zone where the step names it",
      {
        settings: { ...WINDOW, sendWindowTimezone: CONTACT_TIME_ZONE },
        workspace: { timezone: 'Asia/Kathmandu' },
        contactTimezone: 'America/New_York',
      },
      '12:00',
      waitsFor('send_window', '2026-06-01T13:00:00Z'),
    ],
    [
      'a window without times',
      { ...NOBODY, settings: { sendWindowEnabled: true } },
      '03:00',
      { kind: 'open' },
    ],
    [
      'a window without an end',
      { ...NOBODY, settings: { sendWindowEnabled: true, sendWindowStart: '09:00' } },
      '03:00',
      { kind: 'open' },
    ],
    [
      'a window without a start',
      { ...NOBODY, settings: { sendWindowEnabled: true, sendWindowEnd: '17:00' } },
      '18:00',
      { kind: 'open' },
    ],
    [
      'the workspace rests',
      { ...NOBODY, settings: { ignoreDnd: false }, workspace: { dnd: DND } },
      '03:00',
      waitsFor('do_not_disturb', '2026-06-01T07:00:00Z'),
    ],
    [
      'the workspace rests by a zone of its own',
      {
        settings: { ignoreDnd: false },
        workspace: { dnd: { ...DND, timezone: 'Europe/Berlin' } },
        contactTimezone: 'America/New_York',
      },
      '21:00',
      waitsFor('do_not_disturb', '2026-06-02T05:00:00Z'),
    ],
    [
      'the workspace is awake',
      { ...NOBODY, settings: { ignoreDnd: false }, workspace: { dnd: DND } },
      '07:00',
      { kind: 'open' },
    ],
    [
      'the window opens while the workspace rests',
      {
        settings: { ...WINDOW, sendWindowStart: '05:00', ignoreDnd: false },
        workspace: { dnd: DND },
        contactTimezone: null,
      },
      '04:00',
      waitsFor('send_window', '2026-06-01T07:00:00Z'),
    ],
    [
      'the rest outlasts the window',
      {
        settings: { ...WINDOW, sendWindowStart: '21:00', sendWindowEnd: '23:00', ignoreDnd: false },
        workspace: { dnd: DND },
        contactTimezone: null,
      },
      '22:30',
      waitsFor('do_not_disturb', '2026-06-02T21:00:00Z'),
    ],
    [
      'the rest leaves nothing of the window',
      {
        settings: { ...WINDOW, sendWindowStart: '23:00', sendWindowEnd: '06:00', ignoreDnd: false },
        workspace: { dnd: DND },
        contactTimezone: null,
      },
      '12:00',
      { kind: 'never' },
    ],
    [
      'a rest from a time to the same is none',
      { ...NOBODY, settings: { ignoreDnd: false }, workspace: { dnd: { start: '07:00', end: '07:00' } } },
      '07:00',
      { kind: 'open' },
    ],
  ])('%s', (_, facts, time, expected) => expect(decideBySendHours(facts, at(time))).toEqual(expected));
});

describe('the cap', () => {
  const now = at('12:00');

  test.each([
    [{ sent: 0, inHand: 0 }, 'open'],
    [{ sent: 1, inHand: 0 }, 'open'],
    [{ sent: 2, inHand: 0 }, 'suppress'],
    [{ sent: 3, inHand: 1 }, 'suppress'],
    [{ sent: 1, inHand: 1 }, 'wait'],
    [{ sent: 0, inHand: 2 }, 'wait'],
  ])('of two, with %j', (counted, kind) => expect(decideByCap(counted, 2, now).kind).toBe(kind));

  test('is asked about, and counts, only what says so', () => {
    expect([isCapped(undefined), isCapped({}), isCapped({ ignoreFrequencyCapping: true })]).toEqual([
      false,
      false,
      false,
    ]);
    expect(isCapped({ ignoreFrequencyCapping: false })).toBe(true);
    expect([
      countsForCap(undefined),
      countsForCap({}),
      countsForCap({ countForFrequencyCapping: true }),
    ]).toEqual([false, false, true]);
  });
});

test.each<[Parameters<typeof gatesOf>[0], boolean, string[]]>([
  [undefined, false, []],
  [{}, false, []],
  [undefined, true, ['throttle']],
  [WINDOW, false, ['send_window']],
  [{ ...WINDOW, sendWindowEnabled: false, ignoreDnd: true, ignoreFrequencyCapping: true }, false, []],
  [{ ignoreDnd: false }, false, ['do_not_disturb']],
  [{ ignoreFrequencyCapping: false }, false, ['frequency_cap']],
  [
    { ...WINDOW, ignoreDnd: false, ignoreFrequencyCapping: false },
    true,
    ['send_window', 'do_not_disturb', 'frequency_cap', 'throttle'],
  ],
])('%j, slot %p, is asked at %j', (settings, hasSlot, gates) => {
  expect(gatesOf(settings, hasSlot)).toEqual(gates);
});
