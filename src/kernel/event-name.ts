/** Names of events, sections 2.3 and 7.2: flows are triggered by them, templates read by them. */

const EVENT_NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
const LONGEST = 255;

/** Whether a text is an event name: lowercase snake_case of at most 255 characters. */
export function isEventName(text: string): boolean {
  return text.length <= LONGEST && EVENT_NAME.test(text);
}
