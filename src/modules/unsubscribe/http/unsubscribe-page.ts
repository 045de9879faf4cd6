/**
 * Renders the page of an unsubscribe link, section 4.8. Opening it changes nothing, since link scanners open it too;
 * it shows a question, and the new state after a button was pressed. It works without scripts, in light and dark
 * mode, and loads nothing.
 */
import Handlebars from 'handlebars';
import { pageHeaders } from '../../../platform/http/page-headers.js';
import { isTimeZone } from '../../../kernel/time-zone.js';
import type { Language } from '../../preferences/domain/language.js';
import type { PreferencePage, LinkRequest } from '../application/unsubscribe.service.js';
import { PAGE_MESSAGES, type PageMessages } from './page-messages.js';
import { STYLE } from './page-style.js';

/** The result of a form. */
export type Notice = keyof Pick<
  PageMessages,
  'saved' | 'paused' | 'resumed' | 'welcome' | 'tooOften' | 'notNow'
>;

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  ...pageHeaders(STYLE, "'self'"),
  vary: 'accept-language',
};

const LAYOUT = Handlebars.compile(
  `<!doctype html>
<html lang="{{language}}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow"><meta name="color-scheme" content="light dark"><title>{{title}}</title><style>{{{style}}}</style></head>
<body>{{#if sender}}<header>{{sender}}</header>
{{/if}}<main>{{#if notice}}<p class="notice" role="status">{{notice}}</p>
{{/if}}<h1>{{heading}}</h1>
<p>{{text}}</p>
{{#if address}}<p class="soft">{{address}}</p>
{{/if}}{{#if unsubscribe}}<form method="post" action="{{action}}"><input type="hidden" name="action" value="unsubscribe"><button type="submit" class="first">{{words.unsubscribe}}</button></form>
{{/if}}{{#if topics}}<section aria-labelledby="choose"><h2 id="choose">{{words.choose}}</h2>
<form method="post" action="{{action}}"><input type="hidden" name="action" value="choose"><fieldset><legend>{{words.topics}}</legend>
{{#each topics}}<div class="topic"><input type="hidden" name="shown" value="{{key}}"><input type="checkbox" id="topic-{{key}}" name="topic" value="{{key}}"{{#if isSubscribed}} checked{{/if}}{{#if description}} aria-describedby="about-{{key}}"{{/if}}><label for="topic-{{key}}">{{name}}</label>{{#if description}}<p id="about-{{key}}">{{description}}</p>{{/if}}</div>
{{/each}}</fieldset><button type="submit">{{words.save}}</button></form></section>
{{/if}}{{#each offers}}<section aria-labelledby="{{request}}"><h2 id="{{request}}">{{heading}}</h2><p class="soft">{{text}}</p>
<form method="post" action="{{../action}}"><input type="hidden" name="action" value="{{request}}"><button type="submit">{{button}}</button></form></section>
{{/each}}</main></body></html>
`,
  { strict: false, knownHelpersOnly: true },
);

/** The page as HTML; all external text is escaped. */
export function renderPreferencePage(page: PreferencePage, notice: Notice | null): string {
  const { language, isUnsubscribed, mayChoose, topics, action, address, pausedUntil } = page;
  const words = PAGE_MESSAGES[language];
  const sender = page.sender ?? words.sender;
  const withSender = (text: string): string => text.replaceAll('{sender}', () => sender);
  const heading = isUnsubscribed ? words.done : words.question;
  const noticeText = notice === null ? null : words[notice];
  const offers = mayChoose ? offersOf(page, words) : [];
  return LAYOUT({
    style: STYLE,
    language,
    words,
    title: `${noticeText ?? heading} – ${sender}`,
    sender,
    notice: noticeText,
    heading,
    text: withSender(isUnsubscribed ? words.doneText : words.consequence),
    address,
    action,
    unsubscribe: !isUnsubscribed,
    topics: isUnsubscribed ? [] : topics,
    offers: offers.map((offer) => ({
      ...offer,
      text: withSender(offer.text).replaceAll('{until}', () => dateOf(pausedUntil, page)),
    })),
  });
}

/** The page for an invalid link. */
export function renderInvalidPage(language: Language): string {
  const { invalid, invalidText } = PAGE_MESSAGES[language];
  return LAYOUT({ style: STYLE, language, title: invalid, heading: invalid, text: invalidText });
}

interface Offer {
  /** Value of the form's `action`. */
  readonly request: 'pause' | 'resume' | 'come_back';
  readonly heading: string;
  readonly text: string;
  readonly button: string;
}

function offersOf({ isUnsubscribed, pausedUntil }: PreferencePage, messages: PageMessages): Offer[] {
  if (isUnsubscribed)
    return [
      {
        request: 'come_back',
        heading: messages.resubscribeHeading,
        text: messages.resubscribeText,
        button: messages.subscribe,
      },
    ];
  if (pausedUntil)
    return [
      { request: 'resume', heading: messages.paused, text: messages.pausedText, button: messages.resume },
    ];
  return [
    { request: 'pause', heading: messages.pauseHeading, text: messages.pauseText, button: messages.pause },
  ];
}

function dateOf(moment: Date | null, { language, timezone }: PreferencePage): string {
  if (!moment) return '';
  const timeZone = timezone !== null && isTimeZone(timezone) ? timezone : 'UTC';
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(moment);
}

/**
 * Parses a form. The form of a mail client (RFC 8058), and any other that does not come from our page, unsubscribes.
 * @param form anything other than URLSearchParams, such as a multipart form, has no fields of our page.
 */
export function linkRequestOf(form: unknown): LinkRequest {
  const fields = form instanceof URLSearchParams ? form : new URLSearchParams();
  const action = fields.has('List-Unsubscribe') ? null : fields.get('action');
  switch (action) {
    case 'unsubscribe':
      return { kind: 'unsubscribe', way: 'page' };
    case 'choose':
      return { kind: 'choose', chosen: chosenIn(fields) };
    case 'pause':
    case 'resume':
    case 'come_back':
      return { kind: action };
    default:
      return { kind: 'unsubscribe', way: 'one_click' };
  }
}

/** A box that is not ticked is not sent, so only topics that were shown are changed. */
function chosenIn(fields: URLSearchParams): ReadonlyMap<string, boolean> {
  const ticked = new Set(fields.getAll('topic'));
  return new Map(fields.getAll('shown').map((key) => [key, ticked.has(key)]));
}
