/**
 * Maps the names of foreign templates to Waypost: to fields of the contact, to attributes of the trigger event, or to
 * nothing. Fields have the names that an import from the same platform gives them.
 */
import type { Reference } from '../nlt/tree.js';
import { BRAZE_USER } from './foreign-expressions.js';
import { contactField, triggerField } from './shown-value.js';
import { omitted, providedByFooter, unsupported } from './unsupported.js';

/** Resolves a path; null if only the template's author knows its meaning. @throws Unfit */
export type NameResolver = (path: readonly string[]) => Reference | null;

/** Maps each platform's names of the standard contact fields to Waypost's. */
const CONTACT_NAMES: ReadonlyMap<string, string> = new Map([
  ['id', 'external_id'],
  ['external_id', 'external_id'],
  ['user_id', 'external_id'],
  ['email_address', 'email'],
  ['phone_number', 'phone'],
  ['language', 'locale'],
  ['time_zone', 'timezone'],
  ['$first_name', 'first_name'],
  ['$last_name', 'last_name'],
  ['$email', 'email'],
  ['$phone_number', 'phone'],
  ['$id', 'external_id'],
]);

/** Names of a platform that no import includes. */
const UNSUPPORTED_CONTACT_FIELDS =
  /^(?:braze_id|cio_id|onesignal_id|klaviyoid|unsubscribe_token|push_token)$/i;

function fieldOf(path: readonly string[]): Reference {
  const [first = '', ...rest] = path;
  if (path.length === 0) unsupported('Waypost cannot show a whole contact: name one of its fields.');
  if (UNSUPPORTED_CONTACT_FIELDS.test(first)) unsupported(`Waypost does not know “${first}”.`);
  return contactField([CONTACT_NAMES.get(first) ?? first.replace(/^\$/, ''), ...rest]);
}

function attributeOf(path: readonly string[]): Reference {
  return path.length === 0
    ? unsupported('Waypost cannot show a whole event: name one of its attributes.')
    : triggerField(path);
}

const UNSUBSCRIBE_NAMES =
  /^(?:email_footer|unsubscribe(?:_?(?:url|link))?|set_user_to_(?:unsubscribed|subscribed|opted_in)_url|opt_?out(?:_url)?|manage_(?:subscription_)?preferences(?:_(?:url|link))?|preference_cent(?:er|re)(?:_(?:url|link))?|update_profile(?:_(?:url|link))?)$/i;
const VIEW_IN_BROWSER_NAMES =
  /^(?:view_in_browser(?:_(?:url|link))?|view_online(?:_(?:url|link))?|web_?(?:view|version)(?:_(?:url|link))?)$/i;
const FORWARD_NAMES = /^(?:forward(?:_to_(?:a_)?friend)?(?:_(?:url|link))?)$/i;

/** Rejects the names of links that are specific to a platform. @throws Unfit if `name` is one of them */
export function rejectLinkName(name: string): void {
  if (UNSUBSCRIBE_NAMES.test(name)) providedByFooter('an unsubscribe or preferences link');
  if (VIEW_IN_BROWSER_NAMES.test(name)) omitted('page that shows the message in the browser');
  if (FORWARD_NAMES.test(name)) omitted('page to forward a message');
}

const LIQUID_EVENTS = new Set([
  'event',
  'trigger',
  'event_properties',
  'api_trigger_properties',
  'canvas_entry_properties',
  'context',
]);
const LIQUID_CONTACTS = new Set(['customer', 'user', 'profile', 'recipient', 'contact', 'subscriber']);
/** Names of features that only the other platform has. */
const LIQUID_ONLY_NAMES =
  /^(?:campaign|canvas|message|content_blocks?|snippets?|app|org|organization|workspace|template|journey|newsletter|delivery|catalog_items|catalogs?|card|promotion|most_recently_used_device|targeted_device|dispatch_id|forloop|tablerowloop|objects?|page|content|layout)$/;

export const liquidNames: NameResolver = (path) => {
  const [root = '', ...rest] = path;
  rejectLinkName(root);
  if (root === BRAZE_USER) {
    rejectLinkName(rest[0] ?? '');
    return fieldOf(rest);
  }
  if (LIQUID_EVENTS.has(root)) return attributeOf(rest);
  if (root === 'message' && rest[0] === 'custom_data') return attributeOf(rest.slice(1));
  if (root === 'custom_attribute') return contactField(rest);
  if (root === 'user' && rest[0] === 'tags') return contactField(rest.slice(1));
  if (LIQUID_CONTACTS.has(root)) {
    rejectLinkName(rest[0] ?? '');
    return fieldOf(rest);
  }
  if (root === 'subscription') return subscriptionField(rest);
  if (LIQUID_ONLY_NAMES.test(root)) return unsupported(`Waypost has nothing for “${root}”.`);
  return null;
};

/** Names of OneSignal. */
function subscriptionField(path: readonly string[]): Reference {
  const [first = ''] = path;
  const isKnown = ['email', 'external_id', 'user_id', 'phone_number', 'language'].includes(first);
  return isKnown && path.length === 1
    ? fieldOf(path)
    : unsupported('Waypost has no such subscription field.');
}

const KLAVIYO_FIELDS = new Set(['first_name', 'last_name', 'email', 'phone_number', 'external_id']);
const KLAVIYO_ONLY_NAMES =
  /^(?:organization|message|campaign|flow|list|catalog_item|item|coupon|feeds?|forloop|company|store|shop|block|csrf_token|settings)$/;

export const klaviyoNames: NameResolver = (path) => {
  const [root = '', ...rest] = path;
  rejectLinkName(root);
  if (root === 'person') return fieldOf(rest);
  if (root === 'event') return attributeOf(rest);
  if (KLAVIYO_FIELDS.has(root) && rest.length === 0) return fieldOf(path);
  if (root === 'organization' && /^(?:full_)?address$/.test(rest[0] ?? ''))
    return providedByFooter('the sender’s postal address');
  if (KLAVIYO_ONLY_NAMES.test(root)) return unsupported(`Waypost has nothing for “${root}”.`);
  return null;
};
