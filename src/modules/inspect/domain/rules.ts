/**
 * Everything that preflight can say (section 4.3): each finding has a stable code, and its code settles category,
 * severity and the hint how to mend it. An error is what breaks the message for everyone or must not go out; a
 * warning is what many readers would suffer from; information is what a careful author wants to know.
 */

export const PREFLIGHT_CATEGORIES = ['content', 'links', 'images', 'domain', 'accessibility'] as const;
export type PreflightCategory = (typeof PREFLIGHT_CATEGORIES)[number];

export const PREFLIGHT_SEVERITIES = ['error', 'warning', 'info'] as const;
export type PreflightSeverity = (typeof PREFLIGHT_SEVERITIES)[number];

export interface PreflightRule {
  readonly category: PreflightCategory;
  readonly severity: PreflightSeverity;
  readonly hint: string;
}

const rule =
  (category: PreflightCategory, severity: PreflightSeverity) =>
  (hint: string): PreflightRule => ({ category, severity, hint });

const contentError = rule('content', 'error');
const contentWarning = rule('content', 'warning');
const contentInfo = rule('content', 'info');
const linkError = rule('links', 'error');
const linkWarning = rule('links', 'warning');
const imageError = rule('images', 'error');
const imageWarning = rule('images', 'warning');
const imageInfo = rule('images', 'info');
const domainError = rule('domain', 'error');
const domainWarning = rule('domain', 'warning');
const domainInfo = rule('domain', 'info');
const accessError = rule('accessibility', 'error');
const accessWarning = rule('accessibility', 'warning');
const accessInfo = rule('accessibility', 'info');

