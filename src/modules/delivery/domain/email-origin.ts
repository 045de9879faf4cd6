/**
 * What asked for a message, and what there is one message for: the ledger takes a second one of the same origin, id,
 * step and contact for the first, whoever asks again and however often. What a row of each origin says:
 *
 * | origin   | originId                      | originStep                          | sourceId                     |
 * | -------- | ----------------------------- | ----------------------------------- | ---------------------------- |
 * | trip     | the trip                      | id of its flow's step               | the flow                     |
 * | campaign | the instance that is sent     | 0: one message for each contact     | the campaign                 |
 * | direct   | the request                   | the recipient's place among others  | none                         |
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

/** The trip and the id of the step that a message is of; undefined when it is of no trip. */
export function tripOf({
  origin,
  originId,
  originStep,
}: EmailOrigin): { readonly tripId: string; readonly step: number } | undefined {
  return origin === 'trip' ? { tripId: originId, step: originStep } : undefined;
}
