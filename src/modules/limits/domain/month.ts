/** The period of monthly caps, section 8.2: a UTC calendar month. */

/** The first day of the month of a moment, as `YYYY-MM-DD`. */
export function monthOf(moment: Date): string {
  return `${moment.toISOString().slice(0, 7)}-01`;
}
