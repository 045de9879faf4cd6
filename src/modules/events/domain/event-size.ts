/** How large an event may be, for those who read many at once. */

/** Bytes of JSON of its attributes, and of what it says of its contact. */
export const LARGEST_EVENT = 65_536;
