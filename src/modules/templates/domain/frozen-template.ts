/** A version of a template as it was when somebody began to send it: later changes, and its end, change nothing about it. */
import type { Template } from './template.js';

export interface FrozenTemplate extends Pick<
  Template,
  'slug' | 'version' | 'subject' | 'bodyHtml' | 'bodyText' | 'templateLanguage'
> {
  readonly id: string;
  readonly templateId: string;
}
