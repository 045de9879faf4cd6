/**
 * Parses the seed file, whose format the operations page documents. All errors are reported together, each with its
 * path, before anything is written.
 */
import { KEY_SCOPES, ROLES } from '../../kernel/principal.js';
import { isJsonObject, type JsonObject } from '../../kernel/json.js';
import { snakeCase } from '../../kernel/letter-case.js';
import { ENVIRONMENTS } from '../../kernel/tenant-scope.js';
import { isTimeZone } from '../../kernel/time-zone.js';
import type { NewApiKey } from '../../modules/api-keys/application/api-key.service.js';
import { type ContactInput, readContact } from '../../modules/contacts/domain/read-contact.js';
import { highestKeyRate, PLAN_NAMES, type Plan, planOf } from '../../modules/limits/domain/plan.js';
import type { NewSegment } from '../../modules/segments/domain/segment.js';
import { readSegment } from '../../modules/segments/input/segment.input.js';
import { readTemplate } from '../../modules/templates/input/template.input.js';
import type { NewTemplate } from '../../modules/templates/domain/template.js';
import type { NewMember } from '../../modules/workspaces/application/member.service.js';
import type { NewWorkspace } from '../../modules/workspaces/application/workspace.service.js';
import { emailKeyOf } from '../../modules/workspaces/domain/member.js';
import {
  COMPANY_FIELDS,
  isTimeOfDay,
  MAX_CAP_PERIOD_HOURS,
  MAX_FREQUENCY_CAP,
  SENDER_FIELDS,
  CONTACT_TIME_ZONE,
} from '../../modules/workspaces/domain/workspace.js';
import { SeedReader } from './seed-reader.js';

/** One record: as written in the file, and as the services take it. */
export interface Seed<Input> {
  readonly written: JsonObject;
  readonly input: Input;
}

export interface WorkspaceSeed extends Seed<NewWorkspace> {
  readonly plan: Plan;
  readonly members: readonly Seed<NewMember>[];
  readonly apiKeys: readonly Seed<NewApiKey>[];
  readonly segments: readonly Seed<NewSegment>[];
  readonly templates: readonly Seed<NewTemplate>[];
  readonly contacts: readonly Seed<ContactInput>[];
}

const WORKSPACE_FIELDS = [
  'name',
  'plan',
  'payment_customer_id',
  'payment_subscription_id',
  'account_email_verified',
  'live',
  'company',
  'sender',
  'settings',
  'members',
  'api_keys',
  'segments',
  'templates',
  'contacts',
];

/**
 * Parses the content of a seed file.
 * @throws DomainError invalid_field naming every invalid path.
 */
export function readSeedFile(content: unknown): WorkspaceSeed[] {
  const reader = new SeedReader();
  const file = reader.object(content ?? null, 'file', ['workspaces']);
  if (file['workspaces'] === undefined) reader.addError('workspaces', 'is required');
  const workspaces = reader.list(file['workspaces'], 'workspaces', (value, path) =>
    workspaceOf(reader, value, path),
  );
  reader.distinct(
    workspaces.map(({ input }) => input.name),
    'workspaces',
    'name',
  );
  reader.finish();
  return workspaces;
}

function workspaceOf(reader: SeedReader, value: unknown, path: string): WorkspaceSeed {
  const written = reader.object(value ?? null, path, WORKSPACE_FIELDS);
  const planName = reader.choice(written['plan'], `${path}.plan`, PLAN_NAMES, 'free');
  const plan = planOf(planName);
  const seed: WorkspaceSeed = {
    written,
    plan,
    input: {
      name: reader.requiredText(written['name'], `${path}.name`),
      plan: planName,
      paymentCustomerId:
        reader.optionalText(written['payment_customer_id'], `${path}.payment_customer_id`) ?? null,
      paymentSubscriptionId:
        reader.optionalText(written['payment_subscription_id'], `${path}.payment_subscription_id`) ?? null,
      accountEmailVerified: reader.flag(
        written['account_email_verified'],
        `${path}.account_email_verified`,
        false,
      ),
      live: reader.flag(written['live'], `${path}.live`, true),
      company: textsOf(reader, written['company'], `${path}.company`, COMPANY_FIELDS),
      sender: senderOf(reader, written['sender'], `${path}.sender`),
      settings: settingsOf(reader, written['settings'], `${path}.settings`),
    },
    members: reader.list(written['members'], `${path}.members`, (item, at) => memberOf(reader, item, at)),
    apiKeys: reader.list(written['api_keys'], `${path}.api_keys`, (item, at) =>
      apiKeyOf(reader, item, at, plan),
    ),
    segments: reader
      .list(written['segments'], `${path}.segments`, (item, at) => readBy(reader, item, at, readSegment))
      .filter((segment) => segment !== undefined),
    templates: reader
      .list(written['templates'], `${path}.templates`, (item, at) => readBy(reader, item, at, readTemplate))
      .filter((template) => template !== undefined),
    contacts: reader
      .list(written['contacts'], `${path}.contacts`, (item, at) => readBy(reader, item, at, readContact))
      .filter((contact) => contact !== undefined),
  };
  checkNames(reader, seed, path);
  return seed;
}

