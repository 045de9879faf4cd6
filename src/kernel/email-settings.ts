/** What flows say about messages and delivery obeys, section 2.3: words that both modules need. */

/** Transactional goes first (business-critical notifications), promotional behind it (marketing). */
export const CONTENT_TYPES = ['transactional', 'promotional'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** How a send_email step wants its message to be sent. */
export interface EmailSendSettings {
  readonly ignoreFrequencyCapping: boolean;
  readonly countForFrequencyCapping: boolean;
  readonly ignoreDnd: boolean;
  readonly sendToUnsubscribed: boolean;
  readonly sendWindowEnabled: boolean;
  /** HH:MM on a 24-hour clock. */
  readonly sendWindowStart?: string;
  readonly sendWindowEnd?: string;
  /** `contact`, for the contact's own, or an IANA time zone. */
  readonly sendWindowTimezone: string;
}
