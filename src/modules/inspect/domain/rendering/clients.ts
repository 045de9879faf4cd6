/** The traits of every email client that messages are rendered for, with the features that each lacks. */
import { RENDER_CLIENTS, type RenderClient } from './render-client.js';
import { unsupportedFeatures, type ClientTraits, DEFAULT_TRAITS, isNegative } from './client-traits.js';
import { GMAIL_APP, GMAIL_WEB } from './gmail-web.js';
import { OUTLOOK_WINDOWS } from './outlook-windows.js';
import { YAHOO } from './yahoo.js';

/** Outlook.com: embeds the message in its page, prefixes its classes and ids, and in dark mode darkens light colors. */
const OUTLOOK_COM: ClientTraits = {
  ...DEFAULT_TRAITS,
  app: ['outlook', 'outlook-com'],
  embedded: true,
  prefix: 'x_',
  dark: 'partial',
  ignores: (declaration) =>
    isNegative(declaration) || (declaration.property === 'position' && declaration.text !== 'sticky'),
};

/** Apple Mail: shows nearly all of a message, and in dark mode applies the message's own dark styles. */
const APPLE_MAIL: ClientTraits = {
  ...DEFAULT_TRAITS,
  app: ['apple-mail', 'macos'],
  dark: 'query',
  ignores: ({ property, text }) => property === 'position' && /^(fixed|sticky)$/.test(text),
};

/** Samsung's mail app: shows most of a message, and in dark mode applies the message's own dark styles. */
const SAMSUNG_MAIL: ClientTraits = {
  ...DEFAULT_TRAITS,
  app: ['samsung-email', 'android'],
  dark: 'query',
  devices: ['phone'],
  ignores: ({ property, text }) =>
    (property === 'position' && /^(fixed|sticky)$/.test(text)) ||
    (property === 'font-size' && (text.includes('%') || text === 'larger' || text === 'smaller')),
};

/**
 * Thunderbird: shows nearly all of a message. By the data, it ignores media queries since version 78, so that dark
 * styles have no effect; a message's `color-scheme` has.
 */
const THUNDERBIRD: ClientTraits = {
  ...DEFAULT_TRAITS,
  app: ['thunderbird', 'macos'],
  dark: 'query',
  devices: ['desktop'],
};

export interface Client extends ClientTraits {
  readonly unsupported: ReadonlySet<string>;
}

const TRAITS: Readonly<Record<RenderClient, ClientTraits>> = {
  gmail_web: GMAIL_WEB,
  gmail_app: GMAIL_APP,
  outlook_windows: OUTLOOK_WINDOWS,
  outlook_com: OUTLOOK_COM,
  apple_mail: APPLE_MAIL,
  yahoo: YAHOO,
  samsung_mail: SAMSUNG_MAIL,
  thunderbird: THUNDERBIRD,
};

export const CLIENTS = Object.fromEntries(
  RENDER_CLIENTS.map((name): [RenderClient, Client] => [
    name,
    { ...TRAITS[name], unsupported: unsupportedFeatures(TRAITS[name]) },
  ]),
) as Readonly<Record<RenderClient, Client>>;
