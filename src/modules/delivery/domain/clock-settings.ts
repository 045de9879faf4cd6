/**
 * Whose word counts when clocks are asked about a message: trips stay on the version on which they started, and so do their
 * messages, but the hours in which a step's messages may go are those that its flow says today, as its throttle is. So
 * whoever changes the hours changes them for those that wait as well.
 */
import type { EmailSendSettings } from '../../../kernel/email-settings.js';
import type { StepSendSettings } from './send-gates.js';

/** Steps of a flow that send, by their ids; null where a step says nothing of sending. */
export type StepRules = ReadonlyMap<number, Partial<EmailSendSettings> | null>;

const OF_CLOCKS = [
  'sendWindowEnabled',
  'sendWindowStart',
  'sendWindowEnd',
  'sendWindowTimezone',
  'ignoreDnd',
] as const satisfies readonly (keyof EmailSendSettings)[];

/**
 * The settings of a message with the hours of its step as it stands.
 * @param present null where the step says nothing of sending today; undefined where it sends nothing any more, or is gone.
 */
export function withPresentHours(
  own: StepSendSettings,
  present: Partial<EmailSendSettings> | null | undefined,
): StepSendSettings {
  if (present === undefined) return own;
  const hours = hoursOf(present ?? {});
  if (own === undefined) return Object.keys(hours).length > 0 ? hours : undefined;
  const others = Object.entries(own).filter(([name]) => !(OF_CLOCKS as readonly string[]).includes(name));
  return { ...Object.fromEntries(others), ...hours };
}

/** What of a step's settings clocks are asked by. */
export function hoursOf(settings: Partial<EmailSendSettings>): Partial<EmailSendSettings> {
  return Object.fromEntries(OF_CLOCKS.flatMap((name) => (name in settings ? [[name, settings[name]]] : [])));
}
