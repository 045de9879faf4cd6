/**
 * Which settings clocks use for a message. Trips and their messages stay on the version on which they started, but a
 * step's send hours, like its throttle, are those of the current flow. So a change of the hours also applies to
 * messages that already wait.
 */
import type { EmailSendSettings } from '../../../kernel/email-settings.js';
import type { StepSendSettings } from './send-gates.js';

/** Steps of a flow that send, by id; null if a step has no send settings. */
export type StepRules = ReadonlyMap<number, Partial<EmailSendSettings> | null>;

const SEND_HOURS_KEYS = [
  'sendWindowEnabled',
  'sendWindowStart',
  'sendWindowEnd',
  'sendWindowTimezone',
  'ignoreDnd',
] as const satisfies readonly (keyof EmailSendSettings)[];

/**
 * The settings of a message, with the send hours of the current step.
 * @param current null if the step has no send settings today; undefined if it no longer sends or exists.
 */
export function withCurrentHours(
  own: StepSendSettings,
  current: Partial<EmailSendSettings> | null | undefined,
): StepSendSettings {
  if (current === undefined) return own;
  const hours = hoursOf(current ?? {});
  if (own === undefined) return Object.keys(hours).length > 0 ? hours : undefined;
  const others = Object.entries(own).filter(
    ([name]) => !(SEND_HOURS_KEYS as readonly string[]).includes(name),
  );
  return { ...Object.fromEntries(others), ...hours };
}

/** The part of a step's settings that clocks use. */
export function hoursOf(settings: Partial<EmailSendSettings>): Partial<EmailSendSettings> {
  return Object.fromEntries(
    SEND_HOURS_KEYS.flatMap((name) => (name in settings ? [[name, settings[name]]] : [])),
  );
}
