/** The email clients that a rule concerns when its findings list none (section 4.7: clients). */
import type { RenderClient } from '../rendering/render-client.js';
import type { RuleName } from '../rules/catalogue.js';

const GMAIL = ['gmail_web', 'gmail_app'] as const;
const WORD = ['outlook_windows'] as const;

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
  css_float: WORD,
  colour_short: WORD,
  color_scheme_halved: ['apple_mail'],
  apple_reformatting: ['apple_mail'],
  dark_outlook_missing: ['outlook_com'],
  image_too_wide: WORD,
  image_size_invalid: WORD,
  image_width_by_style: WORD,
  background_without_vml: WORD,
  tables_nested_deep: WORD,
  outlook_dpi_missing: WORD,
  outlook_namespace_missing: WORD,
  button_padding_lost: WORD,
};
