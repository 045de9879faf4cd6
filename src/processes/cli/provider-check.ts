/**
 * Checks the transports for live mail: hosts, TLS, credentials, the sending domain's DNS records, and a test message.
 */
import { createPublicKey, randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { OPERATOR_AUTHOR } from '../../kernel/principal.js';
import {
  TransportFailure,
  type OutgoingMail,
} from '../../modules/delivery/application/mail-transport.port.js';
import { MailSigner } from '../../modules/delivery/application/mail-signer.js';
import { domainOf, normalAddress } from '../../modules/delivery/domain/email-address.js';
import { openTransports } from '../../modules/delivery/transport/open-transports.js';
import { checkTransport } from '../../modules/delivery/transport/transport-check.js';
import { DomainChecks } from '../../modules/domains/application/domain-checks.js';
import { OwnDomains, OwnDomainsService } from '../../modules/domains/application/own-domains.js';
import { SendingDomainService } from '../../modules/domains/application/sending-domain.service.js';
import {
  dkimHost,
  dkimValue,
  dnsQuestionKey,
  type DnsQuestion,
} from '../../modules/domains/domain/dns-record.js';
import { judgeRecord } from '../../modules/domains/domain/judge-record.js';
import { findingOf, recordsOfDomain } from '../../modules/domains/domain/sending-domain.js';
import { NodeDnsLookup } from '../../modules/domains/transport/node-dns-lookup.js';
import { liveTransports, type TransportConfig } from '../../platform/config/mail-transports.js';
import { UsageError } from '../operator-fault.js';
import { FailedAnswer, PlainText, type CliContext } from './command.js';
import { workspaceNamed } from './workspace-named.js';
import type { Services } from './seed.js';

interface Check {
  /** A transport's name, or `dns`. */
  readonly of: string;
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly detail: string;
}

/** The sender to check. */
interface Sender {
  readonly transports: readonly TransportConfig[];
  readonly from: string;
  readonly own: OwnDomains;
  readonly domainChecks: readonly Check[];
}

export async function checkProvider(args: string[], context: CliContext): Promise<unknown> {
  const { values } = parseArgs({
    args,
    options: { workspace: { type: 'string' }, to: { type: 'string' }, json: { type: 'boolean' } },
  });
  const { workspace } = values;
  const to = values.to === undefined ? undefined : normalAddress(values.to);
  if (values.to !== undefined && to === undefined) throw new UsageError('--to must be an email address.');
  if (liveTransports(context.config).length === 0)
    throw new UsageError(
      'SMTP_URL and MAIL_PROVIDERS are missing: `npm start` delivers to its local mailbox.',
    );
  const sender =
    workspace === undefined
      ? await installation(context)
      : await context.withServices((services) => senderOf(workspace, services, context));
  const checks: Check[] = [...sender.domainChecks];
  for (const transport of sender.transports) {
    const found = await checkTransport(transport);
    checks.push(...found.map((check) => ({ of: transport.name, ...check })));
    if (to !== undefined && found.every(({ state }) => state !== 'failed'))
      checks.push(await sendTo(to, transport, sender, context));
  }
  const answer = values.json === true ? { checks } : new PlainText(checks.map(formatCheck).join(''));
  return checks.some(({ state }) => state === 'failed') ? new FailedAnswer(answer) : answer;
}

function formatCheck({ of, check, state, detail }: Check): string {
  return `${state.padEnd(8)} ${of.padEnd(12)} ${check.padEnd(12)} ${detail}\n`;
}

async function installation(context: CliContext): Promise<Sender> {
  return {
    transports: liveTransports(context.config),
    from: sharedAddress(context),
    own: new OwnDomains([]),
    domainChecks: await checkSharedDomain(context),
  };
}

function sharedAddress({ config }: CliContext): string {
  return `no-reply@${config.sharedSendingDomain}`;
}

/** The sender that the workspace's mail uses: its chosen transports, and its own domain if that is verified. */
async function senderOf(name: string, services: Services, context: CliContext): Promise<Sender> {
  const { id: workspaceId, settings, sender } = await workspaceNamed(name, services);
  const scope = { workspaceId };
  const chosen = settings.mailTransports;
  const transports = liveTransports(context.config).filter((one) => chosen?.includes(one.name) ?? true);
  const domainName = sender.fromEmail === undefined ? undefined : domainOf(sender.fromEmail);
  const domain =
    domainName === undefined ? undefined : await services.get(SendingDomainService).named(scope, domainName);
  const checked = domain && (await services.get(DomainChecks).check(scope, domain, OPERATOR_AUTHOR));
  const own = await services.get(OwnDomainsService).of(scope);
  const isOwn = domainName !== undefined && own.find(domainName, context.now()) !== undefined;
  const { sharedSendingDomain } = context.config;
  return {
    transports,
    own,
    from: isOwn && sender.fromEmail !== undefined ? sender.fromEmail : sharedAddress(context),
    domainChecks: checked
      ? recordsOfDomain(checked, sharedSendingDomain).map((record): Check => {
          const { state } = findingOf(checked, record);
          return {
            of: 'dns',
            check: record.purpose,
            state: state === 'ok' ? 'ok' : record.isRequired ? 'failed' : 'warning',
            detail: `${record.type} ${record.host}: ${state}`,
          };
        })
      : [
          ...(domainName === undefined || domainName === sharedSendingDomain
            ? []
            : [
                {
                  of: 'dns',
                  check: 'domain',
                  state: 'warning' as const,
                  detail: `${domainName} is not a domain of the workspace: mail is sent from ${sharedSendingDomain}`,
                },
              ]),
          ...(await checkSharedDomain(context)),
        ],
  };
}

/** Checks the shared domain's DNS records that receivers query. */
async function checkSharedDomain({ config }: CliContext): Promise<Check[]> {
  const { sharedSendingDomain: domain, sharedDkim } = config;
  const dns = new NodeDnsLookup(config);
  const check = async (
    name: string,
    question: DnsQuestion,
    isRight: (values: readonly string[]) => boolean,
    isNeeded: boolean,
  ): Promise<Check> => {
    const answer = await dns.query(question);
    const values = answer.kind === 'values' ? answer.values : [];
    const found = answer.kind === 'failed' ? `DNS ${answer.code}` : values.length === 0 ? 'missing' : 'wrong';
    const isOk = isRight(values);
    return {
      of: 'dns',
      check: name,
      state: isOk ? 'ok' : isNeeded ? 'failed' : 'warning',
      detail: `${question.type} ${question.host}: ${isOk ? 'ok' : found}`,
    };
  };
  const isSpf = (value: string): boolean => /^v=spf1(?: |$)/i.test(value);
  return [
    await check('mx', { type: 'MX', host: domain }, (values) => values.length > 0, false),
    await check('spf', { type: 'TXT', host: domain }, (values) => values.filter(isSpf).length === 1, false),
    sharedDkim
      ? await check(
          'dkim',
          { type: 'TXT', host: dkimHost(sharedDkim.selector, domain) },
          (values) => {
            const host = dkimHost(sharedDkim.selector, domain);
            const value = dkimValue(
              createPublicKey(sharedDkim.privateKey)
                .export({ type: 'spki', format: 'der' })
                .toString('base64'),
            );
            const record = { purpose: 'dkim', isRequired: true, type: 'TXT', host, value, note: '' } as const;
            const answers = new Map([[dnsQuestionKey(record), { kind: 'values', values } as const]]);
            return judgeRecord(record, answers).state === 'ok';
          },
          true,
        )
      : {
          of: 'dns',
          check: 'dkim',
          state: 'warning',
          detail: `SHARED_DKIM_KEY is missing: mail from ${domain} is not signed`,
        },
  ];
}

async function sendTo(
  to: string,
  transport: TransportConfig,
  sender: Sender,
  context: CliContext,
): Promise<Check> {
  const { from, own } = sender;
  const now = context.now();
  const messageId = `<${randomUUID()}@${domainOf(from)}>`;
  const message = Buffer.from(
    [
      `From: <${from}>`,
      `To: <${to}>`,
      'Subject: Waypost test message',
      `Date: ${now.toUTCString().replace('GMT', '+0000')}`,
      `Message-ID: ${messageId}`,
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      '',
      `This message was sent by provider:check with ${transport.name}.`,
      '',
    ].join('\r\n'),
  );
  const signer = new MailSigner(context.config);
  const raw = await signer.sign(message, { address: from, name: '' }, own, now);
  const mail: OutgoingMail = { envelope: { from, to }, messageId, raw };
  const { live } = openTransports(
    {
      smtpUrl: context.config.smtpUrl,
      mailProviders: context.config.mailProviders,
      sandboxSmtpUrl: undefined,
    },
    1,
  );
  const check = { of: transport.name, check: 'message' } as const;
  try {
    await live.find(({ name }) => name === transport.name)?.send(mail);
    return { ...check, state: 'ok', detail: `accepted, from ${from} to ${to}` };
  } catch (error) {
    const code = error instanceof TransportFailure ? error.code : 'unknown';
    return { ...check, state: 'failed', detail: `from ${from} to ${to} rejected: ${code}` };
  } finally {
    for (const one of live) one.close();
  }
}
