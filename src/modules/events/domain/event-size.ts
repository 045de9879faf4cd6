/** The maximum size of an event, for code that reads many of them. */

/** Bytes of JSON of its attributes and its contact fields. */
export const LARGEST_EVENT = 65_536;
