/** A message in REST (section 4.10) and in GraphQL. */
import { CONTENT_TYPES } from '../../../kernel/email-settings.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { connection, restPage } from '../../../platform/output/pages.js';
import type { EmailLog } from '../domain/email-log.js';
import { EMAIL_LOG_STATUSES } from '../domain/email-log-transitions.js';
import { EMAIL_ORIGINS, tripOf } from '../domain/email-origin.js';
import { BOUNCE_KINDS } from '../domain/engagement.js';
import { HOLDS } from '../domain/send-gates.js';
import { EmailLogStatusEnum } from '../input/email-log-list.input.js';

const EmailOriginEnum = graphqlEnum('EmailOrigin', EMAIL_ORIGINS, 'What created a message.');

const BounceKindEnum = graphqlEnum(
  'BounceKind',
  BOUNCE_KINDS,
  'Whether the address cannot receive mail (hard) or only this message was not delivered (soft).',
);

const SendGateEnum = graphqlEnum('SendGate', HOLDS, 'What can hold a message back for a time.');

const EMAIL = { nullable: true, api: { format: 'email' } } as const;

@Output({
  rest: 'EmailWaitResponse',
  graphql: 'SendWait',
  description: 'What holds back a queued message.',
})
class EmailWaitOutput {
  @Out(oneOf(HOLDS, SendGateEnum)) gate: string;
  @Out('DateTime', {
    description: 'The earliest time of the next check. In a throttle queue, when the next slot is expected.',
  })
  until: Date;
}

@Output({ rest: 'EmailLogResponse', graphql: 'EmailLog' })
export class EmailLogOutput {
  @Out('ID') id: string;
  @Out(oneOf(EMAIL_LOG_STATUSES, EmailLogStatusEnum)) status: string;
  @Out(oneOf(EMAIL_ORIGINS, EmailOriginEnum), { description: 'What created the message.' }) origin: string;
  @Out('ID', {
    description: 'ID of the trip, campaign instance, request, message or record that created the message.',
  })
  originId: string;
  @Out('ID', { nullable: true, description: 'Null if the message does not belong to a flow.' })
  flowId: string | null;
  @Out('ID', { nullable: true, description: 'Null if the message does not belong to a trip.' })
  tripId: string | null;
  @Out('Int', { nullable: true, description: 'ID of the flow step that created the message.' })
  step: number | null;
  @Out('ID', { only: 'rest', nullable: true }) campaignId: string | null;
  @Out('ID') contactId: string;
  @Out('String', { example: 'receipt' }) templateSlug: string;
  @Out('Int', { nullable: true }) templateVersion: number | null;
  @Out(oneOf(CONTENT_TYPES)) contentType: string;
  @Out('String', EMAIL) toEmail: string | null;
  @Out('String', EMAIL) fromEmail: string | null;
  @Out('String', { nullable: true }) subject: string | null;
  @Out('String') messageId: string;
  @Out('String', {
    nullable: true,
    description: 'The operator’s name of the transport used for the last attempt.',
  })
  transport: string | null;
  @Out('Int') attempts: number;
  @Out('String', { nullable: true }) errorCode: string | null;
  @Out('String', {
    nullable: true,
    description: 'The server’s response, or the error before one was received.',
  })
  errorDetail: string | null;
  @Out('String', { nullable: true, example: 'unsubscribed' }) suppressedReason: string | null;
  @Out(EmailWaitOutput, { nullable: true, description: 'Null unless something holds the message back.' })
  waitsFor: EmailWaitOutput | null;
  @Out('DateTime', {
    inRest: { value: (at: Date, { status }: EmailLogOutput) => (status === 'queued' ? at : null) },
    api: { nullable: true },
  })
  nextAttemptAt: Date;
  @Out('DateTime') createdAt: Date;
  @Out('DateTime') updatedAt: Date;
  @Out('DateTime', { nullable: true }) sentAt: Date | null;
  @Out('DateTime', {
    nullable: true,
    description: 'When delivery was first reported. An open, click or complaint also counts as delivery.',
  })
  deliveredAt: Date | null;
  @Out('DateTime', { nullable: true, description: 'When a person first opened the message.' })
  openedAt: Date | null;
  @Out('DateTime', { nullable: true, description: 'When a person first clicked a link.' })
  clickedAt: Date | null;
  @Out('DateTime', { nullable: true }) bouncedAt: Date | null;
  @Out(oneOf(BOUNCE_KINDS, BounceKindEnum), { nullable: true }) bounceKind: string | null;
  @Out('String', {
    nullable: true,
    example: '5.1.1',
    description: 'Enhanced status code, for example 5.1.1.',
  })
  bounceCode: string | null;
  @Out('String', { nullable: true, description: 'The receiving server’s response.' })
  bounceDetail: string | null;
  @Out('DateTime', { nullable: true }) complainedAt: Date | null;
  @Out('Int', { description: 'By people.' }) opens: number;
  @Out('Int', { description: 'By people.' }) clicks: number;
  @Out('Int', { description: 'By privacy proxies and scanners.' }) machineOpens: number;
  @Out('Int', { description: 'By scanners.' }) machineClicks: number;
}

export const EmailLogConnection = connection('EmailLog', EmailLogOutput);

@Output({ rest: 'EmailLogListResponse' })
export class EmailLogListOutput extends restPage('EmailLogListResponse', 'emailLogs', EmailLogOutput) {
  @Out('Int', { description: 'Counted up to 100,000.' }) override total: number;
}

export function emailLogOutput(log: EmailLog): EmailLogOutput {
  const { origin, sourceId, waitsFor: gate } = log;
  const trip = tripOf(log);
  return {
    ...log,
    waitsFor: gate && { gate, until: log.nextAttemptAt },
    flowId: trip ? sourceId : null,
    campaignId: origin === 'campaign' ? sourceId : null,
    tripId: trip?.tripId ?? null,
    step: trip?.step ?? null,
  };
}
