/** The email clients that messages are rendered for (section 4.7: render_clients), and their display names. */
export const RENDER_CLIENTS = [
  'gmail_web',
  'gmail_app',
  'outlook_windows',
  'outlook_com',
  'apple_mail',
  'yahoo',
  'samsung_mail',
  'thunderbird',
] as const;
export type RenderClient = (typeof RENDER_CLIENTS)[number];

/** The display names of the clients. */
export const CLIENT_NAMES: Readonly<Record<RenderClient, string>> = {
  gmail_web: 'Gmail',
  gmail_app: 'Gmail’s app',
  outlook_windows: 'Outlook for Windows',
  outlook_com: 'Outlook.com',
  apple_mail: 'Apple Mail',
  yahoo: 'Yahoo! Mail',
  samsung_mail: 'Samsung Mail',
  thunderbird: 'Thunderbird',
};
