/** The maximum size of an event, for code that reads many of them. */

/** Bytes of JSON of its attributes and its contact fields. */
export const MAX_EVENT_BYTES = 65_536;
