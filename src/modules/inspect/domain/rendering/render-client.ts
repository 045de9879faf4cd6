/** The mail programs that messages are rendered for (section 4.7: render_clients), by the names that readers see. */
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
