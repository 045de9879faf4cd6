/** What flows say about messages and delivery obeys, section 2.3: words that both modules need. */

/** Transactional goes first (business-critical notifications), promotional behind it (marketing). */
export const CONTENT_TYPES = ['transactional', 'promotional'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** How a send_email step wants its message to be sent. */
export interface EmailSendSettings {
  readonly ignore_frequency_capping: boolean;
  readonly count_for_frequency_capping: boolean;
  readonly ignore_dnd: boolean;
  readonly send_to_unsubscribed: boolean;
  readonly send_window_enabled: boolean;
  /** HH:MM on a 24-hour clock. */
  readonly send_window_start?: string;
  readonly send_window_end?: string;
  /** `contact`, for the contact's own, or an IANA time zone. */
  readonly send_window_timezone: string;
}
