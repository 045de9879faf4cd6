/** What each platform's credentials are made of, as callers give them; what their texts must be, each source says itself. */
import type { Credentials, Platform } from './platform.js';

interface CredentialFields {
  /** Which may not be left out. */
  readonly required: readonly ('appId' | 'apiKey')[];
  /** Members of `extra`, and whether each may not be left out. */
  readonly extra: Readonly<Record<string, 'required' | 'optional'>>;
}

const CREDENTIAL_FIELDS: Readonly<Record<Platform, CredentialFields>> = {
  customerio: {
    required: ['apiKey'],
    extra: { region: 'optional', segment_id: 'optional', attributes: 'optional' },
  },
  braze: { required: ['apiKey'], extra: { endpoint: 'required', segment_id: 'required' } },
  klaviyo: { required: ['apiKey'], extra: {} },
  mailchimp: { required: ['apiKey'], extra: { data_center: 'optional', list_id: 'optional' } },
  onesignal: { required: ['appId', 'apiKey'], extra: {} },
  intercom: { required: ['apiKey'], extra: { region: 'optional' } },
  file: { required: [], extra: {} },
};

/** Every member that `extra` may have for some platform. */
export const EXTRA_FIELDS: readonly string[] = [
  ...new Set(Object.values(CREDENTIAL_FIELDS).flatMap(({ extra }) => Object.keys(extra))),
];

/** What callers give of credentials; an empty text is as good as none. */
export interface GivenCredentials {
  readonly appId?: string;
  readonly apiKey?: string;
  readonly extra?: Readonly<Record<string, string>>;
}

/** The credentials; null where nothing is given. */
export function credentialsOf(given: GivenCredentials | undefined): Credentials | null {
  const textOf = (text: string | undefined): string | null =>
    text === undefined || text === '' ? null : text;
  const [appId, apiKey] = [textOf(given?.appId), textOf(given?.apiKey)];
  const extra = Object.fromEntries(Object.entries(given?.extra ?? {}).filter(([, text]) => text !== ''));
  if (appId === null && apiKey === null && Object.keys(extra).length === 0) return null;
  return { appId, apiKey, extra };
}

export interface CredentialFlaws {
  /** Names of what is missing, such as `credentials.apiKey`; members of `extra` have those of the contract. */
  readonly missing: readonly string[];
  /** Names of what the platform has no use for, such as `credentials.extra.region`. */
  readonly unknown: readonly string[];
}

/** What credentials of a platform lack, and which of their members it does not know. */
export function credentialFlaws(platform: Platform, credentials: Credentials | null): CredentialFlaws {
  const { required, extra } = CREDENTIAL_FIELDS[platform];
  const given = { appId: credentials?.appId ?? null, apiKey: credentials?.apiKey ?? null };
  const own = credentials?.extra ?? {};
  const needed = Object.keys(extra).filter((name) => extra[name] === 'required');
  return {
    missing: [
      ...required.filter((name) => given[name] === null).map((name) => `credentials.${name}`),
      ...needed.filter((name) => !Object.hasOwn(own, name)).map((name) => `credentials.extra.${name}`),
    ],
    unknown: Object.keys(own)
      .filter((name) => !Object.hasOwn(extra, name))
      .map((name) => `credentials.extra.${name}`),
  };
}
