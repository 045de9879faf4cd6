/** Validates event names, sections 2.3 and 7.2. Events trigger flows, and templates refer to events by name. */

const EVENT_NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
const MAX_NAME_LENGTH = 255;

/** Whether a text is an event name: lowercase snake_case of at most 255 characters. */
export function isEventName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && EVENT_NAME.test(text);
}
