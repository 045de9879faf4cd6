/** Send settings that flows define and delivery applies, section 2.3. Both modules need these types. */

/** Transactional messages (business-critical notifications) are sent before promotional ones (marketing). */
export const CONTENT_TYPES = ['transactional', 'promotional'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** The send settings of a send_email step. */
export interface EmailSendSettings {
  readonly ignoreFrequencyCapping: boolean;
  readonly countForFrequencyCapping: boolean;
  readonly ignoreDnd: boolean;
  readonly sendToUnsubscribed: boolean;
  readonly sendWindowEnabled: boolean;
  /** HH:MM on a 24-hour clock. */
  readonly sendWindowStart?: string;
  readonly sendWindowEnd?: string;
  /** `contact` for the contact's own time zone, or an IANA time zone. */
  readonly sendWindowTimezone: string;
}