/** Checks that names are unique where a second run finds records by name. */
function checkNames(reader: SeedReader, seed: WorkspaceSeed, path: string): void {
  const { members, apiKeys, segments, templates, contacts } = seed;
  reader.distinct(
    members.map(({ input }) => emailKeyOf(input.email)),
    `${path}.members`,
    'email',
  );
  reader.distinct(
    members.map(({ input }) => (input.role === 'owner' ? 'owner' : '')),
    `${path}.members`,
    'owner role',
  );
  reader.distinct(
    apiKeys.map(({ input }) => `${input.name}\n${input.scope}\n${input.environment}`),
    `${path}.api_keys`,
    'name, scope and environment',
  );
  reader.distinct(
    segments.map(({ input }) => input.name),
    `${path}.segments`,
    'name',
  );
  reader.distinct(
    templates.map(({ input }) => input.slug),
    `${path}.templates`,
    'slug',
  );
  reader.distinct(
    contacts.map(({ input }) => input.externalId),
    `${path}.contacts`,
    'external_id',
  );
}

function readBy<Input>(
  reader: SeedReader,
  value: unknown,
  path: string,
  read: (value: unknown) => Input,
): Seed<Input> | undefined {
  const input = reader.attempt(path, () => read(value));
  return input === undefined || !isJsonObject(value) ? undefined : { written: value, input };
}

function textsOf<Field extends string>(
  reader: SeedReader,
  value: unknown,
  path: string,
  fields: readonly Field[],
): { readonly [Name in Field]?: string } {
  const written = reader.object(value, path, fields.map(snakeCase));
  const texts: { [Name in Field]?: string } = {};
  for (const field of fields) {
    const name = snakeCase(field);
    const text = reader.optionalText(written[name], `${path}.${name}`);
    if (text !== undefined) texts[field] = text;
  }
  return texts;
}

function senderOf(reader: SeedReader, value: unknown, path: string): NewWorkspace['sender'] {
  const sender = textsOf(reader, value, path, SENDER_FIELDS);
  reader.optionalEmail(sender.fromEmail, `${path}.from_email`);
  reader.optionalEmail(sender.replyTo, `${path}.reply_to`);
  return sender;
}

function settingsOf(reader: SeedReader, value: unknown, path: string): NewWorkspace['settings'] {
  const {
    frequency_cap: cap,
    dnd,
    timezone,
  } = reader.object(value, path, ['frequency_cap', 'dnd', 'timezone']);
  const { max, period_hours: hours } = reader.object(cap, `${path}.frequency_cap`, ['max', 'period_hours']);
  const { start, end, timezone: restZone } = reader.object(dnd, `${path}.dnd`, ['start', 'end', 'timezone']);
  const zone = (text: unknown, at: string, isKnown = isTimeZone): { timezone?: string } => {
    if (text === undefined) return {};
    if (typeof text === 'string' && isKnown(text)) return { timezone: text };
    reader.addError(at, 'must be an IANA time zone, such as Europe/Berlin');
    return {};
  };
  const orContact = (text: string): boolean => text === CONTACT_TIME_ZONE || isTimeZone(text);
  const time = (text: unknown, at: string): string => {
    if (typeof text === 'string' && isTimeOfDay(text)) return text;
    reader.addError(at, 'must be a time of day as HH:MM');
    return '';
  };
  return {
    ...(cap === undefined
      ? {}
      : {
          frequencyCap: {
            max: reader.wholeNumber(max, `${path}.frequency_cap.max`, MAX_FREQUENCY_CAP),
            periodHours: reader.wholeNumber(
              hours,
              `${path}.frequency_cap.period_hours`,
              MAX_CAP_PERIOD_HOURS,
            ),
          },
        }),
    ...(dnd === undefined
      ? {}
      : {
          dnd: {
            start: time(start, `${path}.dnd.start`),
            end: time(end, `${path}.dnd.end`),
            ...zone(restZone, `${path}.dnd.timezone`, orContact),
          },
        }),
    ...zone(timezone, `${path}.timezone`),
  };
}

function memberOf(reader: SeedReader, value: unknown, path: string): Seed<NewMember> {
  const written = reader.object(value ?? null, path, ['email', 'name', 'role']);
  const email = reader.requiredText(written['email'], `${path}.email`);
  if (email !== '') reader.optionalEmail(email, `${path}.email`);
  return {
    written,
    input: {
      email,
      name: reader.optionalText(written['name'], `${path}.name`) ?? '',
      role: reader.choice(written['role'], `${path}.role`, ROLES),
    },
  };
}

function apiKeyOf(reader: SeedReader, value: unknown, path: string, plan: Plan): Seed<NewApiKey> {
  const written = reader.object(value ?? null, path, [
    'name',
    'scope',
    'environment',
    'rate_limit_per_minute',
  ]);
  const rate = written['rate_limit_per_minute'] ?? null;
  return {
    written,
    input: {
      name: reader.requiredText(written['name'], `${path}.name`),
      scope: reader.choice(written['scope'], `${path}.scope`, KEY_SCOPES, 'full'),
      environment: reader.choice(written['environment'], `${path}.environment`, ENVIRONMENTS, 'live'),
      rateLimitPerMinute:
        rate === null
          ? null
          : reader.wholeNumber(rate, `${path}.rate_limit_per_minute`, highestKeyRate(plan)),
    },
  };
}
