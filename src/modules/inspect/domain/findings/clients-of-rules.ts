/** The email clients that a rule concerns when its findings list none (section 4.7: clients). */
import type { RenderClient } from '../rendering/render-client.js';
import type { RuleName } from '../rules/catalogue.js';

const GMAIL = ['gmail_web', 'gmail_app'] as const;
const OUTLOOK = ['outlook_windows'] as const;

export const CLIENTS_OF_RULES: Readonly<Partial<Record<RuleName, readonly RenderClient[]>>> = {
  css_dropped_by_gmail: GMAIL,
  style_long: GMAIL,
  style_nested_at_rule: GMAIL,
  size_clipped: GMAIL,
  size_near_limit: GMAIL,
  clipped_by_gmail: GMAIL,
  image_embedded_large: GMAIL,
  css_position: [...GMAIL, 'outlook_windows', 'outlook_com'],
  css_negative_margin: [...GMAIL, 'outlook_windows', 'outlook_com'],
  image_embedded: [...GMAIL, 'outlook_windows', 'outlook_com'],
  css_float: OUTLOOK,
  colour_short: OUTLOOK,
  color_scheme_halved: ['apple_mail'],
  apple_reformatting: ['apple_mail'],
  dark_outlook_missing: ['outlook_com'],
  image_too_wide: OUTLOOK,
  image_size_invalid: OUTLOOK,
  image_width_by_style: OUTLOOK,
  background_without_vml: OUTLOOK,
  tables_nested_deep: OUTLOOK,
  outlook_dpi_missing: OUTLOOK,
  outlook_namespace_missing: OUTLOOK,
  button_padding_lost: OUTLOOK,
};
