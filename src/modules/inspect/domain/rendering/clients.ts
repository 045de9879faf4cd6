/** The traits of every email client that messages are rendered for, with the features that each lacks. */
import { RENDER_CLIENTS, type RenderClient } from './render-client.js';
import { APPLE_MAIL } from './apple-mail.js';
import { unsupportedFeatures, type ClientTraits } from './client-traits.js';
import { GMAIL_APP } from './gmail-app.js';
import { GMAIL_WEB } from './gmail-web.js';
import { OUTLOOK_COM } from './outlook-com.js';
import { OUTLOOK_WINDOWS } from './outlook-windows.js';
import { SAMSUNG_MAIL } from './samsung-mail.js';
import { THUNDERBIRD } from './thunderbird.js';
import { YAHOO } from './yahoo.js';

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
