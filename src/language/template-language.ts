/** The languages that a template may be pinned to, section 2.7; one without a pin may use both. */

export const TEMPLATE_LANGUAGES = ['nlt', 'jinja2'] as const;

export type TemplateLanguage = (typeof TEMPLATE_LANGUAGES)[number];
