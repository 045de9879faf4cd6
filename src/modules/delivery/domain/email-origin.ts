/**
 * The origin of a message is what requested it, and makes it unique: the ledger has at most one message for each
 * combination of origin, id, step and contact, and treats every further request as a repetition. Columns by origin:
 *
 * | origin   | originId                      | originStep                          | sourceId                     |
 * | -------- | ----------------------------- | ----------------------------------- | ---------------------------- |
 * | trip     | the trip                      | id of its flow's step               | the flow                     |
 * | campaign | the instance that is sent     | 0: one message for each contact     | the campaign                 |
 * | direct   | the request                   | the recipient's position             | none                         |
 * | resend   | the message that is repeated  | the repetition's number, from 1     | that of the message repeated |
 * | system   | the record that it is about   | which of its messages, from 0       | none                         |
 */
export const EMAIL_ORIGINS = ['trip', 'campaign', 'direct', 'resend', 'system'] as const;

export type EmailOriginKind = (typeof EMAIL_ORIGINS)[number];

export interface EmailOrigin {
  readonly origin: EmailOriginKind;
  readonly originId: string;
  readonly originStep: number;
}

/** The trip and the id of the step of a message; undefined if it has no trip. */
export function tripOf({
  origin,
  originId,
  originStep,
}: EmailOrigin): { readonly tripId: string; readonly step: number } | undefined {
  return origin === 'trip' ? { tripId: originId, step: originStep } : undefined;
}
