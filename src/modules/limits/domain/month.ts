/** The period of monthly caps, section 8.2: a calendar month in UTC. */

/** The first day of the moment's month, as `YYYY-MM-DD`. */
export function monthOf(moment: Date): string {
  return `${moment.toISOString().slice(0, 7)}-01`;
}
