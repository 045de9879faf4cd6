/**
 * The credentials of each platform, as callers give them: which fields are required, and which are not accepted. Each
 * source validates their texts itself (`problemOf`).
 */
import { MIGRATION_PLATFORMS } from '../../../kernel/migration-platforms.js';
import type { Credentials, Platform } from './platform.js';

type Secret = 'appId' | 'apiKey';

interface ExtraField {
  readonly isRequired: boolean;
  /** The allowed values as text, if there are only a few. */
  readonly values?: string;
}

interface CredentialFields {
  /** All of these are required. */
  readonly secrets: readonly Secret[];
  /** Members of `extra`. */
  readonly extra: Readonly<Record<string, ExtraField>>;
}

const REQUIRED: ExtraField = { isRequired: true };
const OPTIONAL: ExtraField = { isRequired: false };

const CREDENTIAL_FIELDS: Readonly<Record<Platform, CredentialFields>> = {
  customerio: {
    secrets: ['apiKey'],
    extra: { region: { ...OPTIONAL, values: 'us, eu' }, segment_id: OPTIONAL, attributes: OPTIONAL },
  },
  braze: { secrets: ['apiKey'], extra: { endpoint: REQUIRED, segment_id: REQUIRED } },
  klaviyo: { secrets: ['apiKey'], extra: {} },
  mailchimp: { secrets: ['apiKey'], extra: { data_center: OPTIONAL, list_id: OPTIONAL } },
  onesignal: { secrets: ['appId', 'apiKey'], extra: {} },
  intercom: { secrets: ['apiKey'], extra: { region: { ...OPTIONAL, values: 'us, eu, au' } } },
  file: { secrets: [], extra: {} },
};

/** All members that `extra` can have, over all platforms. */
export const EXTRA_FIELDS: readonly string[] = [
  ...new Set(Object.values(CREDENTIAL_FIELDS).flatMap(({ extra }) => Object.keys(extra))),
];

/** The members of `extra` by platform, as text. */
export const EXTRA_FIELDS_DESCRIPTION = MIGRATION_PLATFORMS.flatMap((platform) => {
  const members = Object.entries(CREDENTIAL_FIELDS[platform].extra).map(([name, { values }]) =>
    values === undefined ? name : `${name} (${values})`,
  );
  return members.length === 0 ? [] : [`${platform}: ${members.join(', ')}`];
}).join('; ');

/** The platforms that require it, as text. */
export function platformsRequiring(secret: Secret): string {
  return MIGRATION_PLATFORMS.filter((platform) => CREDENTIAL_FIELDS[platform].secrets.includes(secret)).join(
    ', ',
  );
}

/** Credentials as callers give them; an empty string counts as missing. */
export interface GivenCredentials {
  readonly appId?: string;
  readonly apiKey?: string;
  readonly extra?: Readonly<Record<string, string>>;
}

/** The credentials; null if none are given. */
export function credentialsOf(given: GivenCredentials | undefined): Credentials | null {
  const textOf = (text: string | undefined): string | null =>
    text === undefined || text === '' ? null : text;
  const [appId, apiKey] = [textOf(given?.appId), textOf(given?.apiKey)];
  const extra = Object.fromEntries(Object.entries(given?.extra ?? {}).filter(([, text]) => text !== ''));
  if (appId === null && apiKey === null && Object.keys(extra).length === 0) return null;
  return { appId, apiKey, extra };
}

export interface CredentialFlaws {
  /** Names of missing fields, such as `credentials.apiKey`; members of `extra` have the names of the contract. */
  readonly missing: readonly string[];
  /** Names of fields that the platform does not use, such as `credentials.extra.region`. */
  readonly unknown: readonly string[];
}

/** The missing and the unknown fields of credentials for a platform. */
export function credentialFlaws(platform: Platform, credentials: Credentials | null): CredentialFlaws {
  const { secrets, extra } = CREDENTIAL_FIELDS[platform];
  const given = { appId: credentials?.appId ?? null, apiKey: credentials?.apiKey ?? null };
  const own = credentials?.extra ?? {};
  const others = (['appId', 'apiKey'] as const).filter((name) => !secrets.includes(name));
  const required = Object.keys(extra).filter((name) => extra[name]?.isRequired);
  return {
    missing: [
      ...secrets.filter((name) => given[name] === null).map((name) => `credentials.${name}`),
      ...required.filter((name) => !Object.hasOwn(own, name)).map((name) => `credentials.extra.${name}`),
    ],
    unknown: [
      ...others.filter((name) => given[name] !== null).map((name) => `credentials.${name}`),
      ...Object.keys(own)
        .filter((name) => !Object.hasOwn(extra, name))
        .map((name) => `credentials.extra.${name}`),
    ],
  };
}