export const RULES = {
  template_error: contentError('Correct the expression: a template with errors is not sent.'),
  template_warning: contentWarning('Look at the expression again: it may not mean what you want.'),
  placeholder: contentError(
    'Put a value or an expression in its place: a message with «…» in it is not sent.',
  ),
  foreign_merge_tag: contentError('Write it as an expression, such as {the user\'s First Name, or "there"}.'),
  filler_text: contentError('Replace the filler with what you have to say.'),
  placeholder_text: contentWarning('Replace it with what you have to say, or with an expression.'),
  subject_missing: contentWarning('Store a subject, or give one wherever the template is sent.'),
  subject_long: contentWarning('Put what matters first and keep it within 70 characters.'),
  subject_capitals: contentWarning(
    'Write it in sentence case: capitals look like spam to filters and readers.',
  ),
  subject_exclamation: contentWarning('One exclamation mark is plenty.'),
  subject_false_reply: contentWarning('Leave out Re: and Fwd: it deceives, and filters count it.'),
  body_empty: contentError('Add text: readers would see nothing.'),
  plain_text_missing: contentWarning('Add text: the plain-text version is made from the words of the body.'),
  image_only: contentWarning('Say in text what the images say: many clients do not load images at once.'),
  little_text: contentInfo('A few more words help where images are not loaded.'),
  size_clipped: contentWarning(
    'Shorten the body: what is clipped includes the footer with the unsubscribe link.',
  ),
  size_near_limit: contentInfo('Values, the footer and tracking add to the size; leave some room.'),
  unsubscribe_missing: contentInfo(
    'Nothing to do for lawfulness; a link of your own lets you say it in your own words.',
  ),
  preheader_missing: contentInfo('Begin the body with a hidden line that continues the subject.'),
  element_forbidden: contentError('Remove it: email clients drop it, and filters distrust the message.'),
  script_attribute: contentError('Remove it: no email client runs scripts.'),
  tag_unclosed: contentError('Close the tag, or remove it.'),
  tag_unopened: contentError('Remove the closing tag, or open it where it belongs.'),
  tag_misnested: contentError('Close the tags in the reverse order of opening.'),
  markup_unfinished: contentError('Finish the tag or the comment: all that follows is swallowed.'),
  markup_malformed: contentWarning('Look for a missing quote, blank or bracket; write &lt; for a plain "<".'),
  attribute_twice: contentWarning('Keep one of the two: clients ignore the second.'),
  too_complex: contentWarning('Simplify the markup; only the checks that need no structure were made.'),
  css_invalid: contentWarning('Correct the style: clients ignore what they cannot read.'),
  css_too_much: contentInfo('Shorten the styles; those beyond the limit were not examined.'),
  css_dropped_by_gmail: contentWarning(
    'Keep all <style> together under 16 KB, or move styles into style attributes.',
  ),
  client_support_poor: contentWarning('Make sure that the message reads well without it.'),
  client_support_partial: contentInfo('Look at the message in the clients named.'),
  doctype_missing: contentInfo('Begin with <!DOCTYPE html>: without it some clients lay out in quirks mode.'),
  charset_missing: contentInfo('Add <meta charset="utf-8"> to the head.'),

  link_without_target: linkWarning('Add an href, or remove the tag.'),
  link_empty: linkError('Give the link an address.'),
  link_relative: linkError('Write the whole address, beginning with https://.'),
  link_dangerous: linkError('Link to an https:// address.'),
  link_malformed: linkError('Correct the address.'),
  link_insecure: linkWarning('Use https:// instead.'),
  link_scheme_unusual: linkWarning(
    'Webmail removes such links; link to an https:// page that opens the app.',
  ),
  link_anchor_missing: linkWarning('Add an element with this id, or correct the link.'),
  link_private: linkError('Link to an address that readers can reach.'),
  link_example: linkWarning('Put the real address in place of the example.'),

  image_without_source: imageError('Give the image a src.'),
  image_relative: imageError('Write the whole address, beginning with https://.'),
  image_malformed: imageError('Correct the address.'),
  image_unreachable: imageError('Put the image on a server that readers can reach, and link it by https://.'),
  image_example: imageWarning('Put the real address in place of the example.'),
  image_insecure: imageWarning('Use https:// instead: many clients block the rest.'),
  image_embedded: imageWarning('Put the image on a server and link it: many clients block embedded images.'),
  image_without_size: imageWarning(
    'Add width and height, so that the layout stands before images are loaded.',
  ),
  image_many: imageWarning('Use fewer images: each is a request, and filters count them.'),
  image_support_poor: imageWarning('Offer the image as PNG, JPEG or GIF.'),
  image_support_partial: imageInfo('Look at the message in the clients named.'),

  sender_malformed: domainError("Correct the workspace's sender."),
  sender_shared_domain: domainInfo(
    "Verify the domain of the sender's address; replies go to its reply_to either way.",
  ),
  company_incomplete: domainWarning(
    'Complete name, address_line1, city, postal_code and country of the company.',
  ),
  not_live: domainInfo('Go live to send to real people.'),
  link_shortener: domainWarning('Link to the real address: filters distrust shortened ones.'),
  link_ip_address: domainWarning('Link to a named host: filters distrust bare IP addresses.'),
  link_credentials: domainWarning('Leave out what stands before the @: it is a mark of phishing.'),
  link_lookalike: domainWarning('Check the address: letters of several scripts are a mark of phishing.'),
  link_international: domainInfo('Check that this is the address you mean.'),
  link_text_mismatch: domainWarning(
    'Show the domain that the link leads to: another one is a mark of phishing.',
  ),

  image_without_alt: accessWarning('Describe the image in alt, or say alt="" where it only decorates.'),
  link_unnamed: accessError('Give the link a text, or its image an alt.'),
  link_text_vague: accessInfo(
    'Say where the link leads: screen readers list links without what stands around.',
  ),
  lang_missing: accessInfo(
    'Add lang to <html>, such as lang="en", so that screen readers pronounce it rightly.',
  ),
  title_missing: accessInfo('Add a <title>: screen readers announce it.'),
  table_role_missing: accessInfo('Add role="presentation" to tables that only lay out.'),
  heading_skipped: accessInfo('Let headings go down one level at a time.'),
  text_tiny: accessWarning('Use 12 pixels at least.'),
  contrast_low: accessWarning('Choose colours further apart: 4.5:1, or 3:1 for large text.'),
} as const satisfies Readonly<Record<string, PreflightRule>>;

export type PreflightCode = keyof typeof RULES;
